/** Files that wait for their download in the private storage of the page (the origin private file system). */

import type { EditPlan } from "gguf-wasm/full";
import { formatBytes } from "../ui/numbers.ts";
import { type StreamedFile, streamInto } from "./streamed-file.ts";
import type { WriteOptions } from "./write-options.ts";

/** The most bytes of a file that is prepared in memory, if the page has no private storage. */
export const MAX_SIZE_IN_MEMORY = 256 * 2 ** 20;

/** The names of files in the private storage that the browser downloads from there. */
const PREPARED_NAME = /^edited-.*\.(?:gguf|npy)$/;
const DAY = 24 * 60 * 60 * 1000;

/** Whether the page has private storage for files. */
export function hasStorage(): boolean {
  return (
    typeof FileSystemFileHandle === "function" &&
    "storage" in navigator &&
    "getDirectory" in navigator.storage &&
    "createWritable" in FileSystemFileHandle.prototype
  );
}

/** The complete new file: in the private storage if there is one, otherwise in memory. */
export async function collect(plan: EditPlan, options: WriteOptions): Promise<Blob> {
  if (!hasStorage()) return new Response(plan.stream(options)).blob();
  return store(".gguf", (handle) => plan.applyTo(handle, options));
}

/** The bytes that the private storage can take. Undefined if the browser does not tell it. */
async function freeStorage(): Promise<number | undefined> {
  const { quota, usage = 0 } = (await navigator.storage.estimate?.()) ?? {};
  return quota === undefined ? undefined : Math.max(0, quota - usage);
}

/**
 * Checks whether files fit into the private storage, before the work begins.
 * @throws an error with the code `write-failed`
 */
export async function checkSpace(size: number): Promise<void> {
  const free = hasStorage() ? await freeStorage() : undefined;
  if (free === undefined || size <= free) return;
  throw writeFailure(
    `the new file needs ${formatBytes(size)}, and the browser gives this page ${formatBytes(free)} of storage`,
  );
}

export function writeFailure(message: string): Error {
  return Object.assign(new Error(message), { name: "GgufError", code: "write-failed" });
}

/** The complete file of a stream: in the private storage if there is one, otherwise in memory. */
export async function collectStream(
  file: StreamedFile,
  ending: ".npy" | ".gguf",
  options: WriteOptions,
): Promise<Blob> {
  if (!hasStorage()) return new Response(file.stream(options)).blob();
  return store(ending, (handle) => streamInto(file, handle, options));
}

/** Writes a file in the private storage. */
async function store(ending: string, write: (handle: FileSystemFileHandle) => Promise<void>): Promise<Blob> {
  const folder = await navigator.storage.getDirectory();
  const name = `edited-${crypto.randomUUID()}${ending}`;
  const handle = await folder.getFileHandle(name, { create: true });
  try {
    await write(handle);
  } catch (error) {
    await folder.removeEntry(name).catch(() => undefined);
    throw error;
  }
  return handle.getFile();
}

/** Removes old files from the private storage. A download of a file that is a day old has ended. */
export async function clearCollected(): Promise<void> {
  if (!hasStorage()) return;
  const folder = await navigator.storage.getDirectory();
  for await (const [name, handle] of folder.entries()) {
    if (!PREPARED_NAME.test(name) || handle.kind !== "file") continue;
    const { lastModified } = await (handle as FileSystemFileHandle).getFile();
    if (Date.now() - lastModified > DAY) await folder.removeEntry(name);
  }
}
