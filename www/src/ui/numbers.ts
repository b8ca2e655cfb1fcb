/** Numbers as text for people. Exact values go into tooltips and details. */

const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A count, with separated thousands: 128256 → "128,256". A number that names something is written by `formatId`. */
export function formatInteger(value: number | bigint): string {
  return GROUPED.format(value);
}

/**
 * A number that names one of many, without separators: a token id, or the number of a block, shard, layer, line, row, column or element.
 * People search for it, and paste it into other programs.
 */
export function formatId(value: number | bigint): string {
  return String(value);
}

/** Three significant digits without an exponent: 8.03, 80.3, 803. */
function threeDigits(value: number): string {
  return value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

function scaled(value: number, base: number, units: readonly string[]): string {
  let unit = 0;
  // 999.6 would be rounded to "1000", so it is written in the next unit.
  while (value >= base - base * 0.0005 && unit < units.length - 1) {
    value /= base;
    unit += 1;
  }
  return `${threeDigits(value)} ${units[unit]}`;
}

/** A size in decimal units, as model hosts and disk vendors write sizes: 4.92 GB. */
export function formatBytes(value: number): string {
  if (value < 1000) return formatCount(value, "byte");
  return scaled(value / 1000, 1000, ["kB", "MB", "GB", "TB", "PB"]);
}

/** The binary units above the byte. */
export const BINARY_UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/**
 * A size in binary units, as memory is sold and as llama.cpp prints it: 4.58 GiB. `beside` is a larger size that people compare it with. Its
 * unit is used then, so that nobody has to convert: 0.28 GiB beside 5.58 GiB. A size below a tenth of the unit keeps its own.
 */
export function formatBinaryBytes(value: number, beside = value): string {
  const power = Math.min(BINARY_UNITS.length, Math.floor(Math.log2(Math.max(1, beside)) / 10));
  const inUnit = value / 1024 ** power;
  if (beside > value && power > 0 && inUnit < 999.5 && inUnit >= 0.1)
    return `${threeDigits(inUnit)} ${BINARY_UNITS[power - 1]}`;
  if (value < 1024) return formatCount(value, "byte");
  return scaled(value / 1024, 1024, BINARY_UNITS);
}

/** The size of a memory, which is mostly a whole number: 12 GiB, 11.5 GiB. */
export function formatCapacity(bytes: number): string {
  return formatBinaryBytes(bytes).replace(/\.0+ /, " ");
}

/** A parameter count as model names write it: 8.03 B. */
export function formatParameters(value: number): string {
  if (value < 1000) return formatInteger(value);
  return scaled(value / 1000, 1000, ["K", "M", "B", "T", "Q"]);
}

/** An offset in hexadecimal: 0x1f3. */
export function formatHex(value: number): string {
  return `0x${value.toString(16)}`;
}

/** A part of a whole in percent. A part that rounds to 0% is written as "<0.1%", and a part that rounds to 100% as ">99.9%". */
export function formatPercent(part: number, whole: number): string {
  if (whole <= 0) return "0%";
  const share = (part / whole) * 100;
  if (part > 0 && share < 0.1) return "<0.1%";
  if (part < whole && share > 99.9) return ">99.9%";
  return `${share.toFixed(1)}%`;
}

/** The shortest text that reads back as the same float32 or float64. */
export function formatFloat(value: number, bits: 32 | 64): string {
  if (!Number.isFinite(value) || bits === 64) return Object.is(value, -0) ? "-0" : String(value);
  // 1e-5 stored as a float32 is 0.000009999999747378752 as a double. The shortest text that rounds back to the float32 is "0.00001".
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return Object.is(value, -0) ? "-0" : String(Number(text));
  }
  return String(value);
}

/** "1 tensor", "2 tensors". */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatInteger(count)} ${count === 1 ? singular : plural}`;
}

const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** A count of people or files with three digits: 1.23M. */
export function formatShortCount(count: number): string {
  return SHORT.format(count);
}

/** "the first tensor", "the first 3 tensors". */
export function formatFirst(count: number, singular: string, plural?: string): string {
  return `the first ${count === 1 ? singular : formatCount(count, singular, plural)}`;
}

/** A measured number with four significant digits. Without an exponent if that is short: 0.0312, 1.234e-7. */
export function formatMeasured(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 9.9995e-4 || size >= 999_950) return value.toExponential(3).replace(/\.?0*e\+?/, "e");
  return String(Number(value.toPrecision(4)));
}
