/** Comparing two opened models: their headers at once, and the data of their tensors. */

import type { Change, Comparison } from "gguf-wasm";
import { loadLibrary } from "../gguf/library.ts";
import type { TaskProgress } from "../ui/long-task.ts";
import type { Amount } from "./amounts.ts";
import { countNotCompared } from "./compared-tensors.ts";
import { type Side, subjectOf, tensorBytes } from "./sides.ts";

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
  /** The tensors of both files whose data could not be compared. */
  readonly notCompared: number;
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
  const { compare } = await loadLibrary();
  const comparison = await compare(subjectOf(a), subjectOf(b), { data: false, signal });
  if (signal.aborted) {
    comparison.free();
    signal.throwIfAborted();
  }
  return { comparison, a, b, depth: "headers", changes, total: tensorBytes(a) + tensorBytes(b), notCompared: 0 };
}

/**
 * Compares the data of the tensors, and with `values` also what their elements stand for.
 * @throws the reason of `signal` once it is aborted
 */
export async function compareTensors(
  result: Result,
  depth: "data" | "values",
  amount: Amount,
  signal: AbortSignal,
  report: (progress: TaskProgress) => void,
): Promise<Result> {
  const { compare } = await loadLibrary();
  const comparison = await compare(subjectOf(result.a), subjectOf(result.b), {
    data: true,
    values: depth === "values",
    ...(amount === "whole" ? {} : { maxBytes: amount }),
    signal,
    onProgress: ({ bytesRead, totalBytes }) => report({ done: bytesRead, total: totalBytes }),
  });
  try {
    return { ...result, comparison, depth, notCompared: await countNotCompared(comparison, signal) };
  } catch (error) {
    comparison.free();
    throw error;
  }
}
