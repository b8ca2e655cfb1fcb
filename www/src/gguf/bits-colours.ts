/**
 * The ramp of colours for bits per weight: few bits are orange and close to the background, 4 bits are green, 6 bits are blue, and many bits
 * are violet and far from the background. The lightness changes in one direction only, so that people with colour blindness see the order.
 * Every colour has a contrast of 3 to 1 with the surfaces of its theme.
 */

/** A colour for the light theme and one for the dark theme, as `#rrggbb`. */
export type ThemeColours = readonly [light: string, dark: string];

/** A known colour of the ramp. `place` is that of its lightness, from 0 to 1. `hue` is in degrees. */
interface Stop {
  readonly bits: number;
  readonly place: number;
  readonly hue: number;
}

/**
 * The stops. Most models have 2 to 8.5 bits per weight, so these take most of the lightness. The hue changes most from 4 to 6 bits: the usual
 * files have the types Q4_K, Q5_K and Q6_K side by side.
 */
const STOPS: readonly Stop[] = [
  { bits: 1, place: 0, hue: 50 },
  { bits: 2, place: 0.1, hue: 75 },
  { bits: 3, place: 0.26, hue: 110 },
  { bits: 4, place: 0.43, hue: 145 },
  { bits: 5, place: 0.52, hue: 180 },
  { bits: 6, place: 0.63, hue: 230 },
  { bits: 8.5, place: 0.82, hue: 278 },
  { bits: 16, place: 0.92, hue: 290 },
  { bits: 32, place: 1, hue: 305 },
];

/** The ends of the ramp in OKLCH. */
const LIGHT = { lightness: [0.642, 0.24], chroma: [0.1, 0.15] } as const;
const DARK = { lightness: [0.545, 0.94], chroma: [0.1, 0.1] } as const;

/** The place of a number of bits on the ramp, from 0 to 1. */
export function placeOfBits(bits: number): number {
  return between(bits, "place");
}

/** The colour of a number of bits per weight. */
export function bitsColour(bits: number): ThemeColours {
  const place = placeOfBits(bits);
  const hue = (between(bits, "hue") * Math.PI) / 180;
  const at = ([from, to]: readonly [number, number]) => from + place * (to - from);
  const colour = (theme: typeof LIGHT | typeof DARK) => hexOf(at(theme.lightness), at(theme.chroma), hue);
  return [colour(LIGHT), colour(DARK)];
}

/** A number between those of two stops, or that of an end of the ramp. */
function between(bits: number, member: "place" | "hue"): number {
  const next = STOPS.findIndex((stop) => bits < stop.bits);
  const [above, below] = [STOPS.at(next), STOPS.at(Math.max(0, next - 1))];
  if (next < 0 || !above || !below) return STOPS.at(-1)?.[member] ?? 0;
  if (next === 0) return above[member];
  return below[member] + ((bits - below.bits) / (above.bits - below.bits)) * (above[member] - below[member]);
}

/** A colour in OKLCH as sRGB. A colour that no screen shows loses chroma until one does. The numbers are those of Ottosson's OKLab. */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const rgb = linearRgb(lightness, chroma * Math.cos(hue), chroma * Math.sin(hue));
  if (chroma > 0.005 && rgb.some((part) => part < 0 || part > 1)) return hexOf(lightness, chroma - 0.005, hue);
  const parts = rgb.map((part) => {
    const clamped = Math.min(1, Math.max(0, part));
    const encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

function linearRgb(lightness: number, a: number, b: number): [red: number, green: number, blue: number] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
