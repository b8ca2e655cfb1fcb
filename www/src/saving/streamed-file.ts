/** New files whose bytes are computed while they are written. */

import type { WriteOptions } from "./write-options.ts";

export interface StreamedFile {
  /** The size of the file in bytes. */
  readonly size: number;
  stream(options: WriteOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Writes a whole file. The picker creates an empty file, which is removed if the writing fails. A file with content keeps it then. */
export async function streamInto(
  file: StreamedFile,
  handle: FileSystemFileHandle,
  options: WriteOptions,
): Promise<void> {
  const isNew = (await handle.getFile()).size === 0;
  try {
    await file.stream(options).pipeTo(await handle.createWritable(), { signal: options.signal });
  } catch (error) {
    if (isNew) await handle.remove?.().catch(() => undefined);
    throw error;
  }
}
