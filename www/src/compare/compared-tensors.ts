/** How many tensors of both files could be compared. */

import type { Comparison, TensorDifference } from "gguf-wasm";
import { inPieces } from "../ui/in-pieces.ts";

/**
 * The number of tensors that both files have, but whose data and values could not be compared: their types or dimensions differ, or the
 * data of a side cannot be read.
 * @throws the reason of `signal` once it is aborted
 */
export async function countNotCompared(comparison: Comparison, signal: AbortSignal): Promise<number> {
  let count = 0;
  await inPieces(comparison.tensorCount, signal, (start, end) => {
    count += comparison.tensors(start, end).filter(isNotCompared).length;
  });
  return count;
}

function isNotCompared({ a, b, data, values }: TensorDifference): boolean {
  return (
    a !== undefined && b !== undefined && values === undefined && (data === "not-compared" || data === "unreadable")
  );
}
