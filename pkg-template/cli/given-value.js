// Metadata values from the text of an argument or of a file.

import { integerRange, isFloat, readInteger, readNamedFloat } from "../common/number-texts.js";
import { MetadataArray, keyInfo } from "../full/node.js";
import { CommandError, UsageError } from "./errors.js";
import { parseJson } from "./json-text.js";
import { shorten } from "./text.js";
import { quoted, typeOf, valuesText } from "./values.js";

/** @import { Editor, NewType, NewValue } from "../full/node.js" */

/** @param {string} type */
const isInteger = (type) => integerRange(type) !== undefined;

const BOOL = /^\s*(true|false)\s*$/i;

/** A number that is written with a point or an exponent. */
const WRITTEN_FLOAT = /^\s*[+-]?(\d+\.\d*|\.\d+|\d+(?=e))(e[+-]?\d+)?\s*$/i;

/** The type of an entry, or of the elements of arrays of it. */
const TYPE = /^(U?INT(8|16|32|64)|FLOAT(32|64)|BOOL|STRING)(\[\])*$/i;

/** Whether a text is the name of a type that an entry can have: `UINT32`, `string[]`. @param {string} text */
export const isTypeName = (text) => TYPE.test(text);

/**
 * Reads a value from the text of an argument. A new key that nobody knows gets the type that the text is written as.
 *
 * @param {Editor} editor
 * @param {string} key
 * @param {string} text
 * @param {string | undefined} chosenType The type that the user asks for.
 * @param {(type: string) => string} typeOption How the user gives a type, such as `--type STRING[]`.
 * @returns {{ value: NewValue, type?: NewType }} Without `type`, the editor knows it.
 */
export function parseValue(editor, key, text, chosenType, typeOption) {
  const type = chosenType?.toUpperCase() ?? knownType(editor, key, text);
  if (type === undefined) return writtenValue(text, key, typeOption);
  const value = tokenId(editor, key, text, type) ?? namedValue(key, text, type) ?? readAs(text, type, key);
  return chosenType === undefined ? { value } : { value, type: /** @type {NewType} */ (type) };
}

/**
 * The number of a value that is given by its name: 15 for Q4_K_M.
 *
 * @param {string} key
 * @param {string} text
 * @param {string} type
 * @returns {number | undefined} `undefined` if the text is a number, or if numbers of the key have no names.
 */
function namedValue(key, text, type) {
  const values = keyInfo(key)?.values;
  if (!values || !isInteger(type) || readInteger(text) !== undefined) return undefined;
  const found = values.find(({ name }) => name.toLowerCase() === text.trim().toLowerCase())?.value;
  return typeof found === "number" ? found : undefined;
}

/**
 * The id of a token that is given by its text.
 *
 * @param {Editor} editor
 * @param {string} key
 * @param {string} text
 * @param {string} type
 * @returns {number | undefined} `undefined` if the text is a number, or if the entry is not the id of a token.
 */
function tokenId(editor, key, text, type) {
  if (!key.endsWith("_token_id") || !isInteger(type) || readInteger(text) !== undefined) return undefined;
  const tokens = editor.metadata.get("tokenizer.ggml.tokens");
  if (!(tokens instanceof MetadataArray)) return undefined;
  const [id, second] = idsOf(tokens, text) ?? idsOf(tokens, parseJson(text)) ?? [];
  if (id === undefined) {
    const advice = "Give its id, or its text as the vocabulary has it.";
    throw new CommandError("unknown-token", `the vocabulary has no token ${quoted(shorten(text, 80))}. ${advice}`);
  }
  if (second !== undefined) {
    const found = `more than one token is ${quoted(shorten(text, 80))}: ${id}, ${second}`;
    throw new CommandError("unknown-token", `${found}. Give the id.`);
  }
  return id;
}

/**
 * The ids of the first two tokens with a text. `undefined` if there is none.
 *
 * @param {MetadataArray} tokens
 * @param {unknown} text
 */
function idsOf(tokens, text) {
  if (typeof text !== "string") return undefined;
  const first = tokens.indexOf(text);
  if (first < 0) return undefined;
  const second = tokens.indexOf(text, first + 1);
  return second < 0 ? [first] : [first, second];
}

/**
 * The type of the entry, or the one that is expected for the key.
 *
 * @param {Editor} editor
 * @param {string} key
 * @param {string} text
 */
function knownType(editor, key, text) {
  const entry = editor.entries.find((entry) => entry.key === key);
  if (entry) return typeOf(entry);
  const types = keyInfo(key)?.types ?? [];
  const wantsArray = text.trimStart().startsWith("[");
  return types.find((type) => type.endsWith("[]") === wantsArray) ?? types[0];
}

/**
 * @param {string} text
 * @param {string} type
 * @param {string} key
 * @returns {NewValue}
 */
function readAs(text, type, key) {
  if (type.endsWith("[]")) return readElements(parseArray(text, type, key), type.slice(0, -2), key);
  if (type === "STRING") return text;
  if (type === "BOOL") {
    if (BOOL.test(text)) return text.trim().toLowerCase() === "true";
    throw cannotRead(text, key, type, "true or false");
  }
  const number = isFloat(type) ? readFloat(text) : isInteger(type) ? readInteger(text) : undefined;
  if (typeof number === "bigint") checkRange(number, type, key);
  if (number !== undefined) return number;
  if (isFloat(type)) throw cannotRead(text, key, type, "a number such as 0.5, inf or nan");
  if (isInteger(type)) throw cannotRead(text, key, type, `a whole number${namesOfValues(key)}`);
  throw new UsageError(
    `The type "${type}" is not known. Expected one such as UINT32, FLOAT32, BOOL, STRING or STRING[].`,
  );
}

/**
 * @param {readonly unknown[]} elements
 * @param {string} type
 * @param {string} key
 * @returns {NewValue[]}
 */
function readElements(elements, type, key) {
  return elements.map((element) => {
    if (Array.isArray(element)) return readElements(element, type.replace(/\[\]$/, ""), key);
    // 64-bit integers are strings here: JSON.parse would round them.
    if (typeof element === "string") return readAs(element, type, key);
    if (type === "STRING" && typeof element !== "string") {
      throw cannotRead(JSON.stringify(element), key, "STRING", 'a text in quotes, as in ["a", "b"]');
    }
    return readAs(String(element), type, key);
  });
}

/**
 * @param {string} text
 * @param {string} type
 * @param {string} key
 * @returns {unknown[]}
 */
function parseArray(text, type, key) {
  const array = parseJson(text);
  if (Array.isArray(array)) return array;
  const example = type.startsWith("STRING") ? '["a", "b"]' : type.startsWith("BOOL") ? "[true, false]" : "[1, 2, 3]";
  throw cannotRead(text, key, type, `a JSON array such as ${example}`);
}

/**
 * Checks that an integer fits into a type.
 *
 * @param {bigint} value
 * @param {string} type
 * @param {string} key
 */
function checkRange(value, type, key) {
  const { least, most } = integerRange(type) ?? { least: value, most: value };
  if (value >= least && value <= most) return;
  throw new CommandError(
    "does-not-fit",
    `the value ${shorten(String(value), 80)} of ${quoted(key)} does not fit ${type}. Expected ${least} to ${most}.`,
  );
}

/** @param {string} text */
function readFloat(text) {
  const named = readNamedFloat(text);
  if (named !== undefined) return named;
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? undefined : number;
}

/**
 * The value of a new key that nobody knows, as it is written.
 *
 * @param {string} text
 * @param {string} key
 * @param {(type: string) => string} typeOption
 * @returns {{ value: NewValue, type?: NewType }}
 * @throws {UsageError} If a text can have several types, and the user probably means another one than STRING.
 */
function writtenValue(text, key, typeOption) {
  /** @param {string} reason @param {string} example */
  const unclear = (reason, example) =>
    new UsageError(
      `The type of the new key ${quoted(shorten(key, 80))} is not clear: ${reason}. Give the type: ${typeOption(example)}.`,
    );
  if (/^(true|false)$/.test(text)) return { value: text === "true" };
  if (BOOL.test(text)) throw unclear(`${quoted(text.trim())} is a text or a BOOL`, "BOOL");
  if (WRITTEN_FLOAT.test(text)) {
    const number = Number(text);
    if (Number.isFinite(number)) return { value: number, type: floatType([number]) };
    throw new CommandError("does-not-fit", `the number ${shorten(text, 80)} is larger than a FLOAT64 can be, 1.8e308.`);
  }
  if (/^\s*[+-]?0\d+\s*$/.test(text)) throw unclear("a number does not begin with 0, a text can", "STRING");
  const integer = readInteger(text);
  if (integer !== undefined) return { value: shortestInteger(integer, key) };
  return text.trimStart().startsWith("[") ? writtenArray(text, key, unclear) : { value: text };
}

/**
 * @param {string} text
 * @param {string} key
 * @param {(reason: string, example: string) => UsageError} unclear
 * @returns {{ value: NewValue, type?: NewType }}
 */
function writtenArray(text, key, unclear) {
  const array = parseJson(text);
  if (!Array.isArray(array)) throw unclear("it begins with [, but is no JSON array, and may be a text", "STRING");
  // Without a quotation mark, texts are long integers, which `JSON.parse` would round.
  const hasTexts = text.includes('"');
  const elements = array.flat(Infinity);
  const kinds = new Set(elements.map((element) => kindOf(element, hasTexts)));
  const [kind = "none"] = kinds;
  if (kind === "none") throw unclear("an array without elements does not tell their type", "STRING[]");
  if (kinds.size > 1 || kind === "other") throw unclear("not all elements of the array have one type", "STRING[]");
  const levels = "[]".repeat(depthOf(array));
  if (kind === "number" && /[.eE]/.test(text)) {
    const type = /** @type {NewType} */ (`${floatType(elements.map(Number))}${levels}`);
    return { value: mapDeep(array, Number), type };
  }
  if (kind !== "number") return { value: mapDeep(array, (element) => /** @type {NewValue} */ (element)) };
  const integer = (/** @type {unknown} */ element) => BigInt(/** @type {number | string} */ (element));
  return { value: mapDeep(array, (element) => shortestInteger(integer(element), key)) };
}

/**
 * What an element of an array is.
 *
 * @param {unknown} element
 * @param {boolean} hasTexts Whether the array has texts. If not, a string is a long integer.
 */
function kindOf(element, hasTexts) {
  if (typeof element === "string") return hasTexts ? "text" : "number";
  return typeof element === "number" ? "number" : typeof element === "boolean" ? "bool" : "other";
}

/** The levels of nested arrays. @param {readonly unknown[]} array @returns {number} */
function depthOf(array) {
  const inner = array.find(Array.isArray);
  return 1 + (inner ? depthOf(inner) : 0);
}

/**
 * @param {readonly unknown[]} array
 * @param {(element: unknown) => NewValue} change
 * @returns {NewValue[]}
 */
const mapDeep = (array, change) =>
  array.map((element) => (Array.isArray(element) ? mapDeep(element, change) : change(element)));

/** The type of floats that has whole numbers exactly, and all numbers in its range. @param {readonly number[]} numbers */
function floatType(numbers) {
  const fits = (/** @type {number} */ number) =>
    Number.isInteger(number) ? Math.fround(number) === number : Number.isFinite(Math.fround(number));
  return numbers.every(fits) ? "FLOAT32" : "FLOAT64";
}

/**
 * An integer for the editor, which gives a `bigint` a type of 64 bits, as few readers expect.
 *
 * @param {bigint} integer
 * @param {string} key
 */
function shortestInteger(integer, key) {
  checkRange(integer, integer < 0n ? "INT64" : "UINT64", key);
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

/** The values of a key whose numbers have names, for an error. @param {string} key */
function namesOfValues(key) {
  const { values = [] } = keyInfo(key) ?? {};
  return values.length === 0 ? "" : `, or the name of one: ${valuesText(values)}`;
}

/**
 * @param {string} text
 * @param {string} key
 * @param {string} type
 * @param {string} expected
 */
function cannotRead(text, key, type, expected) {
  return new UsageError(
    `The value ${quoted(shorten(text, 80))} of ${quoted(key)} cannot be read as ${type}. Expected ${expected}.`,
  );
}
