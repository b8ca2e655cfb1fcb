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

/**
 * A size of a file or of its parts in decimal units, as the page, hosts of models and disk vendors write sizes: 4.92 GB.
 *
 * @param {number} bytes
 */
export function size(bytes) {
  return bytes < 1000 ? counted(bytes, "byte") : scaled(bytes / 1000, 1000, ["kB", "MB", "GB", "TB", "PB"]);
}

/**
 * A size of memory in binary units, as memory is sold and as llama.cpp prints it: 4.58 GiB.
 *
 * @param {number} bytes
 */
export function memorySize(bytes) {
  return bytes < 1024 ? counted(bytes, "byte") : scaled(bytes / 1024, 1024, ["KiB", "MiB", "GiB", "TiB", "PiB"]);
}

/** @param {number} value @param {number} base @param {readonly string[]} units */
function scaled(value, base, units) {
  let unit = 0;
  while (value >= base && unit < units.length - 1) {
    value /= base;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ${units[unit]}`;
}

/**
 * A size of a file in decimal units and in bytes: 4.92 GB (4,920,734,176 bytes).
 *
 * @param {number | undefined} bytes
 */
export function exactSize(bytes) {
  if (bytes === undefined) return "not known";
  return bytes < 1000 ? size(bytes) : `${size(bytes)} (${grouped(bytes)} bytes)`;
}

/**
 * A time that is left: 45 s, 12 min, 3 h 20 min.
 *
 * @param {number} seconds
 */
export function duration(seconds) {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
