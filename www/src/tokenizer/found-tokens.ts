/** Tokens that should not be in a vocabulary. */

import { inPieces } from "../ui/in-pieces.ts";
import type { FoundTokens } from "./tokenizer-state.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The ids by what is wrong with them. */
export type Found = Readonly<Record<FoundTokens, ReadonlySet<number>>>;

/**
 * Finds the tokens whose text is empty, or is that of an earlier token, in pieces.
 * @throws the reason of `signal` once it is aborted
 */
export async function findTokensToCheck(vocabulary: Vocabulary, signal: AbortSignal): Promise<Found> {
  const found = { duplicate: new Set<number>(), empty: new Set<number>() };
  const seen = new Set<string>();
  await inPieces(vocabulary.size, signal, (from, to) => {
    vocabulary.readUpTo(to);
    for (let id = from; id < to; id += 1) {
      const text = vocabulary.stored(id);
      if (text === "") found.empty.add(id);
      else if (seen.has(text)) found.duplicate.add(id);
      else seen.add(text);
    }
  });
  return found;
}
