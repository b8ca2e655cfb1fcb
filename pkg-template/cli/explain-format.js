// Says which file of a model folder is no safetensors file, and what it is.

import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { formatText, HEAD_SIZE, recogniseFormat } from "../common/other-formats.js";
import { explain } from "./errors.js";

/** The files of a folder that have tensors. */
const TENSORS = /\.safetensors$/i;

/**
 * Adds to the error of a model folder which of its `.safetensors` files is not in the safetensors format, and what it is. A repository that
 * was cloned without Git LFS contains pointer files instead.
 *
 * @param {unknown} error
 * @param {string} folder
 */
export async function explainTensorFiles(error, folder) {
  if (!(error instanceof Error)) return;
  for (const name of await readdir(folder).catch(() => [])) {
    const start = TENSORS.test(name) ? await firstBytes(join(folder, name)).catch(() => undefined) : undefined;
    const format = start && recogniseFormat(start);
    if (format === undefined || format === "safetensors") continue;
    const { what, next, onCommandLine = next.join(" ") } = formatText(format);
    return explain(error, `. This is about ${name}. ${what} ${onCommandLine}`);
  }
}

/** The first bytes of a file. `undefined` for a pipe, because reading it would wait for a writer. @param {string} path */
async function firstBytes(path) {
  if (!(await stat(path)).isFile()) return undefined;
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(HEAD_SIZE), 0, HEAD_SIZE, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
