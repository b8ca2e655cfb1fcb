/** Writes several new files: into a folder, or as one download after the other. */

import type { EditPlan } from "gguf-wasm/full";
import type { TaskProgress } from "../ui/long-task.ts";
import { startDownload } from "./download.ts";
import { writeFile } from "./new-file.ts";
import { collect } from "./private-storage.ts";
import { downloadedFile, type WrittenFile, writtenFile } from "./written-files.ts";

/** A file to write. */
export interface NewFile {
  readonly name: string;
  readonly plan: EditPlan;
}

export interface WriteFilesOptions {
  signal: AbortSignal;
  report: (progress: TaskProgress) => void;
  /** Is called after each file with the number of complete files. */
  onFile: (complete: number) => void;
}

/** Milliseconds between two downloads. Browsers drop downloads that start within a moment. */
const PAUSE = 500;

/** The names that files in the folder have already. */
export async function existingNames(folder: FileSystemDirectoryHandle, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    try {
      await folder.getFileHandle(name);
      found.push(name);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "NotFoundError")) throw error;
    }
  }
  return found;
}

/** Writes the files into a folder and returns them. Files with these names are replaced. An incomplete file is removed, complete ones stay. */
export async function writeIntoFolder(
  folder: FileSystemDirectoryHandle,
  files: readonly NewFile[],
  options: WriteFilesOptions,
): Promise<WrittenFile[]> {
  return eachFile(files, options, async ({ name, plan }, onProgress) => {
    const handle = await folder.getFileHandle(name, { create: true });
    await writeFile(plan, handle, { signal: options.signal, onProgress });
    return writtenFile(handle);
  });
}

/** Downloads the files and returns them. `original` is the file that they are parts of, if it is on this device. */
export async function downloadOneByOne(
  files: readonly NewFile[],
  original: Blob | undefined,
  options: WriteFilesOptions,
): Promise<WrittenFile[]> {
  const { signal } = options;
  return eachFile(files, options, async ({ name, plan }, onProgress, at) => {
    const blob = original ? plan.toBlob(original) : await collect(plan, { signal, onProgress });
    if (at > 0) await rest(signal);
    startDownload(blob, name);
    return downloadedFile(blob, name);
  });
}

async function eachFile(
  files: readonly NewFile[],
  { signal, report, onFile }: WriteFilesOptions,
  write: (file: NewFile, onProgress: (progress: { bytesWritten: number }) => void, at: number) => Promise<WrittenFile>,
): Promise<WrittenFile[]> {
  const written: WrittenFile[] = [];
  const total = files.reduce((sum, { plan }) => sum + plan.size, 0);
  let before = 0;
  for (const [at, file] of files.entries()) {
    signal.throwIfAborted();
    const about = `${file.name} (${at + 1} of ${files.length})`;
    report({ done: before, total, about });
    written.push(await write(file, ({ bytesWritten }) => report({ done: before + bytesWritten, total, about }), at));
    before += file.plan.size;
    onFile(at + 1);
  }
  return written;
}

/** Waits between two downloads. */
function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, PAUSE);
    signal.addEventListener("abort", stop, { once: true });
  });
}
