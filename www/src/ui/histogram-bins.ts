/** Counts numbers in bins. A few outliers do not set the range of the bins: they are counted beside it. */

import type { Bar } from "./histogram-bars.ts";

/** The bins of the linear axis, without those for outliers. */
const LINEAR_BINS = 72;
/** About as many bins has the logarithmic axis, and at most these for each power of ten. */
const LOGARITHMIC_BINS = 72;
const MOST_PER_DECADE = 12;
/** The share of the numbers on each side that does not set the range. */
const TAIL = 0.001;
/** An end is an outlier if it is this many times further from the middle than the typical numbers. */
const FAR = 2;
/** The room between the typical numbers and the end of the range. */
const MARGIN = 1.25;
/** The share of the magnitudes below the logarithmic axis. */
const SMALL_SHARE = 0.005;
/** The most powers of ten that the logarithmic axis has. */
const MOST_DECADES = 12;

/** Where the bins are. */
export interface Frame {
  /** The range of the linear axis. */
  readonly low: number;
  readonly high: number;
  /** The logarithmic axis has magnitudes from `floor` to `top`. All smaller ones are in one bin. */
  readonly floor: number;
  readonly top: number;
  /** Which signs the numbers have. */
  readonly hasNegative: boolean;
  readonly hasPositive: boolean;
}

/** Numbers in bins. */
export interface BinnedNumbers {
  readonly frame: Frame;
  /** The count of all numbers, with those that are not finite. */
  readonly count: number;
  /** The smallest and the largest finite number. */
  readonly least: number;
  readonly most: number;
  /** The counts of numbers below and above the range of the linear axis. */
  readonly below: number;
  readonly above: number;
  readonly linear: Float64Array;
  /** From the most negative number to the most positive one. */
  readonly logarithmic: Float64Array;
}

/** The frame for numbers with this sample. Undefined if the sample has less than two different finite numbers. */
export function frameOf(sample: ArrayLike<number>): Frame | undefined {
  const sorted = Float64Array.from(sample).filter(Number.isFinite).sort();
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined || least === most) return undefined;
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const middle = at(0.5);
  const low = endOf(middle - at(TAIL), middle - least);
  const high = endOf(at(1 - TAIL) - middle, most - middle);
  const sizes = sorted
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort();
  const top = sizes.at(-1) ?? 1;
  const small = sizes[Math.floor(SMALL_SHARE * sizes.length)] ?? top;
  const floor = 10 ** Math.max(Math.floor(Math.log10(small)), Math.ceil(Math.log10(top)) - MOST_DECADES);
  return {
    low: middle - low,
    high: middle + high,
    // The smallest numbers have no power of ten below them.
    floor: floor > 0 ? Math.min(floor, top / 10) : top / 10,
    top,
    hasNegative: least < 0,
    hasPositive: most > 0,
  };
}

/** How far the range goes from the middle: to the furthest number, or if this is an outlier, a little beyond the typical ones. */
function endOf(typical: number, furthest: number): number {
  return typical > 0 && furthest > FAR * typical ? MARGIN * typical : furthest;
}

/** Counts numbers that arrive in parts. */
export class BinCounter {
  readonly #frame: Frame;
  readonly #linear = new Float64Array(LINEAR_BINS);
  readonly #logarithmic: Float64Array;
  readonly #decades: Decades;
  #count = 0;
  #below = 0;
  #above = 0;
  #least = Infinity;
  #most = -Infinity;

  constructor(frame: Frame) {
    this.#frame = frame;
    this.#decades = decadesOf(frame);
    this.#logarithmic = new Float64Array(this.#decades.bins);
  }

  add(numbers: Float32Array | Float64Array): void {
    const { low, high, floor } = this.#frame;
    const { each, side, middle } = this.#decades;
    const [linear, logarithmic] = [this.#linear, this.#logarithmic];
    // The halves are subtracted because the difference of the largest numbers overflows.
    const scale = LINEAR_BINS / (high / 2 - low / 2);
    this.#count += numbers.length;
    for (const number of numbers) {
      // The difference of a number that is not finite is NaN.
      if (number - number !== 0) continue;
      if (number < this.#least) this.#least = number;
      if (number > this.#most) this.#most = number;
      if (number < low) this.#below += 1;
      else if (number > high) this.#above += 1;
      else {
        const bin = Math.min(LINEAR_BINS - 1, Math.floor((number / 2 - low / 2) * scale));
        linear[bin] = (linear[bin] ?? 0) + 1;
      }
      const size = Math.abs(number);
      const step = size < floor ? 0 : Math.min(side, 1 + Math.floor(Math.log10(size / floor) * each));
      const bin = Math.max(0, Math.min(logarithmic.length - 1, number < 0 ? middle - step : middle + step));
      logarithmic[bin] = (logarithmic[bin] ?? 0) + 1;
    }
  }

  /** What was counted. */
  get binned(): BinnedNumbers {
    return {
      frame: this.#frame,
      count: this.#count,
      least: this.#least,
      most: this.#most,
      below: this.#below,
      above: this.#above,
      linear: this.#linear,
      logarithmic: this.#logarithmic,
    };
  }
}

/** The bins of the logarithmic axis: one for the small numbers in the middle, and some for each power of ten on both sides. */
interface Decades {
  readonly each: number;
  /** The bins of one sign. */
  readonly side: number;
  /** The index of the bin of the small numbers. */
  readonly middle: number;
  readonly bins: number;
}

function decadesOf({ floor, top, hasNegative, hasPositive }: Frame): Decades {
  const sides = Number(hasNegative) + Number(hasPositive);
  const decades = Math.max(1e-9, Math.log10(top / floor));
  const each = Math.max(1, Math.min(MOST_PER_DECADE, Math.floor(LOGARITHMIC_BINS / sides / decades)));
  const side = Math.max(1, Math.ceil(decades * each));
  const middle = hasNegative ? side : 0;
  return { each, side, middle, bins: side * sides + 1 };
}

/** The bars of the linear axis. The first and the last one may be those of the outliers. */
export function linearBars({ frame: { low, high }, linear, below, above, least, most }: BinnedNumbers): Bar[] {
  const edge = (bin: number) => 2 * (low / 2 + bin * (high / 2 - low / 2) * (1 / linear.length));
  const bars = Array.from(linear, (count, bin): Bar => ({ start: edge(bin), end: edge(bin + 1), count }));
  if (below > 0) bars.unshift({ start: least, end: low, count: below, beyond: "below" });
  if (above > 0) bars.push({ start: high, end: most, count: above, beyond: "above" });
  return bars;
}

/** The bars of the logarithmic axis. */
export function logarithmicBars({ frame, logarithmic }: BinnedNumbers): Bar[] {
  const { each, middle } = decadesOf(frame);
  const size = (step: number) => frame.floor * 10 ** (step / each);
  const all = Array.from(logarithmic, (count, bin): Bar => {
    const step = bin - middle;
    if (step === 0)
      return { start: frame.hasNegative ? -frame.floor : 0, end: frame.hasPositive ? frame.floor : 0, count };
    return step < 0
      ? { start: -size(-step), end: -size(-step - 1), count }
      : { start: size(step - 1), end: size(step), count };
  });
  const first = all.findIndex(({ count }) => count > 0);
  const last = all.findLastIndex(({ count }) => count > 0);
  return all.slice(Math.min(Math.max(0, first), middle), Math.max(last, middle) + 1);
}
