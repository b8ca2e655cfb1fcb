// Numbers and short texts for people.

/** @param {string} text @param {number} length The most code points of the result. */
export function shorten(text, length) {
  // Most texts are short, and a code point takes at most two units.
  if (text.length <= length) return text;
  const points = Array.from(text.slice(0, 2 * length + 2));
  return points.length <= length ? text : `${points.slice(0, length - 1).join("")}…`;
}

/** @param {number} value */
export function grouped(value) {
  return value.toLocaleString("en-US");
}

/** @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB"];

/**
 * A size in binary units, as llama.cpp prints it: 4.58 GiB.
 *
 * @param {number} bytes
 */
export function size(bytes) {
  if (bytes < 1024) return counted(bytes, "byte");
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ${UNITS[unit]}`;
}

/**
 * A size in binary units and in bytes: 4.58 GiB (4,920,734,176 bytes).
 *
 * @param {number | undefined} bytes
 */
export function exactSize(bytes) {
  if (bytes === undefined) return "not known";
  return bytes < 1024 ? size(bytes) : `${size(bytes)} (${grouped(bytes)} bytes)`;
}
