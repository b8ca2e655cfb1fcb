// Folders that callers give.

import { GgufError } from "../gguf-error.js";
import { describe } from "./errors.js";

/**
 * A handle of a folder.
 *
 * @typedef {{ name: string, entries(): AsyncIterable<[string, { kind: string }]> }} Folder
 */

/** @typedef {[path: string, source: unknown]} FileOfFolder */

/**
 * The files of a folder: a list of files, a handle of a folder, or an object of sources.
 *
 * @param {any} given
 * @returns {Promise<[name: string | undefined, files: FileOfFolder[]]>}
 */
export async function filesOf(given) {
  if (given.kind === "directory") return [given.name, await filesOfHandle(given)];
  if (typeof given[Symbol.iterator] === "function") return filesOfList([...given]);
  const entries = given instanceof Blob || ArrayBuffer.isView(given) ? [] : Object.entries(given);
  if (entries.length > 0) return [undefined, entries];
  const expected =
    "expected a URL, a list of files, a folder handle, an object of sources by their paths, or a repository";
  throw new GgufError("invalid-source", `the model is ${describe(given)} without files, ${expected}`);
}

/** The files in a folder, and in its folders. @param {Folder} folder */
async function filesOfHandle(folder, start = "") {
  /** @type {FileOfFolder[]} */
  const files = [];
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind !== "directory") files.push([start + name, handle]);
    // No file of a model is deeper.
    else if (start === "") files.push(...(await filesOfHandle(/** @type {any} */ (handle), `${name}/`)));
  }
  return files;
}

/**
 * @param {any[]} list
 * @returns {[string | undefined, FileOfFolder[]]}
 */
function filesOfList(list) {
  /** @type {Map<string, unknown>} */
  const files = new Map();
  /** @type {Set<string>} */
  const folders = new Set();
  for (const [i, file] of list.entries()) {
    const path = Object(file).webkitRelativePath || Object(file).name;
    if (typeof path !== "string") {
      throw new GgufError(
        "invalid-source",
        `the file ${i} of the model is ${describe(file)}, expected a File with a name`,
      );
    }
    // A chosen folder is the first part of all paths.
    const [folder = "", ...inside] = path.split("/");
    if (inside.length > 0) folders.add(folder);
    const own = inside.length > 0 ? inside.join("/") : path;
    if (files.has(own)) {
      throw new GgufError("invalid-source", `the model has two files ${describe(own)}. Give the files of one folder`);
    }
    files.set(own, file);
  }
  return [folders.size === 1 ? [...folders][0] : undefined, [...files]];
}
