/** How many tensors of both files could be compared. */

import type { Comparison, TensorDifference } from "gguf-wasm";
import { inPieces } from "../ui/in-pieces.ts";

/**
 * The number of tensors that are in both files and of which neither the data nor the values could be compared: their types or dimensions
 * differ, or the data of a side cannot be read.
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
