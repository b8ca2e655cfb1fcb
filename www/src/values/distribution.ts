/** The distribution of a tensor's values, and the levels of its type in one block. */

import type { TensorInfo } from "gguf-wasm/explain";
import type { IndexRange, TensorPreview } from "gguf-wasm/full";
import { BinCounter, type BinnedNumbers, type Frame, frameOf } from "../ui/histogram-bins.ts";
import { joined, matrixOf } from "./matrix.ts";

/** The numbers by which the range of the histogram is found. */
const FRAME_SAMPLE = 1 << 16;
/** The elements that are read at a time. */
const PIECE = 1 << 18;
/** The most elements that are read, and the most ranges of them: few of a download. */
const LIMITS = {
  local: { elements: 1 << 22, ranges: 4096 },
  remote: { elements: 1 << 17, ranges: 4 },
} as const;
/** The most groups of which one is chosen for its levels. */
const MOST_GROUPS = 4096;
/** Most types have one scale for 32 elements, these for 16. */
const SMALL_GROUPS: ReadonlySet<string> = new Set(["Q2_K", "Q3_K", "Q6_K", "NVFP4"]);

/** The values that one group of elements with one scale has. */
export interface Levels {
  readonly values: readonly number[];
  /** The elements of the group. */
  readonly group: IndexRange;
}

/** The distribution of values that were read. */
export interface ValueDistribution extends BinnedNumbers {
  /** Undefined for types without levels. */
  readonly levels: Levels | undefined;
}

export interface DistributionRequest {
  /** The elements to read. */
  readonly ranges: readonly IndexRange[];
  /** The number of elements with one scale. Undefined for types without levels. */
  readonly group: number | undefined;
  /** The range of the bins, if it is known. */
  readonly frame?: Frame | undefined;
}

/** Reads elements, in the order of the file. */
export type ReadElements = (start: number, end: number) => Promise<Float32Array | Float64Array>;

/**
 * Reads elements and counts them in bins. If the range of the bins is not known, the elements are kept until it is. Null if all finite
 * numbers are equal.
 */
export async function readDistribution(
  { ranges, group, frame: known }: DistributionRequest,
  read: ReadElements,
): Promise<ValueDistribution | null> {
  const kept: { at: number; values: Float32Array | Float64Array }[] = [];
  let counter = known && new BinCounter(known);
  for (const { start, end } of ranges)
    for (let at = start; at < end; at += PIECE) {
      const values = await read(at, Math.min(at + PIECE, end));
      if (counter) counter.add(values);
      else kept.push({ at, values });
    }
  if (counter) return { ...counter.binned, levels: undefined };
  const frame = frameOf(sampleOf(kept.map(({ values }) => values)));
  if (!frame) return null;
  counter = new BinCounter(frame);
  for (const { values } of kept) counter.add(values);
  return { ...counter.binned, levels: group === undefined ? undefined : levelsOf(kept, group) };
}

/** Evenly spread numbers of several lists, and the furthest of all. */
function sampleOf(lists: readonly (Float32Array | Float64Array)[]): number[] {
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  const step = Math.max(1, Math.ceil(total / FRAME_SAMPLE));
  const found: number[] = [];
  let [least, most] = [Infinity, -Infinity];
  for (const list of lists) {
    for (let i = 0; i < list.length; i += step) found.push(list[i] ?? NaN);
    for (const number of list) {
      if (number < least) least = number;
      if (number > most && number !== Infinity) most = number;
    }
  }
  return [...found, least, most];
}

/** The values of a typical group: the one with the median of the largest magnitudes. */
function levelsOf(
  kept: readonly { at: number; values: Float32Array | Float64Array }[],
  size: number,
): Levels | undefined {
  const groups: { at: number; values: Float32Array | Float64Array; largest: number }[] = [];
  const total = kept.reduce((sum, { values }) => sum + Math.floor(values.length / size), 0);
  const step = size * Math.max(1, Math.ceil(total / MOST_GROUPS));
  for (const { at, values } of kept)
    for (let i = 0; i + size <= values.length; i += step) {
      const own = values.subarray(i, i + size);
      let largest = 0;
      for (const value of own) largest = Math.max(largest, Math.abs(value));
      groups.push({ at: at + i, values: own, largest });
    }
  groups.sort((one, other) => one.largest - other.largest);
  const typical = groups[groups.length >> 1];
  if (!typical || !(typical.largest > 0) || !Number.isFinite(typical.largest)) return undefined;
  return {
    values: [...new Set(typical.values)].sort((one, other) => one - other),
    group: { start: typical.at, end: typical.at + size },
  };
}

/** The number of elements with one scale. Undefined for types without a scale. */
export function groupSize(type: string): number | undefined {
  if (!/^(?:Q|IQ|TQ|MXFP|NVFP)\d/.test(type)) return undefined;
  return SMALL_GROUPS.has(type) ? 16 : 32;
}

/** The elements of the histogram: those that a preview has read, or runs of them, in whole blocks of 256. */
export function sampledElements(
  { sampledRows, sampledColumns }: Pick<TensorPreview, "sampledRows" | "sampledColumns">,
  tensor: Pick<TensorInfo, "dimensions">,
  isRemote: boolean,
): IndexRange[] {
  const { rowLength } = matrixOf(tensor);
  const columns = joined(sampledColumns);
  const isWhole = columns.length === 1 && columns[0]?.start === 0 && columns[0].end === rowLength;
  const all = joined(sampledRows).flatMap((rows) => {
    if (isWhole) return [{ start: rows.start * rowLength, end: rows.end * rowLength }];
    const found: IndexRange[] = [];
    for (let row = rows.start; row < rows.end; row += 1)
      for (const { start, end } of columns) found.push({ start: row * rowLength + start, end: row * rowLength + end });
    return found;
  });
  const { elements, ranges } = LIMITS[isRemote ? "remote" : "local"];
  const total = all.reduce((sum, { start, end }) => sum + end - start, 0);
  if (total <= elements && all.length <= ranges) return all;
  const step = Math.max(1, Math.ceil(all.length / ranges));
  const chosen = all.filter((_, i) => i % step === 0);
  const each = Math.max(256, Math.floor(elements / chosen.length / 256) * 256);
  return chosen.map(({ start, end }) => ({ start, end: Math.min(end, start + each) }));
}
