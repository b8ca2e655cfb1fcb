/** The colour of an error, on a logarithmic scale: the same in all panels. */

import { colourRamp, cssColour } from "../ui/colour-scale.ts";
import type { ThemeColours } from "./bits-colours.ts";

/** Places on the ramp of colours. The ends of the ramp are too close to the background, and to black. */
const PLACES = [0.14, 0.96] as const;

/** A scale for the errors of a model. */
export interface ErrorScale {
  /** The ends of the scale: positive and finite, at least a factor of 10 apart. */
  readonly low: number;
  readonly high: number;
}

/** The scale of errors. Undefined if all tensors are equal, or none has been measured. */
export function errorScale(errors: Iterable<number | undefined>): ErrorScale | undefined {
  const [low, high] = positiveRange(errors);
  if (low === undefined || high === undefined) return undefined;
  // Errors that are nearly the same should look nearly the same.
  const missing = Math.max(1, 10 / (high / low));
  return { low: low / Math.sqrt(missing), high: high * Math.sqrt(missing) };
}

/** The least and the largest error that a logarithmic scale has a place for. */
function positiveRange(errors: Iterable<number | undefined>): [low?: number, high?: number] {
  let low = Infinity;
  let high = 0;
  for (const error of errors) {
    if (error === undefined || !(error > 0) || error === Infinity) continue;
    low = Math.min(low, error);
    high = Math.max(high, error);
  }
  return high === 0 ? [] : [low, high];
}

/** The place of an error on the scale, from 0 to 1. */
export function placeOnScale({ low, high }: ErrorScale, error: number): number {
  // The quotient of two errors may be too large for a number.
  return Math.min(1, Math.max(0, (Math.log(error) - Math.log(low)) / (Math.log(high) - Math.log(low))));
}

/**
 * The place of an error, from 0 to 1, and its colours. Undefined for an error of 0, and for one that is not known. An infinite error is at
 * the end of each scale, so it needs none.
 */
export function errorMark(
  scale: ErrorScale | undefined,
  error: number | undefined,
): { readonly place: number; readonly colours: ThemeColours } | undefined {
  if (error === undefined || error === 0) return undefined;
  const place = error === Infinity ? 1 : scale && placeOnScale(scale, error);
  if (place === undefined) return undefined;
  const onRamp = PLACES[0] + place * (PLACES[1] - PLACES[0]);
  const colourOf = (isDark: boolean) => cssColour(colourRamp("sequential", isDark), onRamp);
  return { place, colours: [colourOf(false), colourOf(true)] };
}

/** The style of a mark whose colour tells its error. With forced colours, `--place` chooses the grey. */
export function errorStyle(scale: ErrorScale | undefined, error: number | undefined): string {
  const mark = errorMark(scale, error);
  if (!mark) return "";
  const [light, dark] = mark.colours;
  return `--hue: light-dark(${light}, ${dark}); --place: ${mark.place.toFixed(3)}`;
}

/** Round errors from the least to the largest, at most six: powers of ten, or also twice and five times them. */
export function scaleTicks({ low, high }: ErrorScale): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const ticks = (digits: readonly number[]) =>
    powers
      .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
      .filter((tick) => tick >= low && tick <= high);
  const fine = ticks([1, 2, 5]);
  const wide = fine.length > 6 ? ticks([1]) : fine;
  return wide.filter((_, at) => at % Math.ceil(wide.length / 6) === 0);
}
