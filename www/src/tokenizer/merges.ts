/** The merges of a byte-pair vocabulary: which pairs of tokens are joined, the first ones first. */

import type { MetadataArray, TokenSpelling } from "gguf-wasm/explain";
import { inPieces } from "../ui/in-pieces.ts";
import { textFinder } from "./token-filter.ts";

/** A pair that is joined into a token. */
export interface Merge {
  /** The position in the list. Pairs with a lower rank are joined first. */
  readonly rank: number;
  readonly left: string;
  readonly right: string;
}

/** The parts of an entry of the list: `Ġ t`. A part may begin with a space. Undefined if the entry is no pair. */
export function mergeParts(entry: string): [left: string, right: string] | undefined {
  const space = entry.indexOf(" ", 1);
  return space < 0 ? undefined : [entry.slice(0, space), entry.slice(space + 1)];
}

/**
 * The merges that make a token, in pieces.
 * @throws the reason of `signal` once it is aborted
 */
export async function mergesOf(merges: MetadataArray, text: string, signal: AbortSignal): Promise<Merge[]> {
  const found: Merge[] = [];
  await inPieces(merges.length, signal, (from, to) => {
    for (const [offset, entry] of merges.slice(from, to).entries()) {
      // The length decides for almost all entries.
      if (typeof entry !== "string" || entry.length !== text.length + 1) continue;
      const parts = mergeParts(entry);
      if (parts && parts[0] + parts[1] === text) found.push({ rank: from + offset, left: parts[0], right: parts[1] });
    }
  });
  return found;
}

/**
 * The ranks of the merges whose parts together contain a text, in pieces.
 * @throws the reason of `signal` once it is aborted
 */
export async function findMerges(
  merges: MetadataArray,
  query: string,
  spelling: TokenSpelling,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const isFound = textFinder(query, spelling);
  const found: number[] = [];
  await inPieces(merges.length, signal, (from, to) => {
    for (const [offset, entry] of merges.slice(from, to).entries()) {
      if (typeof entry === "string" && isFound((mergeParts(entry) ?? [entry]).join(""))) found.push(from + offset);
    }
  });
  return Uint32Array.from(found);
}
