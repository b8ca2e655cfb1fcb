/// <reference lib="esnext.disposable" />
import type { CustomSource } from "./gguf_wasm.js";

/** An open file as a source. The caller closes it; a `Gguf` that was opened from it does not. */
export interface FileSource extends CustomSource, AsyncDisposable {
  /** The size in bytes at the time of opening. `undefined` if the file is not a regular file, for example a block device. */
  readonly size: number | undefined;
  /**
   * Resolves to the bytes `start..end`, or to fewer bytes if the file ends before `end`. Rejects with a `GgufError` of code
   * `changed` if the size or the modification time of a regular file has changed since it was opened, because parts of two
   * versions do not fit together. Open the file again to read the new version.
   */
  read(start: number, end: number, options?: { signal?: AbortSignal | undefined }): Promise<Uint8Array<ArrayBuffer>>;
  /** Closes the file after all pending reads have ended. Closing it again does nothing. */
  close(): Promise<void>;
}

/**
 * Opens a file of any size for reading in parts, and keeps it open until `close()`. `Gguf.open(path)` needs no `close()`: it opens
 * the file only while it is read.
 *
 * ```js
 * import { fileSource, Gguf } from "gguf-wasm/node";
 *
 * const source = await fileSource("model.gguf");
 * const gguf = await Gguf.open(source);
 * const bytes = await gguf.readBytes("output.weight");
 * await source.close();
 * ```
 *
 * `Gguf.open` reads the header and at most 256 KiB more. After a change of the file, reads reject with the code `changed`.
 *
 * @param path A path, or a `file:` URL.
 * @returns The file, opened for reading. It stays the same file if another file is moved to its path.
 * @throws The error of `open` of `node:fs/promises`, for example with the code `ENOENT`.
 */
export function fileSource(path: string | URL): Promise<FileSource>;
