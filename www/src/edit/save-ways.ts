/** The ways to save an edited file in this browser, and what each of them costs. */

import { MAX_SIZE_IN_MEMORY } from "../saving/private-storage.ts";
import { formatBytes } from "../ui/numbers.ts";

export type SaveKind = "in-place" | "as" | "download" | "collect" | "header";

export interface SaveWay {
  kind: SaveKind;
  /** The label of the button. */
  title: string;
  /** The description below the button. */
  text: string;
}

/** The facts that determine which ways are offered. */
export interface SaveCircumstances {
  /** Whether the page has a file handle that it can write to. */
  writable: boolean;
  /** Whether the original is a file on this device, not an address or another source. */
  local: boolean;
  /** Whether the browser has a file picker for saving. */
  picker: boolean;
  /** Whether the page has private storage for files (the origin private file system). */
  storage: boolean;
  /** Whether the new file differs from the original only in a few byte ranges. */
  inPlace: boolean;
  /** Whether the bytes of tensor data are swapped to another byte order. */
  swaps: boolean;
  /** The size of the new file in bytes. */
  size: number;
  /** The size of its header in bytes. */
  headerSize: number;
}

/** The ways to save, the best first. */
export function saveWays(given: SaveCircumstances): SaveWay[] {
  const ways: SaveWay[] = [];
  const size = formatBytes(given.size);
  if (given.writable)
    ways.push({
      kind: "in-place",
      title: "Save",
      text: `Replaces the original file. The browser writes a copy of ${size} first and replaces the original when the copy is complete, so ${size} must be free on the disk.`,
    });
  if (given.picker)
    ways.push({
      kind: "as",
      title: given.local ? "Save as…" : "Save an edited copy…",
      text: given.local
        ? `Writes a new file of ${size} to a location that you choose. The original file is not changed.`
        : `Downloads the edited file, ${size}, to a location that you choose.`,
    });
  if (given.local && !given.swaps)
    ways.push({
      kind: "download",
      title: "Download",
      text: `Downloads the new file of ${size}. The original file is not changed.`,
    });
  else if ((given.local || !given.picker) && (given.storage || given.size <= MAX_SIZE_IN_MEMORY))
    ways.push({
      kind: "collect",
      title: "Download",
      text: `Prepares the new file of ${size} in ${given.storage ? "the storage of this page" : "memory"}, then downloads it.`,
    });
  if (!given.local)
    ways.push({
      kind: "header",
      title: "Download the edited header",
      text: `Downloads the first ${formatBytes(given.headerSize)} of the new file, without the tensor data. This is not a complete model.${given.inPlace ? " To edit a copy of the original, write these bytes over its beginning." : ""}`,
    });
  return ways;
}

/** The name of the saved file. A copy has another name than the original: `chosen`, if the person chose one. */
export function savedName(name: string, kind: SaveKind, chosen?: string): string {
  if (chosen !== undefined && kind !== "in-place" && kind !== "header") return chosen;
  const base = name.replace(/\.gguf$/i, "") || "model";
  if (kind === "header") return `${base}.header.gguf`;
  if (kind === "in-place") return `${base}.gguf`;
  // llama.cpp finds the number of a shard only at the end of its name.
  return `${base.replace(/(-\d{5}-of-\d{5})?$/, "-edited$1")}.gguf`;
}

/** The state of the files after a failed save, in a sentence. */
export function afterFailure(code: string, kind: SaveKind): string {
  if (kind !== "in-place")
    return kind === "as"
      ? "The original file is not changed, and the incomplete new file was removed."
      : "The original file is not changed.";
  return code === "interrupted"
    ? "The file contains only some of the changes. Save again before you use it."
    : "The file is not changed.";
}
