// Metadata values from the text of an argument or of a file.

import { MetadataArray, keyInfo } from "../node.js";
import { CommandError, UsageError } from "./errors.js";
import { parseJson } from "./json-text.js";
import { shorten } from "./text.js";
import { quoted, typeOf } from "./values.js";

/** @import { Editor, NewType, NewValue } from "../node.js" */

/** The digits of an integer that is read. No type has as many, and the conversion of a long text takes long. */
const MOST_DIGITS = 100;

/** The names of the types of numbers. */
const INTEGER = /^U?INT(8|16|32|64)$/;
const FLOAT = /^FLOAT(32|64)$/;

/** The type of an entry, or of the elements of arrays of it. */
const TYPE = /^(U?INT(8|16|32|64)|FLOAT(32|64)|BOOL|STRING)(\[\])*$/i;

/** Whether a text is the name of a type that an entry can have: `UINT32`, `string[]`. @param {string} text */
export const isTypeName = (text) => TYPE.test(text);

/**
 * Reads a value from the text of an argument.
 *
 * @param {Editor} editor
 * @param {string} key
 * @param {string} text
 * @param {string | undefined} chosenType The type that the user asks for.
 * @returns {{ value: NewValue, type?: NewType }} `type` only if the user asked for it: the editor knows the others.
 */
export function parseValue(editor, key, text, chosenType) {
  const type = chosenType?.toUpperCase() ?? knownType(editor, key, text);
  const value =
    type === undefined ? guessValue(text, key) : (tokenId(editor, key, text, type) ?? readAs(text, type, key));
  return chosenType === undefined ? { value } : { value, type: /** @type {NewType} */ (type) };
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
  if (!key.endsWith("_token_id") || !INTEGER.test(type) || readInteger(text) !== undefined) return undefined;
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
    if (text === "true" || text === "false") return text === "true";
    throw cannotRead(text, key, type, "true or false");
  }
  const number = FLOAT.test(type) ? readFloat(text) : INTEGER.test(type) ? readInteger(text) : undefined;
  if (typeof number === "bigint") checkRange(number, type, key);
  if (number !== undefined) return number;
  if (FLOAT.test(type)) throw cannotRead(text, key, type, "a number such as 0.5, inf or nan");
  if (INTEGER.test(type)) throw cannotRead(text, key, type, "a whole number");
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
  throw cannotRead(text, key, type, "a JSON array such as [1, 2, 3]");
}

/** @param {string} text */
function readInteger(text) {
  const digits = text.trim();
  return digits.length <= MOST_DIGITS && /^[+-]?\d+$/.test(digits) ? BigInt(digits.replace("+", "")) : undefined;
}

/**
 * Checks that an integer fits into a type.
 *
 * @param {bigint} value
 * @param {string} type
 * @param {string} key
 */
function checkRange(value, type, key) {
  const bits = BigInt(/\d+/.exec(type)?.[0] ?? 64);
  const [least, end] = type.startsWith("U") ? [0n, 1n << bits] : [-(1n << (bits - 1n)), 1n << (bits - 1n)];
  if (value >= least && value < end) return;
  throw new CommandError(
    "does-not-fit",
    `the value ${shorten(String(value), 80)} of ${quoted(key)} does not fit ${type}. Expected ${least} to ${end - 1n}.`,
  );
}

/** @param {string} text */
function readFloat(text) {
  const [, sign, special] = /^\s*([+-]?)(inf(?:inity)?|nan)\s*$/i.exec(text) ?? [];
  if (special !== undefined) return (sign === "-" ? -1 : 1) * (special.toLowerCase() === "nan" ? NaN : Infinity);
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? undefined : number;
}

/**
 * The value of a key about which nothing is known.
 *
 * @param {string} text
 * @param {string} key
 * @returns {NewValue}
 */
function guessValue(text, key) {
  if (text === "true" || text === "false") return text === "true";
  // The editor gives a `bigint` a type of 64 bits, which few readers expect.
  const integer = readInteger(text);
  if (integer !== undefined) {
    checkRange(integer, integer < 0n ? "INT64" : "UINT64", key);
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  }
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const array = text.startsWith("[") ? parseJson(text) : undefined;
  return Array.isArray(array) && array.length > 0 ? guessElements(array) : text;
}

/** @param {readonly unknown[]} array @returns {NewValue[]} */
function guessElements(array) {
  const isNumber = array.some((element) => typeof element === "number");
  return array.map((element) => {
    if (Array.isArray(element)) return guessElements(element);
    if (isNumber && typeof element === "string") return readInteger(element) ?? element;
    return typeof element === "number" || typeof element === "boolean" ? element : String(element);
  });
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
