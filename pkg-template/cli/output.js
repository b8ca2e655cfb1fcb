// What a command prints, and the line of its progress.

import { Progress } from "./progress.js";
import { printableLines } from "./text.js";

/** @type {Progress | undefined} */
let current;

/**
 * Begins to show a progress. Only one is shown at a time.
 *
 * @param {string} title
 */
export function currentProgress(title) {
  current?.clear();
  current = new Progress(title);
  return current;
}

export function clearProgress() {
  current?.clear();
}

/** @param {string} text */
export function print(text) {
  clearProgress();
  process.stdout.write(text);
}

/**
 * Prints text that a file contains. A program gets it as it is. A terminal must not obey the control characters of a file, so
 * they become escapes there.
 *
 * @param {string} text
 */
export function printRaw(text) {
  print(process.stdout.isTTY ? printableLines(text) : text);
}

/** @param {string} text A note or a warning. It is no part of the result. */
export function note(text) {
  clearProgress();
  process.stderr.write(text);
}
