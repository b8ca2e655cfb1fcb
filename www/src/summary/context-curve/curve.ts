/** The memory that a model takes on a GPU for each length of its context. */

import type { CacheType } from "../../memory/memory-state.ts";
import { usableBytes } from "../../memory/room.ts";
import type { MemorySource } from "../../worker/memory-source.ts";

/** The KV cache types of the picture. They halve, and halve again, what a token takes. */
export const CURVE_TYPES = ["F16", "Q8_0", "Q4_0"] as const satisfies readonly CacheType[];
export type CurveType = (typeof CURVE_TYPES)[number];

/** The memory of common cards, in GiB, as lines in the picture. */
export const CARD_LINES = [8, 12, 16, 24, 32, 48, 80] as const;

/** The longest context of the picture for files that do not tell the context that the model was trained for. */
const USUAL_CONTEXT = 32_768;
/** The least and the most context of the picture. A file may state any length. */
const [SHORTEST, LONGEST] = [256, 2 ** 21];

/** The memory for one length of the context, in bytes. */
export interface CurvePoint {
  readonly context: number;
  readonly weights: number;
  /** Keys, values and recurrent state, for a cache of F16. */
  readonly cache: number;
  /** The most that the compute buffer takes, for a cache of F16. */
  readonly compute: number;
  /** Everything, for each type of the cache. llama.cpp refuses some types for some models: these are absent. */
  readonly totals: Readonly<{ F16: number } & Partial<Record<CurveType, number>>>;
}

/** The lengths of the context in the picture: powers of two, and the length that the model was trained for. */
export function curveContexts(ownContext: number | undefined): number[] {
  const longest = Math.min(LONGEST, Math.max(SHORTEST, ownContext ?? USUAL_CONTEXT));
  const contexts: number[] = [];
  for (let context = SHORTEST; context < longest; context *= 2) contexts.push(context);
  // A step that is hardly wider than the last mark would hide its words.
  if (contexts.length > 1 && longest / (contexts.at(-1) ?? longest) < 1.2) contexts.pop();
  contexts.push(longest);
  return contexts.slice(-12);
}

/** The memory for each of the contexts. Undefined if a part of it is not known. All layers are on the GPU. */
export async function memoryCurve(
  source: Pick<MemorySource, "memories">,
  contexts: readonly number[],
): Promise<CurvePoint[] | undefined> {
  const asked = contexts.flatMap((contextLength) =>
    CURVE_TYPES.map((type) => ({ contextLength, keyType: type, valueType: type })),
  );
  const estimates = await source.memories(asked);
  const points: CurvePoint[] = [];
  for (const [at, context] of contexts.entries()) {
    const [gpu, ...narrow] = estimates
      .slice(at * CURVE_TYPES.length, (at + 1) * CURVE_TYPES.length)
      .map((estimate) => estimate?.devices[0]);
    const { weights, cache, state, compute, total } = gpu ?? {};
    if (weights === undefined || cache === undefined || state === undefined || !compute || !total) return undefined;
    const totals: { F16: number } & Partial<Record<CurveType, number>> = { F16: total.high };
    for (const [after, other] of narrow.entries()) {
      const type = CURVE_TYPES[after + 1];
      if (type && other?.total) totals[type] = other.total.high;
    }
    points.push({ context, weights, cache: cache + state, compute: compute.high, totals });
  }
  return points;
}

/** The types of the cache that the points have. */
export function curveTypes(points: readonly CurvePoint[]): CurveType[] {
  return CURVE_TYPES.filter((type) => points.every(({ totals }) => totals[type] !== undefined));
}

/** The smallest of the cards that a size fits on, in GiB; undefined if none is large enough. */
export function smallestCard(bytes: number, cards: readonly number[] = CARD_LINES): number | undefined {
  return cards.find((card) => bytes <= usableBytes(card));
}

/** The cards of the picture: common ones, and that of the person if there is one. */
export function shownCards(own: readonly number[] = []): number[] {
  const [card] = own.length === 1 ? own : [];
  return [...new Set([...CARD_LINES, ...(card === undefined ? [] : [card])])].sort((a, b) => a - b);
}
