/// <reference lib="esnext.disposable" />
import type { CustomSource } from "./gguf_wasm.js";

/** An open file as a source. It stays open until it is closed: a `Gguf` over it does not close it. */
export interface FileSource extends CustomSource, AsyncDisposable {
  /** The size in bytes when the file was opened; `undefined` for what is no regular file, such as a block device. */
  readonly size: number | undefined;
  /**
   * Resolves to the bytes `start..end`; to fewer only where the file ends. Rejects with a `GgufError` of code `changed`
   * when a regular file has another size or time of modification than it had when it was opened: parts of two files are
   * none. To read what it is now, open it anew.
   */
  read(start: number, end: number, options?: { signal?: AbortSignal }): Promise<Uint8Array<ArrayBuffer>>;
  /** Closes the file when the reads that were begun are done. Closing it again does nothing. */
  close(): Promise<void>;
}

/**
 * Opens a file to be read in parts, whatever its size. (`fs.openAsBlob` reports sizes modulo 2^32.)
 *
 * ```js
 * import { fileSource, Gguf } from "gguf-wasm/node";
 *
 * await using source = await fileSource("model.gguf");
 * const gguf = await Gguf.open(source);
 * const bytes = await gguf.readBytes("output.weight");
 * ```
 *
 * Opening a `Gguf` over it reads the header and at most 256 KiB more. Once the file has been written to, reading it
 * rejects with the code `changed`.
 *
 * @param path A path, or a `file:` URL.
 * @returns The file, opened for reading only: it stays the same file when another takes its path.
 * @throws What `open` of `node:fs/promises` throws, for example an error with the code `ENOENT`.
 */
export function fileSource(path: string | URL): Promise<FileSource>;
