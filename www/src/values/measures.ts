/** What the colours of a heat map show of the elements of a cell. */

import type { IndexRange, TensorPreview } from "gguf-wasm/full";

/**
 * The mean of many weights is noise around zero. The largest magnitude shows rows and columns that stand out, so it comes first.
 */
export const MEASURES = ["magnitude", "mean", "min", "max"] as const;

export type Measure = (typeof MEASURES)[number];

/** The words for a measure: a cell is "the largest magnitude" of its elements. */
export const MEASURE_WORDS: Readonly<Record<Measure, string>> = {
  magnitude: "largest magnitude",
  mean: "mean",
  min: "minimum",
  max: "maximum",
};

/** Whether every cell is a single element, so that there is nothing to choose. */
export function isExact({
  sampledRows,
  sampledColumns,
}: Pick<TensorPreview, "sampledRows" | "sampledColumns">): boolean {
  const single = ({ start, end }: IndexRange) => end - start <= 1;
  return sampledRows.every(single) && sampledColumns.every(single);
}

/** The number of each cell; NaN for cells without a finite element. */
export function measured(preview: Pick<TensorPreview, "mean" | "min" | "max">, measure: Measure): Float32Array {
  if (measure !== "magnitude") return preview[measure];
  const { min, max } = preview;
  return max.map((most, cell) => Math.max(Math.abs(min[cell] ?? NaN), Math.abs(most)));
}
