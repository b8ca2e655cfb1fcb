import type { EditPlan, WriteProgress } from "gguf-wasm";
import { type SaveKind, savedName } from "./save-ways.ts";

/** The file that is edited, as far as saving needs to know it. */
export interface Original {
  name: string;
  /** The file itself, where it is one of this device. */
  blob: Blob | undefined;
  /** Where it can be written to. */
  handle: FileSystemFileHandle | undefined;
}

/** What came of a save. */
export interface Saved {
  kind: SaveKind;
  name: string;
  bytes: number;
  /** The file that was written, where the page knows which. */
  handle?: FileSystemFileHandle;
}

export interface SaveOptions {
  signal: AbortSignal;
  onProgress: (progress: WriteProgress) => void;
}

const TYPES = [{ description: "GGUF model", accept: { "application/octet-stream": [".gguf"] } }];

const REFUSALS = new Set(["SecurityError", "NotAllowedError"]);

/** Files that wait in the page's own storage until the browser has downloaded them. */
const COLLECTED = /^edited-.*\.gguf$/;
const DAY = 24 * 60 * 60 * 1000;

/** Whether the page has a file system of its own. */
export function hasStorage(): boolean {
  return (
    typeof FileSystemFileHandle === "function" &&
    "storage" in navigator &&
    "getDirectory" in navigator.storage &&
    "createWritable" in FileSystemFileHandle.prototype
  );
}

/** Saves in one of the ways; undefined where nobody said where to. */
export async function save(
  kind: SaveKind,
  plan: EditPlan,
  original: Original,
  options: SaveOptions,
): Promise<Saved | undefined> {
  const name = savedName(original.name, kind);
  switch (kind) {
    case "in-place": {
      const { handle } = original;
      if (!handle) throw new Error("there is no file to write to");
      await allowWriting(handle);
      await plan.applyTo(handle, options);
      return { kind, name: handle.name, bytes: plan.size, handle };
    }
    case "as":
      return saveAs(plan, original, name, options);
    case "download": {
      if (!original.blob) throw new Error("there is no file to take the tensors’ data from");
      offer(plan.toBlob(original.blob), name);
      return { kind, name, bytes: plan.size };
    }
    case "collect":
      offer(await collect(plan, options), name);
      return { kind, name, bytes: plan.size };
    case "header": {
      const header = plan.headerBytes();
      offer(new Blob([header]), name);
      return { kind, name, bytes: header.length };
    }
  }
}

async function allowWriting(handle: FileSystemFileHandle): Promise<void> {
  const state = (await refusable(handle.requestPermission?.({ mode: "readwrite" }))) ?? "granted";
  if (state !== "granted") throw notAllowed();
}

/** What the browser asks for, or why it does not even ask. */
async function refusable<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    // In a frame of another origin, or long after the last click.
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
    handle = await refusable(window.showSaveFilePicker?.({ suggestedName: name, types: TYPES }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw error;
  }
  if (!handle) return undefined;
  const same = (await original.handle?.isSameEntry(handle)) ?? false;
  // The picker has made the file; where nothing comes into it, it should not be left behind.
  const fresh = !same && (await handle.getFile()).size === 0;
  try {
    await plan.applyTo(handle, options);
  } catch (error) {
    if (fresh) await handle.remove?.().catch(() => undefined);
    throw error;
  }
  return { kind: same ? "in-place" : "as", name: handle.name, bytes: plan.size, handle };
}

/** The new file whole: in the page's own storage where there is one, otherwise in memory. */
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

/** Removes what was collected long enough ago to be downloaded by now. */
export async function clearCollected(): Promise<void> {
  if (!hasStorage()) return;
  const folder = await navigator.storage.getDirectory();
  for await (const [name, handle] of folder.entries()) {
    if (!COLLECTED.test(name) || handle.kind !== "file") continue;
    const { lastModified } = await (handle as FileSystemFileHandle).getFile();
    if (Date.now() - lastModified > DAY) await folder.removeEntry(name);
  }
}

/** Gives a file to the browser's downloads. */
function offer(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // A browser that asks where to save reads the file only when that has been answered.
  setTimeout(() => URL.revokeObjectURL(url), 10 * 60 * 1000);
}
