/** The colour of each number in a heat map. */

export interface ColourScale {
  /** `diverging`: around zero, for numbers of both signs. `sequential`: from low to high, for all other numbers. */
  kind: "diverging" | "sequential";
  /** The numbers at the ends of the scale. */
  low: number;
  high: number;
  /** The count of numbers beyond each end. They have the colour of that end. */
  below: number;
  above: number;
}

/** The share of the numbers that counts as typical. */
const TYPICAL_SHARE = 0.98;
/** A number is an outlier if its distance from the middle is more than this many times the distance of the typical numbers. */
const OUTLIER_FACTOR = 2;

/**
 * The scale for a list of numbers. Outliers lie beyond its ends, so that the other numbers keep different colours. Undefined if no number
 * is finite.
 */
export function colourScale(numbers: ArrayLike<number>): ColourScale | undefined {
  const sorted = Float64Array.from(numbers).filter(Number.isFinite).sort();
  const least = sorted[0];
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return undefined;
  if (least < 0 && most > 0) {
    const high = largestTypical(sorted.map(Math.abs).sort());
    return { kind: "diverging", low: -high, high, ...countBeyond(sorted, -high, high) };
  }
  const middle = percentile(sorted, 0.5);
  const from = (numbers: Float64Array) => largestTypical(numbers.map((number) => Math.abs(number - middle)).sort());
  const low = Math.max(least, middle - from(sorted.filter((number) => number <= middle)));
  const high = Math.min(most, middle + from(sorted.filter((number) => number >= middle)));
  return { kind: "sequential", low, high, ...countBeyond(sorted, low, high) };
}

/** The largest of the sorted distances that is not an outlier. */
function largestTypical(sorted: Float64Array): number {
  const most = sorted.at(-1) ?? 0;
  const bulk = percentile(sorted, TYPICAL_SHARE);
  // If nearly all distances are zero, the others are the interesting ones.
  if (!(bulk > 0) || most <= bulk * OUTLIER_FACTOR) return most;
  return sorted.findLast((distance) => distance <= bulk * OUTLIER_FACTOR) ?? most;
}

/** The smallest sorted number that is not less than a share of the numbers. */
export function percentile(sorted: Float64Array, share: number): number {
  const index = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.max(0, Math.min(index, sorted.length - 1))] ?? NaN;
}

function countBeyond(sorted: Float64Array, low: number, high: number): { below: number; above: number } {
  let below = 0;
  let above = 0;
  for (const number of sorted) {
    if (number < low) below += 1;
    else if (number > high) above += 1;
  }
  return { below, above };
}

/** The position of a number on the scale, from 0 to 1. A number beyond an end has the position of that end. */
export function positionOn(scale: ColourScale, number: number): number {
  if (scale.high <= scale.low) return 0.5;
  // The halves are subtracted because the difference of the largest floats overflows.
  const place = (number / 2 - scale.low / 2) / (scale.high / 2 - scale.low / 2);
  return Math.max(0, Math.min(1, place));
}

/**
 * Colours at equal distances. The lightness shows the distance from zero, or the height. Blue and orange look different to people with any
 * kind of colour blindness.
 */
const STOPS = {
  diverging: {
    light: ["#0a3a86", "#2f74c6", "#8fbbe8", "#f4f3ef", "#eeb27c", "#c8661c", "#7d2c00"],
    dark: ["#a9d4ff", "#5aa2ee", "#2a5e9e", "#23272a", "#9a5317", "#e58a3c", "#ffd3a3"],
  },
  sequential: {
    light: ["#f3f0dc", "#b9dcb4", "#63b7a5", "#2b87a0", "#22578f", "#251f60"],
    dark: ["#1c1d3f", "#22497c", "#22788e", "#3ba58c", "#93cf8f", "#f4f1bf"],
  },
} as const;

/** The 256 colours of a scale, as red, green, blue triples. */
export function colourRamp(kind: ColourScale["kind"], dark: boolean): Uint8ClampedArray {
  const key = `${kind} ${dark}`;
  let colours = RAMPS.get(key);
  if (!colours) {
    const stops = STOPS[kind][dark ? "dark" : "light"].map(oklabOf);
    colours = new Uint8ClampedArray(256 * 3);
    for (let i = 0; i < 256; i += 1) {
      const at = (i / 255) * (stops.length - 1);
      const from = Math.min(Math.floor(at), stops.length - 2);
      const a = stops[from] ?? [0, 0, 0];
      const b = stops[from + 1] ?? [0, 0, 0];
      const mix = (j: 0 | 1 | 2) => a[j] + (b[j] - a[j]) * (at - from);
      colours.set(rgbOf([mix(0), mix(1), mix(2)]), i * 3);
    }
    RAMPS.set(key, colours);
  }
  return colours;
}

const RAMPS = new Map<string, Uint8ClampedArray>();

/** A colour of a ramp as CSS text. */
export function cssColour(colours: Uint8ClampedArray, place: number): string {
  const at = Math.round(place * 255) * 3;
  return `rgb(${colours[at]} ${colours[at + 1]} ${colours[at + 2]})`;
}

/** A ramp as a CSS gradient from left to right. */
export function cssGradient(colours: Uint8ClampedArray): string {
  const stops = Array.from({ length: 17 }, (_, i) => cssColour(colours, i / 16));
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

type Triple = readonly [number, number, number];

// Colours are mixed in OKLab, where equal distances look equal. The matrices are Björn Ottosson's.
function oklabOf(hex: string): Triple {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function rgbOf([lightness, a, b]: Triple): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((c) => 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
}
