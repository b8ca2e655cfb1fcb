import { formatInteger, formatMeasured } from "./numbers.ts";

/** A set of numbers. `count` includes the numbers that are not finite; `min`, `max` and `histogram` are about the finite ones. */
export interface Distribution {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly nans: number;
  readonly positiveInfinities: number;
  readonly negativeInfinities: number;
  readonly histogram: Bins;
}

/** Bin `i` counts the numbers from `start + i * width` up to, not including, `start + (i + 1) * width`. */
export interface Bins {
  readonly start: number;
  readonly width: number;
  readonly counts: ArrayLike<number>;
}

/** A bar of a histogram: `count` numbers lie in `start..end`. A bar whose ends are equal counts one value. */
export interface Bar {
  start: number;
  end: number;
  count: number;
  /** The side on which the bar counts the numbers beyond the axis. */
  beyond?: "below" | "above";
}

/** The range of the horizontal axis. */
export interface Axis {
  low: number;
  high: number;
}

/** The value that all finite numbers have, if they are all equal. */
export function constantOf({ min, max }: Pick<Distribution, "min" | "max">): number | undefined {
  return min === max ? min : undefined;
}

/** The count of finite numbers. */
export function finiteCount(statistics: Distribution): number {
  const { count, nans, positiveInfinities, negativeInfinities } = statistics;
  return count - nans - positiveInfinities - negativeInfinities;
}

/** The numbers that a histogram cannot show, in words: "8 NaN, 3 −Infinity"; "" if there are none. */
export function describeNonFinite({ nans, positiveInfinities, negativeInfinities }: Distribution): string {
  const parts = [
    [nans, "NaN"],
    [positiveInfinities, "+Infinity"],
    [negativeInfinities, "−Infinity"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${formatInteger(count)} ${name}`)
    .join(", ");
}

/** The bars of a distribution, at most `most`. A constant distribution has one bar. Without a finite number there is no bar. */
export function distributionBars(statistics: Distribution, most: number): Bar[] {
  const count = finiteCount(statistics);
  if (count === 0) return [];
  const constant = constantOf(statistics);
  if (constant !== undefined) return [{ start: constant, end: constant, count }];
  return joinBins(statistics.histogram, most);
}

/** The axis for some bars. A single value stands in the middle of its axis. */
export function axisOf(shown: readonly Bar[]): Axis {
  const low = shown[0]?.start ?? 0;
  const high = shown.at(-1)?.end ?? 0;
  if (low < high) return { low, high };
  const margin = low === 0 ? 1 : Math.abs(low) / 2;
  return { low: low - margin, high: high + margin };
}

/** A histogram in at most `most` bars. Neighbouring bins are joined if there are more bins. */
export function joinBins({ start, width, counts }: Bins, most: number): Bar[] {
  const joined = Math.max(1, Math.ceil(counts.length / most));
  const found: Bar[] = [];
  for (let first = 0; first < counts.length; first += joined) {
    const last = Math.min(first + joined, counts.length);
    let count = 0;
    for (let i = first; i < last; i += 1) count += counts[i] ?? 0;
    const edge = (bin: number) => 2 * (start / 2 + bin * (width / 2));
    found.push({ start: edge(first), end: edge(last), count });
  }
  return found;
}

/** The range of a bar in words. */
export function barWords({ start, end, beyond }: Bar): string {
  if (beyond === "below") return `below ${formatMeasured(end)}, down to ${formatMeasured(start)}`;
  if (beyond === "above") return `above ${formatMeasured(start)}, up to ${formatMeasured(end)}`;
  return start === end ? formatMeasured(start) : `${formatMeasured(start)} to ${formatMeasured(end)}`;
}

/** The height of a bar, from 0 to 1. On the logarithmic scale, a count of 1 is still visible. */
export function barHeight(count: number, most: number, logarithmic: boolean): number {
  if (most <= 0 || count <= 0) return 0;
  return logarithmic ? Math.log10(1 + count) / Math.log10(1 + most) : count / most;
}
