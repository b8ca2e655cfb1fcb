import { open } from "node:fs/promises";

/** @import { FileSource } from "./file-source.js" */

/** What is read at once: Node.js refuses 2^31 bytes and more, and a read that has begun cannot be aborted. */
const PIECE = 16 << 20;

/** @type {typeof import("./file-source.js").fileSource} */
export async function fileSource(path) {
  const handle = await open(path);
  try {
    const stats = await handle.stat();
    return new OpenFile(handle, stats.isFile() ? stats.size : undefined);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @implements {FileSource} */
class OpenFile {
  #handle;
  /** @type {Promise<void> | undefined} */
  #closed;

  /**
   * @param {import("node:fs/promises").FileHandle} handle
   * @param {number | undefined} size
   */
  constructor(handle, size) {
    this.#handle = handle;
    this.size = size;
  }

  /** @type {FileSource["read"]} */
  async read(start, end, { signal } = {}) {
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
    signal?.throwIfAborted();
    return filled === bytes.length ? bytes : bytes.slice(0, filled);
  }

  close() {
    return (this.#closed ??= this.#handle.close());
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }
}
