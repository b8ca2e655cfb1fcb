// Runs programs of tests/python. One Python process answers all requests of a test file.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PYTHON = process.env.GGUF_PYTHON;

/** The reason why the tests with Python are skipped, or false. With CI=true it must exist. */
export const missing = PYTHON
  ? false
  : "NOT COVERED: the comparison with the PyPI package gguf: `cargo xtask test package` sets GGUF_PYTHON";
if (missing && process.env.CI === "true") throw new Error(missing);

/**
 * Starts a program that answers each line of its input with a line of JSON. `close` ends it.
 *
 * @param {string} name The name of the program in tests/python.
 */
export function startPython(name) {
  const program = fileURLToPath(new URL(`../python/${name}`, import.meta.url));
  const python = spawn(PYTHON ?? "", [program], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return {
    /**
     * The answer to a line. Rejects with the error of the program if it has no answer.
     *
     * @param {string} line
     * @returns {Promise<any>}
     */
    ask(line) {
      const answer = last.then(async () => {
        python.stdin.write(`${line}\n`);
        const { value, done } = await lines.next();
        if (done) throw new Error(`${program} has ended`);
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
