/** How much each tensor of the first file differs from the same tensor of the second one. */

import type { TensorInfo } from "gguf-wasm/explain";
import type { ComparedPair } from "gguf-wasm/full";

/** What was found about the tensors of both files, by their positions in the first file. */
export type Pairs = ReadonlyMap<number, ComparedPair>;

/** The most tensors of a picture. No published model has more than 2,000. */
export const MOST_TENSORS = 20_000;

/** A tensor of the first file. */
export interface TensorError {
  readonly tensor: TensorInfo;
  /** The same tensor in the second file. Undefined if the second file does not have it. */
  readonly other: TensorInfo | undefined;
  /**
   * `measured`: `nmse` is known. `pending`: it is not known yet. `unmeasured`: there is no error, for `reason`. Tensors of one file only are
   * `unmeasured`.
   */
  readonly state: "measured" | "pending" | "unmeasured";
  /** The normalised mean squared error: 0 for equal tensors, may be infinite. */
  readonly nmse: number | undefined;
  readonly isSampled: boolean;
  /** Whether the table of differences has it. */
  readonly isListed: boolean;
  /** Why a tensor has no error; "" if it has. */
  readonly reason: string;
}

/** The tensors of two files. */
export interface TensorLists {
  readonly a: readonly TensorInfo[];
  readonly b: readonly TensorInfo[];
}

/**
 * The errors of all tensors of the first file. `pairs` are the tensors that have been compared; while the comparison runs, the others are
 * pending.
 */
export function tensorErrors({ a, b }: TensorLists, pairs: Pairs, isRunning: boolean): TensorError[] {
  const byName = new Map(b.map((tensor) => [tensor.name, tensor]));
  return a.map((tensor): TensorError => {
    const pair = pairs.get(tensor.index);
    const other = pair === undefined ? byName.get(tensor.name) : b[pair.b];
    const nmse = pair && nmseOf(pair);
    const isSame = pair?.data === "equal" || pair?.data === "equal-in-sample";
    const known = {
      tensor,
      other,
      isSampled: pair?.values?.isSampled ?? pair?.data === "equal-in-sample",
      isListed: !isRunning && !(isSame && other?.name === tensor.name),
    };
    if (nmse !== undefined) return { ...known, state: "measured", nmse, reason: "" };
    if (isRunning && pair === undefined && other !== undefined)
      return { ...known, state: "pending", nmse, reason: "not compared yet" };
    return { ...known, state: "unmeasured", nmse, reason: reasonOf(tensor, other, pair) };
  });
}

function nmseOf({ data, values }: ComparedPair): number | undefined {
  if (values !== undefined && !Number.isNaN(values.nmse)) return values.nmse;
  return data === "equal" || data === "equal-in-sample" ? 0 : undefined;
}

function reasonOf(tensor: TensorInfo, other: TensorInfo | undefined, pair: ComparedPair | undefined): string {
  if (other === undefined) return "only in A";
  if (pair?.values !== undefined) return "no pair of finite numbers, or numbers too large for a sum of squares";
  if (pair?.data === "different") return "its bytes differ, and its type has no numbers";
  if (tensor.elementCount !== other.elementCount) return "its dimensions differ";
  return "its data was not read, or its type is not known";
}

/**
 * The pairs after the two sides have been exchanged. The error is relative to the first file, so it changes: `difference` returns the new
 * error of a tensor that differs, by the position of the tensor in the new first file.
 */
export function swappedPairs(
  pairs: Pairs,
  difference: (a: number) => Pick<ComparedPair, "data" | "values"> | undefined,
): Pairs {
  const swapped = new Map<number, ComparedPair>();
  for (const { a, b, data, values } of pairs.values()) {
    const own = difference(b)?.values ?? values;
    swapped.set(b, { a: b, b: a, data, ...(own === undefined ? {} : { values: own }) });
  }
  return swapped;
}

/** The largest error of some tensors. Undefined if none is known. */
export function largestError(errors: readonly TensorError[]): number | undefined {
  return errors.reduce<number | undefined>(
    (largest, { nmse }) => (nmse === undefined ? largest : Math.max(largest ?? 0, nmse)),
    undefined,
  );
}

/** The state of several tensors together: `measured` if one of them is, else `pending` if one of them is, else `unmeasured`. */
export function stateOf(errors: readonly TensorError[]): TensorError["state"] {
  const states = new Set(errors.map(({ state }) => state));
  return states.has("measured") ? "measured" : states.has("pending") ? "pending" : "unmeasured";
}
