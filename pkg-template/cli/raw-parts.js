// Raw parts of a file that was cut into pieces, which are read as one file.

import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { joinedSource } from "../common/byte-sources.js";
import { missingParts, rawPart, rawSets } from "../common/raw-parts.js";
import { remoteParts } from "../common/remote-parts.js";
import { fileSource } from "../full/node.js";
import { CommandError } from "./errors.js";
import { addInput, addRemoteInput } from "./inputs.js";
import { note } from "./output.js";
import { requestOptions } from "./requests.js";
import { safe } from "./safe-text.js";
import { counted } from "./text.js";

/** @import { GgufSource } from "../full/node.js" */
/** @import { RangeSource } from "../common/byte-sources.js" */
/** @import { RawPart } from "../common/raw-parts.js" */
/** @import { Arguments } from "./arguments.js" */

const ONE_FOLDER = "Put all parts into one folder.";

/** What is said of parts of which none is known to be missing. @param {number} count @param {string} base */
const found = (count, base) =>
  count === 1
    ? `this is a raw part of ${base}, and no other part is beside it. ${ONE_FOLDER}`
    : `${counted(count, "raw part")} are read as one file, ${base}. \`gguf-wasm merge FILE OUTPUT\` joins them.`;

/**
 * @typedef {object} Assembled Raw parts as one source.
 * @property {GgufSource} source
 * @property {string} fileName The name of the joined file.
 * @property {string | undefined} path That of the given part, if it is a file of this computer.
 * @property {() => Promise<void>} close
 */

/**
 * Opens the file that a raw part belongs to: the other parts lie beside it.
 *
 * @param {string} name As the user gave it.
 * @param {string} place The path or the URL of any part.
 * @param {string | undefined} path The path, if it is a file of this computer.
 * @param {string} fileName
 * @param {Arguments} args
 * @returns {Promise<Assembled | undefined>} `undefined` if the name is not that of a raw part.
 */
export async function openRawParts(name, place, path, fileName, args) {
  const part = rawPart(fileName);
  if (part === undefined) return undefined;
  const parts = await (path === undefined ? partsOfServer(part, place, args) : partsBeside(part, path));
  const [set] = rawSets(parts, (one) => one.name);
  const close = async () => void (await Promise.all(parts.map((one) => one.close?.())));
  const problem = missingParts(set ?? { base: part.base, missing: [fileName] });
  if (!set?.isBeginning) {
    await close();
    throw new CommandError("missing-parts", `${name}: ${problem} ${ONE_FOLDER}`);
  }
  const sources = set.parts.map(({ source }) => source);
  note(safe`gguf-wasm: ${name}: ${problem === undefined ? found(sources.length, part.base) : `${problem} ${ONE_FOLDER}`}\n`);
  return { source: joinedSource(sources, part.base), fileName: part.base, path, close };
}

/** @typedef {{ name: string, source: RangeSource, close?(): Promise<void> }} OpenPart */

/**
 * The parts in the folder of one of them.
 *
 * @param {RawPart} part
 * @param {string} path
 * @returns {Promise<OpenPart[]>}
 */
async function partsBeside(part, path) {
  const folder = dirname(path);
  const names = (await readdir(folder)).filter((other) => rawPart(other)?.set === part.set);
  return Promise.all(
    names.sort().map(async (name) => {
      addInput(join(folder, name));
      const source = await fileSource(join(folder, name));
      return { name, source, close: () => source.close() };
    }),
  );
}

/**
 * @param {RawPart} part
 * @param {string} url
 * @param {Arguments} args
 * @returns {Promise<OpenPart[]>}
 */
async function partsOfServer(part, url, args) {
  const options = requestOptions(url, args);
  const parts = await remoteParts(part, url, options);
  for (const one of parts) addRemoteInput(one.url, options);
  return parts;
}
