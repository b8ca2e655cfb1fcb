/**
 * The ramp of colours for bits per weight: few bits are orange and close to the background, 4 bits are green, many bits are blue and far from
 * the background. The lightness changes in one direction only, so that people with colour blindness see the order. Every colour has a contrast
 * of 3 to 1 with the surfaces of its theme.
 */

/** A colour for the light theme and one for the dark theme, as `#rrggbb`. */
export type ThemeColours = readonly [light: string, dark: string];

/** Places on the ramp. Most models have 2 to 8.5 bits per weight, so these take most of it. */
const PLACES: readonly (readonly [bits: number, place: number])[] = [
  [1, 0],
  [2, 0.18],
  [3, 0.33],
  [4, 0.46],
  [5, 0.57],
  [6, 0.67],
  [8.5, 0.79],
  [16, 0.9],
  [32, 1],
];

/** The ends of the ramp in OKLCH. */
const LIGHT = { lightness: [0.648, 0.27], chroma: [0.08, 0.13] } as const;
const DARK = { lightness: [0.56, 0.93], chroma: [0.1, 0.08] } as const;
const HUES = [55, 285] as const;

/** The place of a number of bits on the ramp, from 0 to 1. */
export function placeOfBits(bits: number): number {
  const next = PLACES.findIndex(([known]) => bits < known);
  if (next === 0) return 0;
  const [above, below] = [PLACES[next], PLACES[next - 1]];
  if (!above || !below) return 1;
  return below[1] + ((bits - below[0]) / (above[0] - below[0])) * (above[1] - below[1]);
}

/** The colour of a number of bits per weight. */
export function bitsColour(bits: number): ThemeColours {
  const place = placeOfBits(bits);
  const between = ([from, to]: readonly [number, number]) => from + place * (to - from);
  const colour = (theme: typeof LIGHT | typeof DARK) =>
    hexOf(between(theme.lightness), between(theme.chroma), (between(HUES) * Math.PI) / 180);
  return [colour(LIGHT), colour(DARK)];
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
