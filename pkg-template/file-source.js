import { open } from "node:fs/promises";

/** @import { FileSource } from "./file-source.js" */

/** What is read at once: Node.js refuses 2^31 bytes and more, and a read that has begun cannot be aborted. */
const PIECE = 16 << 20;

/** @type {typeof import("./file-source.js").fileSource} */
export async function fileSource(path) {
  const handle = await open(path);
  try {
    const stats = await handle.stat({ bigint: true });
    return new OpenFile(handle, stats.isFile() ? stats : undefined);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @implements {FileSource} */
class OpenFile {
  #handle;
  #opened;
  /** @type {Set<Promise<unknown>>} */
  #reads = new Set();
  /** @type {Promise<void> | undefined} */
  #closed;

  /**
   * @param {import("node:fs/promises").FileHandle} handle
   * @param {import("node:fs").BigIntStats | undefined} opened What the file was when it was opened, if it is a regular one.
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
    // Not a Buffer: a small one is a view of memory that others use too.
    const bytes = new Uint8Array(Math.max(0, end - start));
    let filled = 0;
    while (filled < bytes.length) {
      signal?.throwIfAborted();
      const length = Math.min(bytes.length - filled, PIECE);
      const { bytesRead } = await this.#handle.read(bytes, filled, length, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    // After reading: what was read before a change is what was there.
    await this.#check();
    signal?.throwIfAborted();
    return filled === bytes.length ? bytes : bytes.slice(0, filled);
  }

  /** Rejects if the file has been written to since it was opened. */
  async #check() {
    if (!this.#opened) return;
    const { size, mtimeNs } = this.#opened;
    const now = await this.#handle.stat({ bigint: true });
    if (now.size === size && now.mtimeNs === mtimeNs) return;
    const what = now.size === size ? "its time of modification is another" : `${now.size} bytes instead of ${size}`;
    const error = new Error(`the file has changed since it was opened: ${what}`);
    throw Object.assign(error, { name: "GgufError", code: "changed" });
  }

  close() {
    return (this.#closed ??= Promise.allSettled(this.#reads).then(() => this.#handle.close()));
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }
}
