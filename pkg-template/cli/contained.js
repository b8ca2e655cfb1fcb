// A GGUF file inside another file: a llamafile, or a ZIP archive that stores it.

import { remoteSource } from "../common/byte-sources.js";
import { containedGguf } from "../common/contained-gguf.js";
import { note } from "./output.js";
import { httpUrl, requestOptions } from "./requests.js";
import { safe } from "./safe-text.js";

/** @import { RangeSource } from "../common/byte-sources.js" */
/** @import { Contained } from "../common/contained-gguf.js" */
/** @import { GgufSource } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */

/** The formats that can contain a GGUF file, by the name that the note has for them. A program can have an archive behind it. */
const CONTAINERS = new Map([
  ["llamafile", "llamafile"],
  ["program", "llamafile"],
  ["zip", "ZIP archive"],
]);

/**
 * The GGUF file inside a file that could not be opened.
 *
 * @param {unknown} error
 * @param {string} name As the user gave it.
 * @param {string} place Its path or URL.
 * @param {GgufSource} source
 * @param {Arguments} args
 * @returns {Promise<(Contained & { container: string }) | undefined>} `undefined` if there is none.
 */
export async function openContained(error, name, place, source, args) {
  const container = CONTAINERS.get(String(/** @type {{ format?: unknown }} */ (Object(error)).format));
  if (container === undefined) return undefined;
  const url = httpUrl(place);
  const ranged = url === undefined ? source : await remoteSource(url, requestOptions(url, args)).catch(() => undefined);
  if (typeof ranged !== "object" || !("read" in ranged) || !("size" in ranged)) return undefined;
  const inside = await containedGguf(/** @type {RangeSource} */ (ranged)).catch(() => undefined);
  if (inside === undefined) return undefined;
  const others = inside.others.length === 0 ? "" : ` It also has ${inside.others.join(", ")}.`;
  note(safe`gguf-wasm: ${name}: ${container}: the GGUF file inside is opened, ${inside.name}.${others}\n`);
  return { ...inside, container };
}
