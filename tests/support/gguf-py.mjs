// Reads files with the PyPI package gguf. One Python process, which runs tests/python/dump.py, reads all files.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * @typedef {import("./gguf-model.mjs").FileContent} FileContent
 */

const PYTHON = process.env.GGUF_PYTHON;
const DUMP = fileURLToPath(new URL("../python/dump.py", import.meta.url));

/** The reason why the tests with this reader are skipped, or false. With CI=true the reader must exist. */
export const missing = PYTHON
  ? false
  : "NOT COVERED: the comparison with the PyPI package gguf: `cargo xtask test package` sets GGUF_PYTHON";
if (missing && process.env.CI === "true") throw new Error(missing);

/** Starts the Python process. `close` ends it. */
export function startGgufPy() {
  const python = spawn(PYTHON ?? "", [DUMP], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return {
    /**
     * The content of a file. Rejects with the error of the package if it cannot read the file.
     *
     * @param {string} path
     * @returns {Promise<FileContent>}
     */
    read(path) {
      const answer = last.then(async () => {
        python.stdin.write(`${path}\n`);
        const { value, done } = await lines.next();
        if (done) throw new Error(`${DUMP} has ended`);
        const { error, ...content } = JSON.parse(value);
        if (error) throw new Error(error);
        return content;
      });
      last = answer.catch(() => {});
      return answer;
    },
    close: () => python.stdin.end(),
  };
}
