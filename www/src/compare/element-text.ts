/** Elements of arrays as text, shortened so that their differences are visible. */

import type { MetadataArray, MetadataValue } from "gguf-wasm/explain";
import { isArray, valueText } from "../metadata/metadata-rows.ts";
import { cutParts, splitAtDifference } from "../ui/text-difference.ts";
import { truncate } from "../ui/text.ts";

/** The most characters of an element. */
const MAX_LENGTH = 300;
/** The most characters of a text in an array. */
const MAX_STRING = 60;
/** The elements of an inner array that are shown. */
const MAX_INNER = 8;
/** The elements before the first difference of an inner array that are shown. */
const BEFORE = 2;
/** The inner arrays that are shown inside each other. */
const MAX_DEPTH = 3;
/** The elements that are read at once to find the first difference. */
const SLICE = 4096;

/** An element as text. Inner arrays show their elements. */
export function elementText(value: MetadataValue, type: string): string {
  return cut(isArray(value) ? arrayText(value) : valueText(value, type), MAX_LENGTH);
}

/** An element of each side as text. Both show the surroundings of their first difference. */
export function elementTexts(
  [a, typeA]: readonly [MetadataValue, string],
  [b, typeB]: readonly [MetadataValue, string],
): [string, string] {
  if (isArray(a) && isArray(b)) {
    const [from, to] = arrayTexts(a, b, 1);
    return [cut(from, MAX_LENGTH), cut(to, MAX_LENGTH)];
  }
  if (typeof a !== "string" || typeof b !== "string") return [elementText(a, typeA), elementText(b, typeB)];
  return textsAround(a, b, MAX_LENGTH);
}

function textsAround(a: string, b: string, room: number): [string, string] {
  const [from, to] = splitAtDifference(a, b).map((parts) => {
    const { before, differing, after } = cutParts(parts, room);
    return before + differing + after;
  });
  return [from ?? "", to ?? ""];
}

/** Both arrays with the elements around the first one that differs. */
function arrayTexts(a: MetadataArray, b: MetadataArray, depth: number): [string, string] {
  const at = firstDifference(a, b);
  const start = Math.max(0, at - BEFORE);
  const [left] = a.slice(at, at + 1);
  const [right] = b.slice(at, at + 1);
  const isDeep = left !== undefined && right !== undefined && depth < MAX_DEPTH;
  const [from, to] = isDeep ? innerTexts(left, right, depth) : [];
  return [arrayText(a, start, depth, at, from), arrayText(b, start, depth, at, to)];
}

/** The texts of two elements of arrays. Undefined if they need no text of their own. */
function innerTexts(left: MetadataValue, right: MetadataValue, depth: number): [string?, string?] {
  if (isArray(left) && isArray(right)) return arrayTexts(left, right, depth + 1);
  if (typeof left !== "string" || typeof right !== "string") return [];
  const [from, to] = textsAround(left, right, MAX_STRING);
  return [JSON.stringify(from), JSON.stringify(to)];
}

/** An array with some of its elements: `["a", [1, 2], …]`. The element at `at` can have a text of its own. */
function arrayText(array: MetadataArray, start = 0, depth = 1, at = -1, own?: string): string {
  const shown = array.slice(start, start + MAX_INNER).map((value, i) => {
    if (start + i === at && own !== undefined) return own;
    if (isArray(value)) return depth < MAX_DEPTH ? arrayText(value, 0, depth + 1) : valueText(value);
    return typeof value === "string" ? JSON.stringify(cut(value, MAX_STRING)) : valueText(value, array.elementType);
  });
  if (start > 0) shown.unshift("…");
  if (start + MAX_INNER < array.length) shown.push("…");
  return `[${shown.join(", ")}]`;
}

/** The index of the first element that differs, or the length of the shorter array. */
function firstDifference(a: MetadataArray, b: MetadataArray): number {
  const shorter = Math.min(a.length, b.length);
  for (let start = 0; start < shorter; start += SLICE) {
    const end = Math.min(start + SLICE, shorter);
    const other = b.slice(start, end);
    const at = a.slice(start, end).findIndex((value, i) => !isEqual(value, other[i]));
    if (at >= 0) return start + at;
  }
  return shorter;
}

/** Files are opened only if their arrays are at most 64 levels deep. */
function isEqual(a: MetadataValue, b: MetadataValue | undefined): boolean {
  if (b === undefined || !isArray(a) || !isArray(b)) return Object.is(a, b);
  return a.length === b.length && a.elementType === b.elementType && firstDifference(a, b) === a.length;
}

const cut = (text: string, limit: number) => (text.length > limit ? `${truncate(text, limit)}…` : text);
