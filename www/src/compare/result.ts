/** Comparing two opened models: their headers at once, and the data of their tensors. */

import type { Change, ComparedPair, Comparison, TensorDifference } from "gguf-wasm/full";
import { loadFull } from "../gguf/full.ts";
import { inPieces } from "../ui/in-pieces.ts";
import type { TaskProgress } from "../ui/long-task.ts";
import type { Amount } from "./amounts.ts";
import { type Pairs, swappedPairs } from "./errors/tensor-errors.ts";
import { type Side, subjectOf, tensorBytes } from "./sides.ts";
import { comparableCount } from "./words.ts";

/** What of the tensors is compared besides the headers. */
export type Depth = "headers" | "data" | "values";

/** A comparison and the files that it compares. */
export interface Result {
  readonly comparison: Comparison;
  readonly a: Side;
  readonly b: Side;
  readonly depth: Depth;
  /** The changes of the edit when the edited file was compared. */
  readonly changes: readonly Change[] | undefined;
  /** The bytes of all tensors of both files. */
  readonly total: number;
  /** The number of tensors whose bytes can be equal. */
  readonly comparable: number;
  /** What was found about the tensors of both files. Undefined if values were not compared. */
  readonly pairs: Pairs | undefined;
}

/**
 * Compares the headers of two models. `changes` are those of the edit.
 * @throws the reason of `signal` once it is aborted
 */
export async function compareHeaders(
  a: Side,
  b: Side,
  changes: readonly Change[] | undefined,
  signal: AbortSignal,
): Promise<Result> {
  const { compare } = await loadFull();
  const comparison = await compare(await subjectOf(a), await subjectOf(b), { data: false, signal });
  if (signal.aborted) {
    comparison.free();
    signal.throwIfAborted();
  }
  return {
    comparison,
    a,
    b,
    depth: "headers",
    changes,
    total: tensorBytes(a) + tensorBytes(b),
    comparable: comparableCount(comparison),
    pairs: undefined,
  };
}

/** Who is told about a running comparison. */
interface Reports {
  readonly progress: (progress: TaskProgress) => void;
  /** Is called for each tensor whose data has been compared. */
  readonly pair: (pair: ComparedPair) => void;
}

/**
 * Compares the data of the tensors, and with `values` also what their elements stand for. The result has no pairs.
 * @throws the reason of `signal` once it is aborted
 */
export async function compareTensors(
  result: Result,
  depth: "data" | "values",
  amount: Amount,
  signal: AbortSignal,
  { progress, pair }: Reports,
): Promise<Result> {
  const { compare } = await loadFull();
  const comparison = await compare(await subjectOf(result.a), await subjectOf(result.b), {
    data: true,
    values: depth === "values",
    ...(amount === "whole" ? {} : { maxBytes: amount }),
    signal,
    onProgress: ({ bytesRead, totalBytes }) => progress({ done: bytesRead, total: totalBytes }),
    ...(depth === "values" ? { onTensor: pair } : {}),
  });
  return { ...result, comparison, depth, pairs: undefined };
}

/**
 * The pairs of a comparison whose sides have been exchanged.
 * @throws the reason of `signal` once it is aborted
 */
export async function exchangedPairs(pairs: Pairs, swapped: Comparison, signal: AbortSignal): Promise<Pairs> {
  const differences = new Map<number, TensorDifference>();
  await inPieces(swapped.tensorCount, signal, (start, end) => {
    for (const difference of swapped.tensors(start, end))
      if (difference.a) differences.set(difference.a.index, difference);
  });
  return swappedPairs(pairs, (a) => differences.get(a));
}
