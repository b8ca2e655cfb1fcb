// The names of files that are not complete.

import { basename } from "node:path";

/**
 * How the name of a file begins and ends while a process writes it. Between both it has a random part.
 *
 * @param {string} path The path of the file when it is complete.
 * @param {number} pid
 */
export function unfinishedName(path, pid) {
  // A long name must not become too long for the file system.
  return { start: `.${basename(path).slice(0, 60)}.${pid}-`, end: ".part" };
}
