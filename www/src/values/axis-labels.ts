/** The labels of the axes of a heat map. */

import type { IndexRange } from "gguf-wasm/full";

export interface AxisLabel {
  /** The position along the axis, from 0 to 1. */
  at: number;
  text: string;
}

/**
 * Labels for at most `wanted` cells along an axis, evenly spread from the first to the last. A label names the first index of its cell. The
 * label of the last cell names its last index, so that the axis shows its full range.
 */
export function axisLabels(cells: readonly IndexRange[], wanted: number, text: (index: number) => string): AxisLabel[] {
  const count = Math.min(Math.max(2, wanted), cells.length);
  return Array.from({ length: count }, (_, i) => {
    const cell = count === 1 ? 0 : Math.round((i * (cells.length - 1)) / (count - 1));
    const range = cells[cell] ?? { start: 0, end: 1 };
    const isLast = i === count - 1 && count > 1;
    return { at: (cell + 0.5) / cells.length, text: text(isLast ? Math.max(range.start, range.end - 1) : range.start) };
  });
}
