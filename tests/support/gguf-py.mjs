// What the PyPI package gguf reads in files: tests/python/dump.py, in one process for all of them.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * @typedef {import("./gguf-model.mjs").Reading} Reading
 */

const PYTHON = process.env.GGUF_PYTHON;
const DUMP = fileURLToPath(new URL("../python/dump.py", import.meta.url));

/** Why the tests with it are skipped; false where they are not. With CI=true it has to be there. */
export const missing = PYTHON
  ? false
  : "NOT COVERED: the comparison with the PyPI package gguf: `cargo xtask test package` sets GGUF_PYTHON";
if (missing && process.env.CI === "true") throw new Error(missing);

/** Starts the process, which ends with `close`. */
export function startGgufPy() {
  const python = spawn(PYTHON ?? "", [DUMP], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return {
    /**
     * What is in a file. Rejects with what the package says of one that it does not read.
     *
     * @param {string} path
     * @returns {Promise<Reading>}
     */
    read(path) {
      const answer = last.then(async () => {
        python.stdin.write(`${path}\n`);
        const { value, done } = await lines.next();
        if (done) throw new Error(`${DUMP} has ended`);
        const { error, ...reading } = JSON.parse(value);
        if (error) throw new Error(error);
        return reading;
      });
      last = answer.catch(() => {});
      return answer;
    },
    close: () => python.stdin.end(),
  };
}
