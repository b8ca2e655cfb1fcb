import type { TensorInfo } from "gguf-wasm";

/** A tensor as a matrix: a row is its first dimension, and there are as many rows as the others make. */
export interface Matrix {
  rowLength: number;
  rows: number;
  /** The rows of one slice, of a tensor of more than two dimensions. */
  sliceRows?: number;
}

export function matrixOf(tensor: Pick<TensorInfo, "dimensions">): Matrix {
  const [rowLength = 1, ...others] = tensor.dimensions;
  const rows = others.reduce((product, size) => product * size, 1);
  const [sliceRows] = others;
  return others.length > 1 && sliceRows !== undefined ? { rowLength, rows, sliceRows } : { rowLength, rows };
}

/** What the further dimensions of a tensor say of a row; empty where there is only one of them. */
export function rowCoordinates(row: number, dimensions: readonly number[]): number[] {
  if (dimensions.length < 3) return [];
  return dimensions.slice(1).map((size) => {
    const at = row % size;
    row = Math.floor(row / size);
    return at;
  });
}

/** `3`, or `3–7` for a half-open range. */
export function span({ start, end }: { start: number; end: number }, text: (value: number) => string): string {
  return end - start <= 1 ? text(start) : `${text(start)}–${text(end - 1)}`;
}
