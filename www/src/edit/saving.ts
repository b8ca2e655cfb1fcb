import type { EditPlan } from "gguf-wasm/full";
import { startDownload } from "../saving/download.ts";
import { writeFile } from "../saving/new-file.ts";
import { allowWriting, pickSaveFile } from "../saving/pickers.ts";
import { collect } from "../saving/private-storage.ts";
import type { WriteOptions } from "../saving/write-options.ts";
import { downloadedFile, type WrittenFile } from "../saving/written-files.ts";
import { type SaveKind, savedName } from "./save-ways.ts";

/** The original of the edited file. */
export interface Original {
  name: string;
  /** The file, if it is on this device. */
  blob: Blob | undefined;
  /** The handle that writes to the file, if the browser gave one. */
  handle: FileSystemFileHandle | undefined;
  /** The number of shards of the model, if the file is its first shard. */
  shardCount: number | undefined;
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
  /** The bytes of a download of a whole model. */
  download?: WrittenFile;
}

/** Saves the file in one of the ways. Resolves to undefined if the person cancels the file picker. */
export async function save(
  kind: SaveKind,
  plan: EditPlan,
  original: Original,
  options: WriteOptions,
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
      return download(kind, plan.toBlob(original.blob), name);
    }
    case "collect":
      return download(kind, await collect(plan, options), name);
    case "header": {
      const header = plan.headerBytes();
      startDownload(new Blob([header]), name);
      return { kind, name, bytes: header.length };
    }
  }
}

function download(kind: SaveKind, blob: Blob, name: string): Saved {
  startDownload(blob, name);
  return { kind, name, bytes: blob.size, download: downloadedFile(blob, name) };
}

async function saveAs(
  plan: EditPlan,
  original: Original,
  name: string,
  options: WriteOptions,
): Promise<Saved | undefined> {
  const handle = await pickSaveFile(name);
  if (!handle) return undefined;
  const same = (await original.handle?.isSameEntry(handle)) ?? false;
  await (same ? plan.applyTo(handle, options) : writeFile(plan, handle, options));
  return { kind: same ? "in-place" : "as", name: handle.name, bytes: plan.size, handle };
}
