// Metadata values as text for people.

import { printable } from "./safe-text.js";
import { shorten } from "./text.js";

/** @import { KeyValue, MetadataArray, MetadataEntry, MetadataValue } from "../full/node.js" */

/** The elements of an array that are shown. */
const SHOWN_ELEMENTS = 6;
/** The characters of an element that are shown. */
const SHOWN_CHARACTERS = 24;

/** The most characters of a text on one line. Every list shows fewer. */
const LONGEST_TEXT = 1000;

/**
 * The type of an entry: `UINT32`, `STRING[]`.
 *
 * @param {MetadataEntry} entry
 * @param {number} [length] The length of an array to show: `STRING[32000]`.
 */
export function typeOf({ type, elementType }, length) {
  return type === "ARRAY" && elementType !== undefined ? `${elementType}[${length ?? ""}]` : type;
}

/**
 * A value on one line. Only the first elements of an array are shown.
 *
 * @param {MetadataValue} value
 * @param {string} [type] The type of the value, if it is not an array.
 * @returns {string}
 */
export function shortValue(value, type) {
  // Cut before the escapes are made: a text of some megabytes would take gigabytes.
  if (typeof value !== "object") return printable(shorten(scalarText(value, type), LONGEST_TEXT));
  const shown = value.slice(0, SHOWN_ELEMENTS).map((element) => {
    if (typeof element === "string") return quoted(shorten(element, SHOWN_CHARACTERS));
    return shortValue(element, value.elementType);
  });
  return `[${shown.join(", ")}${value.length > SHOWN_ELEMENTS ? ", …" : ""}]`;
}

/**
 * A value as text.
 *
 * @param {Exclude<MetadataValue, MetadataArray>} value
 * @param {string | undefined} type
 */
export function scalarText(value, type) {
  return type === "FLOAT32" && typeof value === "number" ? float32Text(value) : String(value);
}

/** The shortest text that stands for a FLOAT32: 0.1, not 0.10000000149011612. @param {number} value */
function float32Text(value) {
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(value);
}

/** A text in quotes, with escapes. @param {string} text */
export function quoted(text) {
  return `"${printable(text.replace(/["\\]/g, "\\$&"))}"`;
}

/** The most values of a key that are listed. */
const MOST_VALUES = 60;

/**
 * The values that a key may have, with the names of numbers: `0 (None), 1 (Mean)`.
 *
 * @param {readonly KeyValue[]} values
 */
export function valuesText(values) {
  const texts = values.map(({ value, name }) => (typeof value === "number" ? `${value} (${name})` : quoted(value)));
  return `${texts.slice(0, MOST_VALUES).join(", ")}${texts.length > MOST_VALUES ? ", …" : ""}`;
}
