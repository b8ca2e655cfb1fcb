// Names of files beside another one, such as its part and its lock. They are never too long for the file system.

import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";

/** The bytes that a name may have everywhere. Most file systems allow 255; encrypted folders of Linux (eCryptfs) allow 143. */
const ALWAYS_ALLOWED = 143;

/** The digits of the hash in a name that is cut. */
const HASH_DIGITS = 12;

/**
 * The path of a file beside another one.
 *
 * @param {string} path
 * @param {string} ending What is added to the name: `.part`.
 */
export function pathBeside(path, ending) {
  return join(dirname(path), nameFor(path, Buffer.byteLength(ending)) + ending);
}

/**
 * The name of a file, or its beginning and a hash if more bytes would make it too long.
 *
 * @param {string} path
 * @param {number} added How many bytes are added.
 */
export function nameFor(path, added) {
  const name = basename(path);
  const length = Buffer.byteLength(name);
  const allowed = Math.max(length, ALWAYS_ALLOWED);
  if (length + added <= allowed) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_DIGITS);
  let kept = "";
  let room = allowed - added - HASH_DIGITS - 1;
  for (const character of name) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    kept += character;
  }
  return `${kept}~${hash}`;
}
