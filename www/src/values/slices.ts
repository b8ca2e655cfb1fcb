/** Tensors with more than two dimensions as stacks of matrices, and names for their rows. */

import type { TensorInfo } from "gguf-wasm/explain";
import type { IndexRange } from "gguf-wasm/full";
import { formatId } from "../ui/numbers.ts";
import { rowCoordinates } from "./matrix.ts";

type Shape = Pick<TensorInfo, "name" | "dimensions">;

/** A dimension beyond the second. */
export interface SliceDimension {
  /** "Expert", "Slice", or "Dimension 3" if there are several. */
  label: string;
  size: number;
}

/** The dimensions that choose a slice, in file order; empty for matrices and vectors. */
export function sliceDimensions({ name, dimensions }: Shape): SliceDimension[] {
  const beyond = dimensions.slice(2);
  // llama.cpp stores the weights of all experts of a block in one tensor: "blk.0.ffn_gate_exps.weight".
  const only = /_(?:ch)?exps\b/.test(name) ? "Expert" : "Slice";
  return beyond.map((size, i) => ({ label: beyond.length === 1 ? only : `Dimension ${i + 2}`, size }));
}

/** Whether a tensor has several slices. */
export function isStacked({ dimensions }: Pick<Shape, "dimensions">): boolean {
  return dimensions.slice(2).some((size) => size !== 1);
}

/** Whether a tensor has a slice. */
export function hasSlice(slice: readonly number[], { dimensions }: Pick<Shape, "dimensions">): boolean {
  const beyond = dimensions.slice(2);
  return slice.length === beyond.length && beyond.every((size, i) => (slice[i] ?? size) < size);
}

/** The rows of a slice, counted from the start of the tensor. */
export function sliceRows(slice: readonly number[], { dimensions }: Shape): IndexRange {
  const [, rows = 1, ...beyond] = dimensions;
  const at = beyond.reduceRight((index, size, i) => index * size + (slice[i] ?? 0), 0);
  return { start: at * rows, end: (at + 1) * rows };
}

/** The row of the tensor for a row of a slice. */
export function rowOfSlice(row: number, slice: readonly number[], shape: Shape): number {
  return sliceRows(slice, shape).start + row;
}

/** An index in a dimension, in words: "Expert 3", "Dimension 2: 5". */
export function formatIndex({ label }: SliceDimension, index: number): string {
  return `${label}${label.startsWith("Dimension") ? ":" : ""} ${formatId(index)}`;
}

/** A slice in words, the slowest dimension first: "Dimension 3: 1 · Dimension 2: 5"; "" for a matrix. */
export function formatSlice(slice: readonly number[], shape: Shape): string {
  return sliceDimensions(shape)
    .map((dimension, i) => formatIndex(dimension, slice[i] ?? 0))
    .reverse()
    .join(" · ");
}

/** A range of rows in words: "Rows 3–7", "Expert 3 · row 17", "Expert 2 · row 700 to Expert 3 · row 9". */
export function formatRows({ start, end }: IndexRange, shape: Shape): string {
  const last = Math.max(start, end - 1);
  const several = last > start;
  if (!isStacked(shape)) return several ? `Rows ${formatId(start)}–${formatId(last)}` : `Row ${formatId(start)}`;
  const [firstRow = 0, ...firstSlice] = rowCoordinates(start, shape.dimensions);
  const [lastRow = 0, ...lastSlice] = rowCoordinates(last, shape.dimensions);
  const [from, to] = [formatSlice(firstSlice, shape), formatSlice(lastSlice, shape)];
  if (from !== to) return `${from} · row ${formatId(firstRow)} to ${to} · row ${formatId(lastRow)}`;
  return several ? `${from} · rows ${formatId(firstRow)}–${formatId(lastRow)}` : `${from} · row ${formatId(firstRow)}`;
}

/** The number of a row as a table shows it: "17", or "3 · 17" with the slice first. */
export function rowLabel(row: number, shape: Shape): string {
  if (!isStacked(shape)) return formatId(row);
  const [own = 0, ...slice] = rowCoordinates(row, shape.dimensions);
  return [...slice.reverse(), own].map(formatId).join(" · ");
}

/** The column heading for `rowLabel`: "Row" or "Expert · row". */
export function rowTitle(shape: Shape): string {
  const labels = sliceDimensions(shape).map(({ label }) => label);
  return !isStacked(shape) ? "Row" : [...labels.reverse(), "row"].join(" · ");
}
