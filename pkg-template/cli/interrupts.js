// What happens on Ctrl-C and SIGTERM: files that are not complete and locks are removed, and the process ends.
//
// JavaScript handles a signal only between two tasks. So no handler is installed until there is something to remove. Until then the system
// ends the process at once, even if it computes, or waits for a pipe that nobody writes to.

import { rmSync } from "node:fs";
import { HUNG_UP, INTERRUPTED, TERMINATED } from "./exit-codes.js";

/** The signals that end the process, and its exit codes. @type {readonly [NodeJS.Signals, number][]} */
const SIGNALS = [
  ["SIGINT", INTERRUPTED],
  ["SIGHUP", HUNG_UP],
  ["SIGTERM", TERMINATED],
];

/** Paths of files that do not outlive the process. From the first one on, signals are handled. */
class TemporaryFiles {
  /** @type {Set<string>} */
  #paths = new Set();
  #isHandling = false;
  /** Clears the line of the progress. @type {() => void} */
  clear = () => {};

  /** Call it before the file is created: an interruption in between would leave the file. @param {string} path */
  add(path) {
    this.#paths.add(path);
    if (this.#isHandling) return;
    this.#isHandling = true;
    for (const [signal, code] of SIGNALS) process.on(signal, () => this.#end(code));
  }

  /** @param {string} path */
  delete(path) {
    this.#paths.delete(path);
  }

  /** Removes the files. */
  remove() {
    for (const path of this.#paths) rmSync(path, { force: true });
    this.#paths.clear();
  }

  /** @param {number} code */
  #end(code) {
    this.clear();
    this.remove();
    process.exit(code);
  }
}

/** Files that do not outlive the process: files that are not complete, and locks. */
export const temporaryFiles = new TemporaryFiles();
