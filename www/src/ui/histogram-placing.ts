/** Where numbers and bars are on the horizontal axis of a histogram, as fractions of its width. */

import type { Axis, Bar } from "./histogram-bars.ts";
import type { Frame } from "./histogram-bins.ts";
import { formatMeasured } from "./numbers.ts";
import { axisTicks, type Tick } from "./ticks.ts";

export interface Placing {
  place(value: number): number;
  /** The left and the right side of a bar. */
  sides(bar: Bar): readonly [number, number];
  /** About `wanted` marks. */
  ticks(wanted: number): Tick[];
}

/** The width of the bar of a single value. */
const SINGLE_WIDTH = 0.04;
/** The width of the bar of the numbers beyond the axis, with the space beside it. */
const BEYOND = { width: 0.03, room: 0.05 };

/** A linear axis. The bars of the numbers beyond it stand at its ends. */
export function linearPlacing(axis: Axis, bars: readonly Bar[] = []): Placing {
  const [first, last] = [bars[0], bars.at(-1)];
  const low = first?.beyond === "below" ? first.end : axis.low;
  const high = last?.beyond === "above" ? last.start : axis.high;
  const left = first?.beyond === "below" ? BEYOND.room : 0;
  const right = last?.beyond === "above" ? 1 - BEYOND.room : 1;
  // The halves are subtracted because the difference of the largest floats overflows.
  const place = (value: number) => left + (right - left) * ((value / 2 - low / 2) / (high / 2 - low / 2));
  return {
    place,
    sides: ({ start, end, beyond }) => {
      if (beyond === "below") return [0, BEYOND.width];
      if (beyond === "above") return [1 - BEYOND.width, 1];
      const half = start === end ? SINGLE_WIDTH / 2 : 0;
      return [place(start) - half, place(end) + half];
    },
    ticks: (wanted) => axisTicks(low, high, wanted),
  };
}

/** An axis on which each power of ten has the same width, on both sides of zero. */
export function logarithmicPlacing({ floor }: Frame, bars: readonly Bar[]): Placing {
  const [low = 0, high = 0] = [bars[0]?.start, bars.at(-1)?.end];
  const decades = (value: number) => Math.log10(Math.max(Math.abs(value), floor) / floor);
  // The small numbers have the width of a third of a power of ten.
  const along = (value: number) => Math.sign(value) * (decades(value) + Math.min(1, Math.abs(value) / floor) / 6);
  const [from, to] = [along(low), along(high)];
  const place = (value: number) => (along(value) - from) / (to - from);
  return {
    place,
    sides: ({ start, end }) => [place(start), place(end)],
    ticks: (wanted) => {
      const [negative, positive] = [low < 0 ? decades(low) : 0, high > 0 ? decades(high) : 0];
      // Powers of ten are short, so there is room for more of them.
      const step = Math.max(1, Math.ceil((negative + positive + 1) / (1.7 * wanted)));
      const found: Tick[] = [{ value: 0, text: "0" }];
      // The mark of the smallest power would cover that of zero.
      for (let power = step; power <= negative; power += step) found.unshift(tickOf(-floor * 10 ** power));
      for (let power = step; power <= positive; power += step) found.push(tickOf(floor * 10 ** power));
      return found;
    },
  };
}

function tickOf(value: number): Tick {
  return { value, text: formatMeasured(value) };
}
