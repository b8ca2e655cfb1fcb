// A file that a command changes itself: in place, or by replacing it. Nobody's changes are lost.

import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  writeSync,
} from "node:fs";
import { Refusal, UsageError, aboutFile } from "./errors.js";
import { FileLock } from "./file-lock.js";
import { OutputFile } from "./output-file.js";
import { checkReadable } from "./source.js";

/** @import { BigIntStats } from "node:fs" */
/** @import { EditPlan } from "../full/node.js" */

/** The bytes that a system writes as one: a crash leaves the old or the new ones, but no mixture. */
const PAGE = 4096;

/** The permissions to write, in the mode of a file. */
const WRITABLE = 0o222;

/** A file, locked from before it is read until it is changed. */
export class ChangedFile {
  /** The path as the user gave it. */
  name;
  #path;
  #lock;
  #stats;

  /**
   * @param {string} name
   * @param {string} path The path of the file itself, if `name` is a symbolic link.
   * @param {FileLock} lock
   * @param {BigIntStats} stats The file before it is read.
   */
  constructor(name, path, lock, stats) {
    this.name = name;
    this.#path = path;
    this.#lock = lock;
    this.#stats = stats;
  }

  /**
   * Locks a file. It must not have been read yet.
   *
   * @param {string} name
   * @param {string} path
   * @throws {UsageError} If it is not a regular file.
   * @throws {Refusal} `locked` or `write-protected`.
   */
  static lock(name, path) {
    return aboutFile(name, async () => {
      if (!(await checkReadable(path)).isFile()) throw cannotBeChanged(name);
      const real = realpathSync(path);
      checkWritable(name, real);
      const lock = FileLock.acquire(name, real);
      try {
        return new ChangedFile(name, real, lock, statSync(real, { bigint: true }));
      } catch (error) {
        lock.release();
        throw error;
      }
    });
  }

  /** Removes the lock. */
  unlock() {
    this.#lock.release();
  }

  /**
   * Writes the changed bytes into the file. The package does it in one synchronous step, so that no signal can interrupt it, and
   * writes the old bytes back if it fails.
   *
   * @param {EditPlan} plan
   */
  async patch(plan) {
    const descriptor = openSync(this.#path, "r+");
    try {
      const target = new PatchedFile(descriptor);
      this.#checkUnchanged();
      await plan.applyTo(target);
    } finally {
      closeSync(descriptor);
    }
  }

  /** The file that replaces this one. */
  replacement() {
    return OutputFile.replacing(this.name, this.#path, () => this.#checkUnchanged());
  }

  /** @throws {Refusal} `changed`, if the file is not the one that was locked, or has been written to. */
  #checkUnchanged() {
    const now = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const { dev, ino, size, mtimeNs, ctimeNs } = this.#stats;
    const isSame =
      now?.dev === dev && now.ino === ino && now.size === size && now.mtimeNs === mtimeNs && now.ctimeNs === ctimeNs;
    if (!isSame) throw hasChanged(this.name);
  }
}

/**
 * Whether a plan can be carried out with one write that is not interrupted: then a crash leaves the old or the new file.
 *
 * @param {EditPlan} plan
 */
export function isOneWrite(plan) {
  const patches = plan.patches();
  if (patches === undefined) return false;
  return patches.length === 0 || isWithinPage(patches.map(({ offset, bytes }) => ({ at: offset, bytes })));
}

/** @param {string} name */
export function cannotBeChanged(name) {
  return new UsageError(`${name} cannot be changed itself. Write the changed file with --output PATH.`);
}

/** @param {string} name */
export function hasChanged(name) {
  return new Refusal(
    "changed",
    `${name}: another program has changed the file since it was read. Nothing was written. Run the command again.`,
  );
}

/**
 * @param {string} name
 * @param {string} path
 */
function checkWritable(name, path) {
  const isProtected = () => {
    // For root, the system allows to write every file.
    if ((statSync(path).mode & WRITABLE) === 0) return true;
    try {
      accessSync(path, constants.W_OK);
      return false;
    } catch {
      return true;
    }
  };
  if (!isProtected()) return;
  const advice = "Allow it with `chmod u+w`, or write another file with --output PATH.";
  throw new Refusal("write-protected", `${name}: the file is protected against writing. ${advice}`);
}

/** @typedef {{ at: number, bytes: Uint8Array }} Write */

/** @param {readonly Write[]} writes */
const spanOf = (writes) => ({
  start: Math.min(...writes.map(({ at }) => at)),
  end: Math.max(...writes.map(({ at, bytes }) => at + bytes.length)),
});

/** Whether bytes lie in one page of the file. @param {readonly Write[]} writes */
function isWithinPage(writes) {
  const { start, end } = spanOf(writes);
  return Math.floor(start / PAGE) === Math.floor((end - 1) / PAGE);
}

/**
 * An open file as a `FileSystemSyncAccessHandle`. It collects the bytes until they are flushed, and then writes them at once if
 * they lie in one page.
 */
class PatchedFile {
  #descriptor;
  /** @type {Write[]} */
  #writes = [];

  /** @param {number} descriptor */
  constructor(descriptor) {
    this.#descriptor = descriptor;
  }

  getSize() {
    return fstatSync(this.#descriptor).size;
  }

  /** @param {Uint8Array} buffer @param {{ at?: number }} [options] */
  read(buffer, { at = 0 } = {}) {
    return readWhole(this.#descriptor, buffer, at);
  }

  /** @param {Uint8Array} buffer @param {{ at?: number }} [options] */
  write(buffer, { at = 0 } = {}) {
    this.#writes.push({ at, bytes: buffer.slice() });
    return buffer.length;
  }

  flush() {
    const writes = this.#writes;
    this.#writes = [];
    if (writes.length === 0) return;
    for (const { at, bytes } of isWithinPage(writes) ? [this.#joined(writes)] : writes) {
      const written = writeSync(this.#descriptor, bytes, 0, bytes.length, at);
      if (written !== bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
    }
    fsyncSync(this.#descriptor);
  }

  /** The bytes from the first to the last write, as one. @param {readonly Write[]} writes @returns {Write} */
  #joined(writes) {
    const { start, end } = spanOf(writes);
    const joined = new Uint8Array(end - start);
    readWhole(this.#descriptor, joined, start);
    for (const { at, bytes } of writes) joined.set(bytes, at - start);
    return { at: start, bytes: joined };
  }
}

/**
 * @param {number} descriptor
 * @param {Uint8Array} buffer
 * @param {number} position
 */
function readWhole(descriptor, buffer, position) {
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(descriptor, buffer, filled, buffer.length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}
