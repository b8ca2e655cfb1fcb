import { Pieces } from "../ui/in-pieces.ts";
import { matchText, wordsOf } from "./match.ts";
import type { PaletteItem, PaletteSource } from "../ui/palette-source.ts";

/** The most items of a source that are shown for a query. */
const MOST_OF_SOURCE = 6;
/** The texts that are read at once. */
const TEXTS_AT_ONCE = 4096;

export interface FoundItem extends PaletteItem {
  /** The positions of the matching letters in the title. */
  readonly marks: readonly number[];
}

export interface FoundGroup {
  readonly title: string;
  readonly items: readonly FoundItem[];
}

/** What is listed before a person types. */
export function listedGroups(sources: readonly PaletteSource[]): FoundGroup[] {
  return sources
    .filter(({ isListed, length }) => isListed && length > 0)
    .map(({ title, length, item }) => ({
      title,
      items: Array.from({ length }, (_, at) => ({ ...item(at), marks: [] })),
    }));
}

interface Candidate {
  readonly at: number;
  readonly score: number;
  readonly marks: readonly number[];
}

/**
 * The best items of each source for a query, in the order of the sources.
 * @throws the reason of `signal` once it is aborted
 */
export async function findItems(
  sources: readonly PaletteSource[],
  query: string,
  signal: AbortSignal,
): Promise<FoundGroup[]> {
  const words = wordsOf(query);
  const pieces = new Pieces(signal);
  const groups: FoundGroup[] = [];
  for (const source of sources) {
    const best: Candidate[] = [];
    for (let from = 0; from < source.length; from += TEXTS_AT_ONCE) {
      await pieces.rest();
      const texts = source.texts(from, Math.min(from + TEXTS_AT_ONCE, source.length));
      for (const [index, text] of texts.entries()) {
        const match = matchText(text, words, source.isStrict);
        if (match) insert(best, { at: from + index, ...match });
      }
    }
    if (best.length > 0)
      groups.push({ title: source.title, items: best.map(({ at, marks }) => ({ ...source.item(at), marks })) });
  }
  return groups;
}

/** Keeps the best candidates in order. Equal ones keep the order of the source. */
function insert(best: Candidate[], candidate: Candidate): void {
  const last = best.at(-1);
  if (best.length === MOST_OF_SOURCE && last && last.score >= candidate.score) return;
  const place = best.findIndex(({ score }) => score < candidate.score);
  best.splice(place < 0 ? best.length : place, 0, candidate);
  if (best.length > MOST_OF_SOURCE) best.pop();
}
