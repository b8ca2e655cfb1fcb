/** Which elements of a tensor a heat map shows, in words. */

import type { TensorInfo } from "gguf-wasm/explain";
import type { IndexRange, TensorPreview } from "gguf-wasm/full";
import { formatCount, formatId, formatInteger } from "../ui/numbers.ts";
import type { Levels } from "./distribution.ts";
import { joined } from "./matrix.ts";

/** What is shown: the rows of the tensor or of one slice, and the elements of a row. */
interface Shown {
  readonly rows: number;
  readonly rowLength: number;
  /** A row in words: "row 17", "Expert 3 · row 17". */
  readonly rowText: (row: number) => string;
}

type Sample = Pick<TensorPreview, "sampledRows" | "sampledColumns">;

/**
 * Says which part of a tensor a preview has read: `PreviewPlan` of the crate reads groups of neighbouring rows that are spread evenly over
 * the tensor, or, if those would be few, parts of single rows. "" if all elements were read.
 */
export function sampleWords({ sampledRows, sampledColumns }: Sample, { rows, rowLength, rowText }: Shown): string {
  const rowGroups = joined(sampledRows);
  const parts = joined(sampledColumns);
  const [rowCount, columnCount] = [lengthOf(rowGroups), lengthOf(parts)];
  const [first, last] = [rowGroups[0], rowGroups.at(-1)];
  if (!first || !last) return "";
  const elements = `${formatInteger(columnCount)} of ${formatCount(rowLength, "element")}, in ${groupWords(parts, "part")}`;
  if (rowCount === rows) {
    if (columnCount === rowLength) return "";
    return rows === 1 ? `Shows ${elements}, spread evenly.` : `Shows of each row ${elements}, spread evenly.`;
  }
  const size = first.end - first.start;
  const spread =
    size === 1
      ? `: ${isEven(rowGroups) ? "" : "about "}one in ${formatInteger(Math.round(rows / rowGroups.length))}`
      : `, in ${groupWords(rowGroups, "group")}, spread evenly`;
  const range = `Shows ${formatInteger(rowCount)} of ${formatCount(rows, "row")}${spread}, from ${rowText(first.start)} to ${rowText(last.end - 1)}.`;
  return columnCount === rowLength ? range : `${range} Of each row, it shows ${elements}.`;
}

/** What the marks of a type's levels in a histogram are. */
export function levelWords({ values, group }: Levels, { type }: Pick<TensorInfo, "type">): string {
  const size = formatInteger(group.end - group.start);
  return `The ${formatCount(values.length, "mark")} below the bars: the values of a typical group of ${size} elements, from element ${formatId(group.start)}. ${type} has a scale for each group.`;
}

/** The number of elements that a cell stands for: "7 × 28" or "3–4 × 64", rows first. */
export function cellWords({ sampledRows, sampledColumns }: Sample): string {
  return [sampledRows, sampledColumns]
    .map((ranges) => {
      const sizes = ranges.map(({ start, end }) => end - start);
      const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
      return least === most ? formatInteger(most) : `${formatInteger(least)}–${formatInteger(most)}`;
    })
    .join(" × ");
}

/** "64 groups of 7", for groups of one size. */
function groupWords(groups: readonly IndexRange[], noun: string): string {
  const [first = { start: 0, end: 0 }] = groups;
  return `${formatCount(groups.length, noun)} of ${formatInteger(first.end - first.start)}`;
}

function lengthOf(ranges: readonly IndexRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Whether all distances between ranges are equal. */
function isEven(ranges: readonly IndexRange[]): boolean {
  const distances = ranges.slice(1).map(({ start }, i) => start - (ranges[i]?.start ?? 0));
  return new Set(distances).size <= 1;
}
