/** In which ways an edited file can be saved here, and what each of them costs. */

import { formatBytes } from "../ui/numbers.ts";

export type SaveKind = "in-place" | "as" | "download" | "collect" | "header";

export interface SaveWay {
  kind: SaveKind;
  /** What is on the button. */
  title: string;
  /** What it does and costs. */
  text: string;
}

/** What decides which ways there are. */
export interface SaveCircumstances {
  /** Whether the file was given to the page to be written to. */
  writable: boolean;
  /** Whether the original is a file of this device, as opposed to an address or something of a program's own. */
  local: boolean;
  /** Whether the browser can ask where to save. */
  picker: boolean;
  /** Whether the page has a file system of its own to collect a file in. */
  storage: boolean;
  /** Whether the new file is the old one but for a few places. */
  inPlace: boolean;
  /** Whether tensor data itself is written otherwise than it is. */
  swaps: boolean;
  /** Bytes of the new file. */
  size: number;
  /** Bytes of its header. */
  headerSize: number;
}

/** A file of this size is put together in memory where there is nothing else. */
export const FITS_MEMORY = 256 * 2 ** 20;

/** The ways there are, the best first. */
export function saveWays(given: SaveCircumstances): SaveWay[] {
  const ways: SaveWay[] = [];
  const size = formatBytes(given.size);
  if (given.writable)
    ways.push({
      kind: "in-place",
      title: "Save",
      text: `Replaces the file. The browser first makes a copy of ${size} beside it and swaps the two when it is complete, so that much space has to be free, and until then the original stays as it is.`,
    });
  if (given.picker)
    ways.push({
      kind: "as",
      title: given.local ? "Save as…" : "Save an edited copy…",
      text: given.local
        ? `Writes a new file of ${size} where you say. The original stays as it is.`
        : `Downloads the file with the changes in it, ${size}, straight to where you say.`,
    });
  if (given.local && !given.swaps)
    ways.push({
      kind: "download",
      title: "Download",
      text: `Gives the new file of ${size} to the browser’s downloads. The original stays as it is.`,
    });
  else if ((given.local || !given.picker) && (given.storage || given.size <= FITS_MEMORY))
    ways.push({
      kind: "collect",
      title: "Download",
      text: `${given.local ? "Writes" : "Fetches"} the new file of ${size} into ${given.storage ? "this page’s own storage" : "memory"} first, and gives it to the browser’s downloads when it is complete.`,
    });
  if (!given.local)
    ways.push({
      kind: "header",
      title: "Download the edited header",
      text: `Only the first ${formatBytes(given.headerSize)} of the new file, without the tensors’ data: not a model by itself${given.inPlace ? ", but written over the beginning of the original it makes the edited file" : ""}.`,
    });
  return ways;
}

/** What the new file is called: the old name, with a word in it where it must not be taken for the old one. */
export function savedName(name: string, kind: SaveKind): string {
  const base = name.replace(/\.gguf$/i, "") || "model";
  if (kind === "header") return `${base}.header.gguf`;
  return `${base}${kind === "in-place" ? "" : "-edited"}.gguf`;
}

/** What a save that came to nothing leaves behind, in a sentence. */
export function afterFailure(code: string, kind: SaveKind): string {
  if (kind !== "in-place")
    return kind === "as"
      ? "The original is as it was, and no half of a new file is left."
      : "The original is as it was.";
  return code === "interrupted"
    ? "Some of the changes are in the file and some are not: save again before you use it."
    : "The file is as it was: nothing has been written to it.";
}
