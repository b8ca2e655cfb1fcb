import { open } from "node:fs/promises";
import { GgufError } from "./gguf-error.js";

/** @import { FileSource } from "./file-source.js" */

/** The most bytes of one read call. Node.js refuses 2^31 bytes and more, and a running read call cannot be aborted. */
const MAX_READ = 16 << 20;

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
   * @param {import("node:fs").BigIntStats | undefined} opened The stats at the time of opening. Undefined if the file is not a
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
    const difference =
      now.size === size ? "its modification time is different" : `it has ${now.size} bytes instead of ${size}`;
    throw new GgufError("changed", `the file has changed since it was opened: ${difference}. Open it again.`);
  }

  close() {
    return (this.#closed ??= Promise.allSettled(this.#reads).then(() => this.#handle.close()));
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }
}
