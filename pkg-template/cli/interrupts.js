// What happens on Ctrl-C and SIGTERM: files that are not complete are removed, and the process ends.

import { rmSync } from "node:fs";
import { HUNG_UP, INTERRUPTED, TERMINATED } from "./exit-codes.js";

/** The paths of files that are not complete. @type {Set<string>} */
export const incompleteFiles = new Set();

/** Removes all files that are not complete. */
export function removeIncompleteFiles() {
  for (const path of incompleteFiles) rmSync(path, { force: true });
  incompleteFiles.clear();
}

/**
 * Handles the signals from now on. A synchronous step, such as renaming several files, cannot be interrupted.
 *
 * @param {() => void} clear Clears the line of the progress.
 */
export function handleSignals(clear) {
  const end = (/** @type {number} */ code) => {
    clear();
    removeIncompleteFiles();
    process.exit(code);
  };
  process.on("SIGINT", () => end(INTERRUPTED));
  process.on("SIGHUP", () => end(HUNG_UP));
  process.on("SIGTERM", () => end(TERMINATED));
}
