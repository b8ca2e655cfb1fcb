// What happens on Ctrl-C and SIGTERM: files that are not complete and locks are removed, and the process ends.

import { rmSync } from "node:fs";
import { HUNG_UP, INTERRUPTED, TERMINATED } from "./exit-codes.js";

/** The paths of files that do not outlive the process: files that are not complete, and locks. @type {Set<string>} */
export const temporaryFiles = new Set();

/** Removes all files that do not outlive the process. */
export function removeTemporaryFiles() {
  for (const path of temporaryFiles) rmSync(path, { force: true });
  temporaryFiles.clear();
}

/**
 * Handles the signals from now on. A synchronous step, such as renaming several files, cannot be interrupted.
 *
 * @param {() => void} clear Clears the line of the progress.
 */
export function handleSignals(clear) {
  const end = (/** @type {number} */ code) => {
    clear();
    removeTemporaryFiles();
    process.exit(code);
  };
  process.on("SIGINT", () => end(INTERRUPTED));
  process.on("SIGHUP", () => end(HUNG_UP));
  process.on("SIGTERM", () => end(TERMINATED));
}
