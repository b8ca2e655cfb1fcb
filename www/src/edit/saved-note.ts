/** What a save has done, in words: where the file is now, and what changed. */

import { formatBytes, formatCount } from "../ui/numbers.ts";
import { escapeText } from "../ui/text.ts";
import { changeSentence, type Metadata } from "./change-words.ts";
import type { NetChange } from "./net-changes.ts";
import type { Saved } from "./saving.ts";

/** The most changes that are listed. */
const MOST_LISTED = 50;

export interface SavedNote {
  /** "Saved" or "Download started". */
  readonly title: string;
  /** The file and its place. */
  readonly where: string;
  /** The number of changes, in words. */
  readonly count: string;
  /** A sentence for each change. */
  readonly changes: readonly string[];
}

/** `changes` are those that the file was saved with, and `metadata` are its entries. */
export function savedNote({ kind, name, bytes }: Saved, changes: readonly NetChange[], metadata?: Metadata): SavedNote {
  const file = `${escapeText(name, 200)}, ${formatBytes(bytes)}`;
  const listed = changes.slice(0, MOST_LISTED).map((change) => escapeText(changeSentence(change, metadata), 300));
  const more = changes.length - listed.length;
  return {
    title: kind === "in-place" || kind === "as" ? "Saved" : "Download started",
    where: `${file}, ${PLACES[kind]}.`,
    count: formatCount(changes.length, "change"),
    changes: more > 0 ? [...listed, `and ${formatCount(more, "more", "more")}`] : listed,
  };
}

const PLACES: Readonly<Record<Saved["kind"], string>> = {
  "in-place": "in place of the original file",
  as: "in the folder that you chose",
  download: "in the folder for downloads of this browser",
  collect: "in the folder for downloads of this browser",
  header: "the header without the tensor data, in the folder for downloads of this browser",
};
