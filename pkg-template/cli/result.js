// Results of commands: JSON for programs, text for people.

import { MetadataArray } from "../node.js";
import { print, printRaw } from "./output.js";

/** @import { MetadataValue } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */

/**
 * A value as JSON has it. 64-bit integers become strings, because many programs read numbers as doubles; so do NaN and
 * infinities, which JSON does not have. Arrays are whole.
 *
 * @param {MetadataValue} value
 * @returns {unknown}
 */
export function plainValue(value) {
  return value instanceof MetadataArray ? value.toArray().map(plainValue) : plainScalar(value);
}

/** @param {unknown} value */
function plainScalar(value) {
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

/**
 * The JSON text of a result. Members that are `undefined` are left out. Typed arrays become arrays.
 *
 * @param {unknown} result
 */
export function jsonText(result) {
  const replace = (/** @type {string} */ _, /** @type {unknown} */ value) =>
    value instanceof MetadataArray
      ? plainValue(value)
      : ArrayBuffer.isView(value) && !(value instanceof DataView)
        ? Array.from(/** @type {Uint8Array} */ (value))
        : plainScalar(value);
  return `${JSON.stringify(result, replace, 2)}\n`;
}

/**
 * Prints a result: for programs as JSON, or for people.
 *
 * @param {Arguments} args
 * @param {unknown} result
 * @param {() => string} text
 */
export function printResult(args, result, text) {
  print(args.flag("json") ? jsonText(result) : text());
}

/**
 * Like {@link printResult}, for text that a file contains, or its names.
 *
 * @param {Arguments} args
 * @param {unknown} result
 * @param {() => string} text
 */
export function printRawResult(args, result, text) {
  if (args.flag("json")) print(jsonText(result));
  else printRaw(text());
}
