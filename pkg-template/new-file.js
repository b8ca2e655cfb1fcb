// Writing a file that appears under its name when it is complete, or not at all: `writeTo` of plans.

import { lstat, realpath, stat } from "node:fs/promises";
import { UnfinishedFile } from "./unfinished-file.js";

/**
 * Writes a file beside its place, waits until it is on the disk, and moves it to its place. If anything fails, nothing has
 * changed.
 *
 * @param {string} path If it is a symbolic link, the file that it points to is replaced, and the link stays.
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {object} options
 * @param {boolean} options.overwrite Whether an existing file may be replaced.
 * @param {() => Promise<void>} options.check Is called before the file is moved. If it rejects, the file is not moved.
 */
export async function writeNewFile(path, chunks, { overwrite, check }) {
  const isThere = await lstat(path).catch(missing);
  const target = isThere ? await realpath(path) : path;
  const replaced = isThere && (await stat(target));
  if (replaced?.isDirectory()) throw systemError("EISDIR", `${path} is a folder. Add the name of the new file`);
  if (replaced && !overwrite) throw exists(path);
  if (replaced && !replaced.isFile()) {
    throw systemError("EINVAL", `${path} is not a regular file, so it cannot be replaced. Choose another path`);
  }
  const file = new UnfinishedFile(target, replaced);
  await file.write(chunks);
  try {
    await check();
    file.moveIntoPlace(overwrite);
  } catch (error) {
    file.discard();
    throw /** @type {NodeJS.ErrnoException} */ (error)?.code === "EEXIST" ? exists(path) : error;
  }
}

/** @param {unknown} error @returns {undefined} */
function missing(error) {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
}

/** @param {string} path */
function exists(path) {
  return systemError("EEXIST", `${path} exists already. Choose another path, or replace it with overwrite: true`);
}

/**
 * @param {string} code
 * @param {string} message
 */
function systemError(code, message) {
  return Object.assign(new Error(message), { code });
}
