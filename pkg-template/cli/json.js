// JSON for programs, in pieces: a result can be longer than a string can be.

import { UNSAFE } from "./safe-text.js";

/** Elements of an array that are read at once. */
const BATCH = 4096;

/** Characters of a piece, about. */
const PIECE_LENGTH = 1 << 14;

/** Characters of a string that are escaped at once. */
const PART_LENGTH = 1 << 16;

/**
 * A list whose elements are computed while it is written.
 *
 * @template T, U
 * @param {Iterable<T>} items
 * @param {(item: T) => U} compute
 * @returns {Iterable<U>}
 */
export function mapped(items, compute) {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield compute(item);
    },
  };
}

/**
 * The JSON text of a result, indented by two spaces. 64-bit integers become strings, because many programs read numbers as
 * doubles; so do NaN and infinities, which JSON does not have. Members that are `undefined` are left out. Everything that can be
 * iterated is an array. Characters that a terminal would obey are escapes.
 *
 * @param {unknown} result
 * @returns {Generator<string, void>}
 */
export function* jsonPieces(result) {
  yield* valuePieces(result, "\n");
  yield "\n";
}

/**
 * @param {unknown} value
 * @param {string} indent A line feed and the spaces before the value's last line.
 * @returns {Generator<string, void>}
 */
function* valuePieces(value, indent) {
  if (typeof value === "string") yield* stringPieces(value);
  else if (typeof value !== "object" || value === null) yield scalar(value);
  else if (isSliceable(value) || Symbol.iterator in value) yield* listPieces(batchesOf(value), indent);
  else yield* objectPieces(value, indent);
}

/**
 * Arrays, typed arrays, and arrays of the metadata. The class of these is not imported, because that loads WebAssembly.
 *
 * @param {object} value
 * @returns {value is { length: number, slice(start: number, end: number): Iterable<unknown> }}
 */
function isSliceable(value) {
  return "slice" in value && typeof value.slice === "function" && "length" in value;
}

/**
 * The elements, many at once.
 *
 * @param {object} list
 * @returns {Iterable<Iterable<unknown>>}
 */
function* batchesOf(list) {
  if (!isSliceable(list)) return yield /** @type {Iterable<unknown>} */ (list);
  for (let start = 0; start < list.length; start += BATCH) yield list.slice(start, start + BATCH);
}

/**
 * The elements of a long array, one by one.
 *
 * @param {object} list
 */
export function* elementsOf(list) {
  for (const batch of batchesOf(list)) yield* batch;
}

/**
 * @param {Iterable<Iterable<unknown>>} batches
 * @param {string} indent
 * @returns {Generator<string, void>}
 */
function* listPieces(batches, indent) {
  const between = `,${indent}  `;
  let isEmpty = true;
  let piece = "[";
  for (const batch of batches) {
    for (const element of batch) {
      piece += isEmpty ? `${indent}  ` : between;
      isEmpty = false;
      if (typeof element === "object" && element !== null) {
        yield piece;
        yield* valuePieces(element, `${indent}  `);
        piece = "";
      } else if (typeof element === "string" && element.length > PART_LENGTH) {
        yield piece;
        yield* stringPieces(element);
        piece = "";
      } else {
        piece += scalar(element);
        if (piece.length > PIECE_LENGTH) {
          yield piece;
          piece = "";
        }
      }
    }
  }
  yield isEmpty ? "[]" : `${piece}${indent}]`;
}

/**
 * @param {object} object
 * @param {string} indent
 * @returns {Generator<string, void>}
 */
function* objectPieces(object, indent) {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  if (members.length === 0) return yield "{}";
  for (const [i, [name, value]] of members.entries()) {
    yield `${i === 0 ? "{" : ","}${indent}  `;
    yield* stringPieces(name);
    yield ": ";
    yield* valuePieces(value, `${indent}  `);
  }
  yield `${indent}}`;
}

/** @param {unknown} value Not an object. */
function scalar(value) {
  if (typeof value === "string") return escaped(JSON.stringify(value));
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return `"${value}"`;
  return JSON.stringify(value) ?? "null";
}

/** @param {string} text @returns {Generator<string, void>} */
function* stringPieces(text) {
  if (text.length <= PART_LENGTH) return yield scalar(text);
  yield '"';
  for (const part of partsOf(text, PART_LENGTH)) yield scalar(part).slice(1, -1);
  yield '"';
}

/**
 * The parts of a long text. No part ends in the middle of a character.
 *
 * @param {string} text
 * @param {number} length The length of a part, in UTF-16 units.
 */
export function* partsOf(text, length) {
  for (let start = 0; start < text.length;) {
    let end = start + length;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** @param {number} unit */
const isHighSurrogate = (unit) => unit >= 0xd800 && unit < 0xdc00;

/** JSON.stringify escapes only some of the characters that are unsafe on a terminal. @param {string} json */
function escaped(json) {
  return json.replace(UNSAFE, (char) =>
    char
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
