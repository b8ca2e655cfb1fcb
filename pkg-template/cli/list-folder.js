// `gguf-wasm list` of a folder of this computer: its GGUF files, as their headers describe them.

import { statSync } from "node:fs";
import { basename } from "node:path";
import { errorDetails } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { filesOfFolder, modelsIn } from "./folder.js";
import { filesTable, summaryText } from "./list-text.js";
import { printResult } from "./result.js";
import { safe } from "./safe-text.js";
import { openModel } from "./source.js";

/** @import { FileKind } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { ErrorDetails } from "./errors.js" */
/** @import { ListedFile } from "./list-text.js" */

/** @param {Arguments} args */
export async function run(args) {
  const name = args.at(0);
  // An empty folder is an error, with advice.
  await filesOfFolder(name, "files");
  /** @type {Described[]} */
  const described = [];
  for (const model of modelsIn(name)) described.push(await describe(model, args));
  const files = described.map(({ file }) => file);
  await printResult(args, { file: name, files }, () => {
    const rows = described.map(({ file, title }) => ({ ...file, kind: title }));
    return safe`${name}: ${summaryText(files).join(", ")}\n\n${filesTable(rows)}`;
  });
  return DONE;
}

/** @typedef {Omit<ListedFile, "kind"> & { kind?: FileKind, container?: string, error?: ErrorDetails }} FolderFile */

/** @typedef {{ file: FolderFile, title: string }} Described A file for programs, and its kind for people. */

/**
 * What the header of a file says.
 *
 * @param {{ path: string, shards: readonly string[] }} model
 * @param {Arguments} args
 * @returns {Promise<Described>}
 */
async function describe({ path, shards }, args) {
  const size = shards.reduce((sum, shard) => sum + (statSync(shard, { throwIfNoEntry: false })?.size ?? 0), 0);
  const file = { name: basename(path), size };
  try {
    const { gguf, set, container, close } = await openModel(path, args);
    const { kind, classification, fileType, bitsPerWeight } = gguf;
    const count = set && { present: set.shards.filter(({ gguf }) => gguf).length, count: set.shards.length };
    await close();
    return {
      file: {
        ...file,
        kind,
        encoding: fileType.name,
        bitsPerWeight,
        ...(count && { shards: count }),
        ...(container && { container }),
      },
      title: container === undefined ? classification.title : `${classification.title}, in ${container}`,
    };
  } catch (error) {
    const { code, message } = errorDetails(error);
    return { file: { ...file, error: { code, message } }, title: `not readable: ${code}` };
  }
}
