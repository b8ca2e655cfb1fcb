/** Files that the page has just written or downloaded, and the requests to open them and to compare with them. */

/** A new file. The page can read it: a download is a `File` of the same bytes. */
export interface WrittenFile {
  readonly file: File;
  /** Absent for downloads. */
  readonly handle?: FileSystemFileHandle;
}

/** The result of writing new files. */
export interface Written {
  /** A sentence about what was written. */
  readonly text: string;
  /** The new files: one, or all shards of a model. */
  readonly files: readonly WrittenFile[];
}

/** A file with the bytes of a download. */
export function downloadedFile(blob: Blob, name: string): WrittenFile {
  return { file: new File([blob], name) };
}

/** The file that was written with a handle. */
export async function writtenFile(handle: FileSystemFileHandle): Promise<WrittenFile> {
  return { file: await handle.getFile(), handle };
}

/** Asks the viewer to open new files, with the event `gguf-open-written`. */
export function openWritten(from: HTMLElement, files: readonly WrittenFile[]): void {
  from.dispatchEvent(new CustomEvent("gguf-open-written", { detail: files, bubbles: true, composed: true }));
}

/** Asks the viewer to compare the open file with new files, with the event `gguf-compare-with`. */
export function compareWritten(from: HTMLElement, files: readonly WrittenFile[]): void {
  const detail = { kind: "files", files: files.map(({ file }) => file) };
  from.dispatchEvent(new CustomEvent("gguf-compare-with", { detail, bubbles: true, composed: true }));
}
