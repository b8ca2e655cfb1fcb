import type { TensorInfo } from "gguf-wasm/explain";
import type { IndexRange } from "gguf-wasm/full";

/** A tensor as a matrix: a row has the length of the first dimension, and the product of the other dimensions is the number of rows. */
export interface Matrix {
  rowLength: number;
  rows: number;
  /** The number of rows in a slice of a tensor with more than two dimensions. */
  sliceRows?: number;
}

export function matrixOf(tensor: Pick<TensorInfo, "dimensions">): Matrix {
  const [rowLength = 1, ...others] = tensor.dimensions;
  const rows = others.reduce((product, size) => product * size, 1);
  const [sliceRows] = others;
  return others.length > 1 && sliceRows !== undefined ? { rowLength, rows, sliceRows } : { rowLength, rows };
}

/** The indices of a row in all dimensions but the first; empty for matrices and vectors. */
export function rowCoordinates(row: number, dimensions: readonly number[]): number[] {
  if (dimensions.length < 3) return [];
  return dimensions.slice(1).map((size) => {
    const at = row % size;
    row = Math.floor(row / size);
    return at;
  });
}

/** A half-open range as text: `3`, or `3–7`. */
export function formatSpan({ start, end }: { start: number; end: number }, text: (value: number) => string): string {
  return end - start <= 1 ? text(start) : `${text(start)}–${text(end - 1)}`;
}

/** Ranges in ascending order, with neighbours joined. */
export function joined(ranges: readonly IndexRange[]): IndexRange[] {
  const found: IndexRange[] = [];
  for (const { start, end } of ranges) {
    const last = found.at(-1);
    if (last?.end === start) found[found.length - 1] = { start: last.start, end };
    else found.push({ start, end });
  }
  return found;
}
