import type { EditPlan, WriteProgress } from "gguf-wasm";
import { type SaveKind, savedName } from "./save-ways.ts";

/** The original of the edited file. */
export interface Original {
  name: string;
  /** The file, if it is on this device. */
  blob: Blob | undefined;
  /** The handle that writes to the file, if the browser gave one. */
  handle: FileSystemFileHandle | undefined;
  /** The name that the person chose for a new file. Absent: a name like that of the original. */
  newName?: string;
}

/** The result of a save. */
export interface Saved {
  kind: SaveKind;
  name: string;
  bytes: number;
  /** The handle of the written file. Absent for downloads. */
  handle?: FileSystemFileHandle;
}

export interface SaveOptions {
  signal: AbortSignal;
  onProgress: (progress: WriteProgress) => void;
}

const TYPES = [{ description: "GGUF model", accept: { "application/octet-stream": [".gguf"] } }];

const REFUSALS = new Set(["SecurityError", "NotAllowedError"]);

/** The names of files in the private storage that the browser downloads from there. */
const PREPARED_NAME = /^edited-.*\.gguf$/;
const DAY = 24 * 60 * 60 * 1000;

/** Whether the page has private storage for files (the origin private file system). */
export function hasStorage(): boolean {
  return (
    typeof FileSystemFileHandle === "function" &&
    "storage" in navigator &&
    "getDirectory" in navigator.storage &&
    "createWritable" in FileSystemFileHandle.prototype
  );
}

/** Saves the file in one of the ways. Resolves to undefined if the person cancels the file picker. */
export async function save(
  kind: SaveKind,
  plan: EditPlan,
  original: Original,
  options: SaveOptions,
): Promise<Saved | undefined> {
  const name = savedName(original.name, kind, original.newName);
  switch (kind) {
    case "in-place": {
      const { handle } = original;
      if (!handle) throw new Error("the page has no handle of the original file, which saving in place needs");
      await allowWriting(handle);
      await plan.applyTo(handle, options);
      return { kind, name: handle.name, bytes: plan.size, handle };
    }
    case "as":
      return saveAs(plan, original, name, options);
    case "download": {
      if (!original.blob) throw new Error("the original is not a local file, which this kind of download needs");
      startDownload(plan.toBlob(original.blob), name);
      return { kind, name, bytes: plan.size };
    }
    case "collect":
      startDownload(await collect(plan, options), name);
      return { kind, name, bytes: plan.size };
    case "header": {
      const header = plan.headerBytes();
      startDownload(new Blob([header]), name);
      return { kind, name, bytes: header.length };
    }
  }
}

async function allowWriting(handle: FileSystemFileHandle): Promise<void> {
  const state = (await orNotAllowed(handle.requestPermission?.({ mode: "readwrite" }))) ?? "granted";
  if (state !== "granted") throw notAllowed();
}

/** The result of a question of the browser. If the browser refuses to ask, throws an error with the code `not-allowed`. */
async function orNotAllowed<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    // Browsers refuse to ask in a frame of another origin, or too long after the last click.
    throw error instanceof DOMException && REFUSALS.has(error.name) ? notAllowed() : error;
  }
}

function notAllowed(): Error {
  return Object.assign(new Error("the page was not allowed to write to this file"), {
    name: "GgufError",
    code: "not-allowed",
  });
}

async function saveAs(
  plan: EditPlan,
  original: Original,
  name: string,
  options: SaveOptions,
): Promise<Saved | undefined> {
  let handle: FileSystemFileHandle | undefined;
  try {
    handle = await orNotAllowed(window.showSaveFilePicker?.({ suggestedName: name, types: TYPES }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw error;
  }
  if (!handle) return undefined;
  const same = (await original.handle?.isSameEntry(handle)) ?? false;
  // The picker creates an empty file. It is removed if the save fails.
  const isNew = !same && (await handle.getFile()).size === 0;
  try {
    await plan.applyTo(handle, options);
  } catch (error) {
    if (isNew) await handle.remove?.().catch(() => undefined);
    throw error;
  }
  return { kind: same ? "in-place" : "as", name: handle.name, bytes: plan.size, handle };
}

/** The complete new file: in the private storage if there is one, otherwise in memory. */
async function collect(plan: EditPlan, options: SaveOptions): Promise<Blob> {
  if (!hasStorage()) return new Response(plan.stream(options)).blob();
  const folder = await navigator.storage.getDirectory();
  const name = `edited-${crypto.randomUUID()}.gguf`;
  const handle = await folder.getFileHandle(name, { create: true });
  try {
    await plan.applyTo(handle, options);
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

/** Starts the download of a file. */
function startDownload(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // If the browser asks where to save, it reads the file only after the answer.
  setTimeout(() => URL.revokeObjectURL(url), 10 * 60 * 1000);
}
