/** Converts between values and the text that people type for them. */

import type { MetadataValue, ValueTypeName } from "gguf-wasm/explain";
import type { NewType, NewValue } from "gguf-wasm/full";
import { integerRange, isFloat, readInteger, readNamedFloat } from "gguf-wasm/common/number-texts.js";
import { formatFloat, formatId, formatInteger } from "../ui/numbers.ts";

export type ScalarType = Exclude<ValueTypeName, "ARRAY">;

/** The value of a text, or the problem if the text is not valid. The remark says how a rounded number is stored. */
export type Parsed<T = NewValue> =
  { value: T; remark?: string; problem?: never } | { problem: string; value?: never; remark?: never };

/** The scalar types in the order of the menu. */
export const SCALAR_TYPES: readonly ScalarType[] = [
  "STRING",
  "BOOL",
  "UINT32",
  "INT32",
  "FLOAT32",
  "UINT64",
  "INT64",
  "FLOAT64",
  "UINT8",
  "INT8",
  "UINT16",
  "INT16",
];

/** Whether the values of a type are integers. */
export function isInteger(type: string): type is ScalarType {
  return /^U?INT\d+$/.test(type);
}

/** The values that a type allows, as a short text. */
export function typeHint(type: string): string {
  const range = integerRange(type);
  if (range) return `A whole number from ${formatInteger(range.least)} to ${formatInteger(range.most)}`;
  if (isFloat(type)) return "A number; also NaN, Infinity, -Infinity";
  return type === "BOOL" ? "true or false" : "Text";
}

/** The text of a value. `parseScalar` converts it back to the same value. */
export function editText(value: MetadataValue, type: string): string {
  if (typeof value === "number")
    return isFloat(type) ? formatFloat(value, type === "FLOAT32" ? 32 : 64) : String(value);
  return String(value);
}

/** Parses a text as a value of a type. */
export function parseScalar(type: ScalarType, text: string): Parsed {
  if (type === "STRING") return parseString(text);
  const typed = text.trim();
  if (type === "BOOL") {
    if (/^(?:true|1)$/i.test(typed)) return { value: true };
    if (/^(?:false|0)$/i.test(typed)) return { value: false };
    return { problem: "Type true or false." };
  }
  if (typed === "") return { problem: "Type a number." };
  return isFloat(type) ? parseFloatOf(type, typed) : parseInteger(type, typed);
}

function parseString(text: string): Parsed<string> {
  // UTF-8 cannot encode a lone surrogate. It would be saved as U+FFFD.
  return text.isWellFormed()
    ? { value: text }
    : { problem: "The text contains half of a character (a lone surrogate). Remove it." };
}

function parseInteger(type: ScalarType, typed: string): Parsed {
  const [, sign, hexadecimal] = /^([+-]?)(0x[\da-f]{1,100})$/i.exec(typed) ?? [];
  // Digits can be in groups of three.
  const grouped = /^[+-]?\d{1,3}(?:[,_ ]\d{3})+$/.test(typed) ? typed.replace(/[,_ ]/g, "") : typed;
  const size = hexadecimal === undefined ? readInteger(grouped) : BigInt(hexadecimal);
  if (size === undefined) return { problem: "This is not a whole number." };
  const value = hexadecimal !== undefined && sign === "-" ? -size : size;
  const range = integerRange(type);
  if (range && (value < range.least || value > range.most))
    return {
      problem: `This number is too ${value < range.least ? "small" : "large"} for ${type}, which holds ${formatInteger(range.least)} to ${formatInteger(range.most)}.`,
    };
  return { value: type.endsWith("64") ? value : Number(value) };
}

const LARGEST_FLOAT32 = 3.4028234663852886e38;

function parseFloatOf(type: ScalarType, typed: string): Parsed<number> {
  const named = readNamedFloat(typed);
  if (named !== undefined) return { value: named };
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(typed)) return { problem: "This is not a number." };
  const value = Number(typed);
  const stored = type === "FLOAT32" ? Math.fround(value) : value;
  if (!Number.isFinite(stored)) {
    const most = type === "FLOAT32" ? LARGEST_FLOAT32 : Number.MAX_VALUE;
    return {
      problem: `This number is too large for ${type}, which holds numbers up to ±${formatFloat(most, type === "FLOAT32" ? 32 : 64)}.`,
    };
  }
  const text = formatFloat(stored, type === "FLOAT32" ? 32 : 64);
  // A number that is too small for a double becomes 0.
  const underflows = value === 0 && /[1-9]/.test(typed.replace(/e.*/i, ""));
  return Number(text) === value && !underflows
    ? { value: stored }
    : { value: stored, remark: `Stored as ${text}, the nearest ${type}.` };
}

/** Parses the elements of an array, one per line. An empty text has no element. */
export function parseElements(type: ScalarType, text: string): Parsed<NewValue[]> {
  const values: NewValue[] = [];
  if (text === "") return { value: values };
  const lines = text.split("\n");
  // A line break at the end does not begin another element.
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  for (const [at, line] of lines.entries()) {
    const parsed = parseScalar(type, line);
    if (parsed.problem !== undefined)
      return { problem: lines.length === 1 ? parsed.problem : `Line ${formatId(at + 1)}: ${parsed.problem}` };
    values.push(parsed.value);
  }
  return { value: values };
}

/** Elements as a value with exactly this element type. */
export function elementsOf(type: ScalarType, values: readonly NewValue[]): NewValue {
  const numbers = values as number[];
  const integers = values as bigint[];
  switch (type) {
    case "UINT8":
      return Uint8Array.from(numbers);
    case "INT8":
      return Int8Array.from(numbers);
    case "UINT16":
      return Uint16Array.from(numbers);
    case "INT16":
      return Int16Array.from(numbers);
    case "UINT32":
      return Uint32Array.from(numbers);
    case "INT32":
      return Int32Array.from(numbers);
    case "UINT64":
      return BigUint64Array.from(integers);
    case "INT64":
      return BigInt64Array.from(integers);
    case "FLOAT32":
      return Float32Array.from(numbers);
    case "FLOAT64":
      return Float64Array.from(numbers);
    case "BOOL":
    case "STRING":
      return values;
  }
}

/** The type of a value in the form that `retype` takes: "STRING", "UINT32[]". */
export function newTypeOf(type: ValueTypeName, value: MetadataValue): NewType {
  if (typeof value !== "object") return type;
  if (value.elementType !== "ARRAY") return `${value.elementType}[]`;
  const first = value.at(0);
  return typeof first === "object" ? `${first.elementType}[][]` : "ARRAY[]";
}

/** The element type of an array type. Undefined for other types. */
export function elementTypeOf(type: NewType): NewType | undefined {
  return type.endsWith("[]") ? (type.slice(0, -2) as NewType) : undefined;
}

/** The initial value of a new entry. */
export function emptyValue(type: NewType): NewValue {
  if (type.endsWith("[]")) return [];
  if (type === "STRING") return "";
  if (type === "BOOL") return false;
  return type === "UINT64" || type === "INT64" ? 0n : 0;
}
