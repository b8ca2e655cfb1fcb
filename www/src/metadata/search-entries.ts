/** The search of the metadata table: in what the rows show, then in the elements of arrays. */

import type { MetadataArray } from "gguf-wasm/explain";
import type { ShownEntry } from "../gguf/shown-file.ts";
import { inPieces, Pieces } from "../ui/in-pieces.ts";
import { entryMatches, isArray, searchArray, searchWords } from "./metadata-rows.ts";

/** The most entries that are searched at once. The search of more entries has pauses. */
export const MOST_AT_ONCE = 4000;

/** The milliseconds between the last change of a query and the search of arrays. */
const ARRAY_DELAY = 150;

/** The entries that match a query. */
export interface FoundEntries {
  /** The ids of the entries whose key, type or value matches. Undefined if all entries are shown. */
  readonly ids: ReadonlySet<string> | undefined;
  /** The number of matching elements of an array, by the id of its entry. */
  readonly counts: ReadonlyMap<string, number>;
}

export const ALL_ENTRIES: FoundEntries = { ids: undefined, counts: new Map() };
const NO_ENTRIES: FoundEntries = { ids: new Set(), counts: new Map() };

/** What is being searched. `percent` is undefined if there are few entries. */
export interface SearchProgress {
  readonly subject: "entries" | "arrays";
  readonly percent: number | undefined;
}

export interface SearchReports {
  readonly found: (found: FoundEntries) => void;
  readonly progress: (progress: SearchProgress) => void;
}

/** Whether an entry is shown. */
export function isFound({ ids, counts }: FoundEntries, id: string): boolean {
  return ids === undefined || ids.has(id) || counts.has(id);
}

/**
 * Searches entries. `textOf` gives what a row shows beside its key and its value, in lower case. The matches in few entries are reported before this returns; those in many entries are found in pieces, and reported
 * when all are found. `before` are the matches of the same query in the entries before an edit: they stay until there are others.
 * @throws the reason of `signal` once it is aborted
 */
export async function searchEntries(
  entries: readonly ShownEntry[],
  query: string,
  textOf: (shown: ShownEntry) => string,
  before: FoundEntries | undefined,
  signal: AbortSignal,
  report: SearchReports,
): Promise<void> {
  const words = searchWords(query);
  if (words.length === 0) {
    report.found(ALL_ENTRIES);
    return;
  }
  const ids = new Set<string>();
  const search = (from: number, to: number) => {
    for (const shown of entries.slice(from, to))
      if (entryMatches(shown.entry, words, () => textOf(shown))) ids.add(shown.id);
  };
  const areMany = entries.length > MOST_AT_ONCE;
  if (areMany) {
    report.found(before ?? NO_ENTRIES);
    const progress = percentReporter("entries", entries.length, report);
    progress(0);
    await inPieces(entries.length, signal, search, progress);
  } else search(0, entries.length);
  const counts = new Map(before?.counts);
  report.found({ ids, counts: new Map(counts) });
  const wanted = query.trim();
  // A single letter occurs in nearly every token.
  if (wanted.length < 2) return;
  const arrays = entries.filter(({ entry }) => isArray(entry.value) && entry.elementType === "STRING");
  if (arrays.length === 0) return;
  const progress = areMany ? percentReporter("arrays", arrays.length, report) : undefined;
  if (progress) progress(0);
  else report.progress({ subject: "arrays", percent: undefined });
  await new Promise((resolve) => setTimeout(resolve, ARRAY_DELAY));
  const pieces = new Pieces(signal);
  for (const [at, { entry, id }] of arrays.entries()) {
    await pieces.rest(() => progress?.(at));
    const { length } = await searchArray(entry.value as MetadataArray, wanted, signal);
    signal.throwIfAborted();
    if (length === (counts.get(id) ?? 0)) continue;
    if (length > 0) counts.set(id, length);
    else counts.delete(id);
    // To list many rows again for each array would take too long.
    if (!areMany) report.found({ ids, counts: new Map(counts) });
  }
  if (areMany) report.found({ ids, counts });
}

/** Reports the part of the items that is searched when its percentage changes, because each report renders the table. */
function percentReporter(subject: SearchProgress["subject"], total: number, report: SearchReports) {
  let last = -1;
  return (done: number) => {
    const percent = Math.floor((100 * done) / total);
    if (percent === last) return;
    last = percent;
    report.progress({ subject, percent });
  };
}
