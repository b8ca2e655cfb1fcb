// Reads files with the PyPI package gguf. One Python process, which runs tests/python/dump.py, reads all files.

import { startPython } from "./python.mjs";

export { missing } from "./python.mjs";

/**
 * @typedef {import("./gguf-model.mjs").FileContent} FileContent
 */

/** Starts the Python process. `close` ends it. */
export function startGgufPy() {
  const { ask, close } = startPython("dump.py");
  return {
    /**
     * The content of a file. Rejects with the error of the package if it cannot read the file.
     *
     * @param {string} path
     * @returns {Promise<FileContent>}
     */
    read: ask,
    close,
  };
}
