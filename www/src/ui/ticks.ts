/** The marks on an axis. */

import { BINARY_UNITS, formatBinaryBytes, formatMeasured } from "./numbers.ts";

export interface Tick {
  value: number;
  text: string;
}

/** Round numbers from `low` to `high`, about `wanted` of them. */
export function axisTicks(low: number, high: number, wanted: number): Tick[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span))
    return Number.isFinite(low) ? [{ value: low, text: formatMeasured(low) }] : [];
  const rough = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.75) ?? 10);
  if (!(step > 0)) return [];
  const found: Tick[] = [];
  // Multiplied, not added up: repeated additions of 0.1 drift.
  for (let i = Math.ceil(low / step - 1e-9); i <= high / step + 1e-9; i += 1) {
    // Adding 0 turns -0 into 0.
    const value = i * step + 0;
    found.push({ value, text: tickText(value, step) });
  }
  return found;
}

/** The text of a mark, with enough digits to tell it from its neighbours at distance `step`. */
function tickText(value: number, step: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || Math.max(size, step) < 1e-3) {
    const digits = Math.max(0, Math.floor(Math.log10(size)) - Math.floor(Math.log10(step) + 1e-9));
    return value.toExponential(Math.min(digits, 6)).replace("e+", "e");
  }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return value.toLocaleString("en-US", {
    minimumFractionDigits: Math.min(decimals, 9),
    maximumFractionDigits: Math.min(decimals, 9),
  });
}

/** Marks for counts from 0 to `most`: round numbers, or powers of ten on a logarithmic axis. */
export function countTicks(most: number, logarithmic: boolean, wanted: number): Tick[] {
  const text = (value: number) => COMPACT.format(value);
  if (!logarithmic)
    return axisTicks(0, most, wanted)
      .filter(({ value }) => Number.isInteger(value))
      .map(({ value }) => ({ value, text: text(value) }));
  const powers = Math.floor(Math.log10(Math.max(1, most)));
  const step = Math.max(1, Math.ceil((powers + 1) / wanted));
  const found: Tick[] = [{ value: 0, text: "0" }];
  for (let power = 0; power <= powers; power += step) found.push({ value: 10 ** power, text: text(10 ** power) });
  return found;
}

/**
 * Marks for sizes from 0 to `most` bytes, at most `steps` after the first. Memory is sold in powers of two, so the distance of the marks is
 * one, too. The unit is the largest that `most` reaches.
 */
export function sizeTicks(most: number, steps: number): Tick[] {
  if (!(most > 0)) return [];
  const power = Math.min(BINARY_UNITS.length, Math.max(0, Math.floor(Math.log2(most) / 10)));
  const unit = BINARY_UNITS[power - 1];
  // A byte is not divided.
  const step = Math.max(1, 2 ** Math.ceil(Math.log2(most / steps)));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => ({
    value: i * step,
    text: i === 0 ? "0" : unit === undefined ? formatBinaryBytes(i * step) : `${(i * step) / 1024 ** power} ${unit}`,
  }));
}

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
