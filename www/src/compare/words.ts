/** The words of the compare panel for the kinds of differences. */

import type { Comparison, DataComparison, EntryChange, TensorChange, TensorDifference } from "gguf-wasm/full";
import { formatCount, formatId, formatInteger } from "../ui/numbers.ts";

export type Change = EntryChange | TensorChange;

export const CHANGE_TITLES: Record<Change, string> = {
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  retyped: "Other type",
  renamed: "Renamed",
  moved: "Moved",
  unknown: "Cannot be read",
};

/** The kinds of differences in the order of the filter. */
export const ENTRY_CHANGES: readonly EntryChange[] = ["changed", "retyped", "added", "removed", "moved"];
export const TENSOR_CHANGES: readonly TensorChange[] = ["changed", "renamed", "added", "removed", "unknown", "moved"];

/** The title of a difference: an entry that has changed can also have moved. */
export function changeTitle({ change, isMoved }: { change: Change; isMoved: boolean }): string {
  return isMoved && change !== "moved" ? `${CHANGE_TITLES[change]}, moved` : CHANGE_TITLES[change];
}

export const DATA_TITLES: Record<DataComparison, string> = {
  equal: "Equal",
  different: "Different",
  "equal-in-sample": "Equal in the sample",
  "not-compared": "Not compared",
  unreadable: "Cannot be read",
};

/** What is known about the bytes of a tensor. Tensors of other types or dimensions have other bytes, so nobody compares them. */
export function dataTitle({ a, b, data }: Pick<TensorDifference, "a" | "b" | "data">): string | undefined {
  if (!a || !b) return undefined;
  if (data !== "not-compared") return DATA_TITLES[data];
  if (a.type !== b.type) return "Other type";
  return a.dimensions.join() === b.dimensions.join() ? DATA_TITLES[data] : "Other shape";
}

const COUNT_WORDS: Record<Change, string> = {
  added: "added",
  removed: "removed",
  changed: "changed",
  retyped: "with another type",
  renamed: "renamed",
  moved: "moved",
  unknown: "that cannot be read",
};

/** The counts of one list in words: "2 changed, 1 added, 40 equal". `equal` are the words after the number of the pairs without a difference. */
export function countWords<Kind extends Change>(
  counts: Readonly<Record<Kind | "equal", number>>,
  kinds: readonly Kind[],
  equal = "equal",
): string {
  const parts = kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${formatInteger(counts[kind])} ${COUNT_WORDS[kind]}`);
  return [...parts, `${formatInteger(counts.equal)} ${equal}`].join(", ");
}

/** The counts of tensors in words. Tensors are only called equal if their data was compared. */
export function tensorWords({ dataCoverage, counts }: Pick<Comparison, "dataCoverage" | "counts">): string {
  const { equal } = counts.tensors;
  const words =
    equal === 0 || dataCoverage === "whole"
      ? "equal"
      : dataCoverage === "sampled"
        ? "without a difference in the sample"
        : `with the same name, type and dimensions; ${equal === 1 ? "its" : "their"} data was not compared`;
  return countWords(counts.tensors, TENSOR_CHANGES, words);
}

/** The number of tensors that are in both files. */
export function pairCount({ counts }: Pick<Comparison, "counts">): number {
  const { equal, changed, renamed, unknown } = counts.tensors;
  return equal + changed + renamed + unknown;
}

/** The number of tensors with the same type and dimensions in both files, by a comparison of headers: only their bytes can be equal. */
export function comparableCount({ counts }: Pick<Comparison, "counts">): number {
  return counts.tensors.equal + counts.tensors.renamed;
}

/** What the comparison says about the tensors' data. */
export function coverageText({ dataCoverage, counts }: Pick<Comparison, "dataCoverage" | "counts">): string {
  const { equal, changed, renamed, unknown, added, removed, notCompared } = counts.tensors;
  const inBoth = equal + changed + renamed + unknown;
  if (inBoth === 0) return added + removed === 0 ? "" : "No tensor is in both files.";
  if (dataCoverage === "none") return "Only the headers were compared, not the data of the tensors.";
  const what =
    dataCoverage === "sampled" ? "A sample of the tensor data was compared." : "All tensor data was compared.";
  if (notCompared > 0) {
    const many = `${formatCount(notCompared, "tensor")} could not be compared`;
    const why = `${notCompared === 1 ? "its" : "their"} type or dimensions differ, or the data cannot be read`;
    return `${dataCoverage === "sampled" ? `${what} ` : ""}The data of ${many}: ${why}.`;
  }
  if (dataCoverage === "sampled" || added + removed === 0) return what;
  return `The data of the ${formatCount(inBoth, "tensor")} in both files was compared.`;
}

export const FORMAT_TITLES: Record<Comparison["format"][number]["property"], string> = {
  version: "GGUF version",
  byteOrder: "Byte order",
  truthValues: "Bytes of equal truth values",
  tensorOffsets: "Offset of tensor data",
  dimensionCounts: "Dimensions that are written",
  alignment: "Alignment",
};

/** A range of elements as a person counts them: "element 5", "elements 5–8", "none". The end is not included. */
export function rangeText(start: number, end: number): string {
  if (end <= start) return "no elements";
  return end === start + 1 ? `element ${formatId(start)}` : `elements ${formatId(start)}–${formatId(end - 1)}`;
}

/** The summary of a token list's differences. */
export function tokenWords({
  added,
  removed,
  renumbered,
}: {
  added: number;
  removed: number;
  renumbered: number;
}): string {
  const parts = [
    added > 0 ? `${formatCount(added, "token")} added` : "",
    removed > 0 ? `${formatCount(removed, "token")} removed` : "",
    renumbered > 0 ? `${formatCount(renumbered, "token")} with another id` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "The same tokens with the same ids." : `${parts.join(", ")}.`;
}
