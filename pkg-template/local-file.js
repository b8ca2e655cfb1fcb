// Files of the file system that are read by ranges, as long as they do not change.

import { open, realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { setImmediate } from "node:timers";
import { GgufError } from "./gguf-error.js";

/** @import { BigIntStats } from "node:fs" */
/** @import { FileHandle } from "node:fs/promises" */
/** @import { FileSource } from "./file-source.js" */

/** The most bytes of one read call. Node.js refuses 2^31 bytes and more, and a running read call cannot be aborted. */
const MAX_READ = 16 << 20;

/**
 * A file that somebody else closes.
 *
 * @implements {FileSource}
 */
export class OpenFile {
  /** The memory of what is read may be transferred to a worker. */
  readsIntoNewMemory = true;
  #handle;
  #opened;
  /** @type {Set<Promise<unknown>>} */
  #reads = new Set();
  /** @type {Promise<void> | undefined} */
  #closed;

  /**
   * @param {FileHandle} handle
   * @param {BigIntStats | undefined} opened The stats at the time of opening. Undefined if the file is not a
   *   regular file.
   */
  constructor(handle, opened) {
    this.#handle = handle;
    this.#opened = opened;
    this.size = opened && Number(opened.size);
  }

  /** @type {FileSource["read"]} */
  read(start, end, { signal } = {}) {
    const read = this.#read(start, end, signal);
    const done = () => this.#reads.delete(read);
    this.#reads.add(read);
    read.then(done, done);
    return read;
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {AbortSignal | undefined} signal
   */
  async #read(start, end, signal) {
    // A small Buffer would be a view of memory that is shared with other Buffers.
    const bytes = new Uint8Array(Math.max(0, end - start));
    let filled = 0;
    while (filled < bytes.length) {
      signal?.throwIfAborted();
      const length = Math.min(bytes.length - filled, MAX_READ);
      const { bytesRead } = await this.#handle.read(bytes, filled, length, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    // Check after reading, so that a change during the read is detected.
    await this.check();
    signal?.throwIfAborted();
    return filled === bytes.length ? bytes : bytes.slice(0, filled);
  }

  /** Rejects if the file has been written to since it was opened. */
  async check() {
    if (this.#opened) checkUnchanged(this.#opened, await this.#handle.stat({ bigint: true }));
  }

  /** Whether this is the file that a path leads to. @param {FileIdentity} file */
  isSame(file) {
    return this.#opened !== undefined && isSameFile(this.#opened, file.stats);
  }

  close() {
    return (this.#closed ??= Promise.allSettled(this.#reads).then(() => this.#handle.close()));
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }
}

/**
 * A file at a path. It is open only while it is read, so that nobody has to close it, and programs can open any number of files.
 */
export class LocalFile {
  /** The memory of what is read may be transferred to a worker. */
  readsIntoNewMemory = true;
  #path;
  #opened;
  /** @type {Promise<OpenFile> | undefined} */
  #file;
  #reads = 0;

  /**
   * @param {string} path An absolute path.
   * @param {BigIntStats} opened The stats at the time of opening.
   */
  constructor(path, opened) {
    this.#path = path;
    this.#opened = opened;
    this.name = basename(path);
    this.size = opened.isFile() ? Number(opened.size) : undefined;
  }

  /** @type {FileSource["read"]} */
  async read(start, end, options) {
    this.#reads += 1;
    try {
      const file = await (this.#file ??= this.#open());
      return await file.read(start, end, options);
    } finally {
      this.#reads -= 1;
      // A program that reads one range after the other begins the next read before that.
      setImmediate(() => this.#closeUnlessRead());
    }
  }

  async #open() {
    const handle = await open(this.#path).catch((error) => this.#isMissing(error));
    try {
      checkUnchanged(this.#opened, await handle.stat({ bigint: true }));
      return new OpenFile(handle, this.size === undefined ? undefined : this.#opened);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  #closeUnlessRead() {
    if (this.#reads > 0) return;
    // A file that could not be opened need not be closed.
    void this.#file?.then((file) => file.close()).catch(() => {});
    this.#file = undefined;
  }

  /** Rejects if the path does not lead to the file that was opened, or if it has been written to. */
  async check() {
    checkUnchanged(this.#opened, await stat(this.#path, { bigint: true }).catch((error) => this.#isMissing(error)));
  }

  /** Whether this is the file that a path leads to. @param {FileIdentity} file */
  async isSame(file) {
    return isSameFile(this.#opened, file.stats) || (await realPathOf(this.#path)) === file.path;
  }

  /** @param {NodeJS.ErrnoException} error @returns {never} */
  #isMissing(error) {
    if (error.code !== "ENOENT") throw error;
    throw changed(`there is no file ${this.#path}`, error);
  }
}

/**
 * What tells whether two paths lead to one file: the path without links, and the stats.
 *
 * @typedef {{ path: string, stats: BigIntStats }} FileIdentity
 */

/**
 * The file that a path leads to: directly, by a link, or by another spelling of the name.
 *
 * @param {string} path
 * @returns {Promise<FileIdentity | undefined>} `undefined` if there is no regular file.
 */
export async function identityAt(path) {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats?.isFile() ? { path: await realpath(path), stats } : undefined;
}

/**
 * Whether two paths lead to one file. Names do not tell: file systems can ignore case, and a file can have several names.
 *
 * @param {BigIntStats} a
 * @param {BigIntStats} b
 */
export function isSameFile(a, b) {
  // Some file systems have no numbers of files. They are 0 then.
  return a.ino !== 0n && a.ino === b.ino && a.dev === b.dev;
}

/** @param {string} path */
const realPathOf = (path) => realpath(path).catch(() => undefined);

/**
 * @param {BigIntStats} opened
 * @param {BigIntStats} now
 */
function checkUnchanged(opened, now) {
  if (now.ino !== opened.ino || now.dev !== opened.dev) throw changed("another file is at its path");
  if (!opened.isFile()) return;
  if (now.size !== opened.size) throw changed(`it has ${now.size} bytes instead of ${opened.size}`);
  if (now.mtimeNs !== opened.mtimeNs) throw changed("its modification time is different");
}

/**
 * @param {string} difference
 * @param {unknown} [cause]
 */
function changed(difference, cause) {
  const message = `the file has changed since it was opened: ${difference}. Open it again.`;
  return new GgufError("changed", message, cause === undefined ? {} : { cause });
}
