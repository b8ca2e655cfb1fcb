/** Texts and comparisons of a template's values as Python has them. The interpreter of @huggingface/jinja has those of JavaScript. */

import { Environment, type Interpreter } from "@huggingface/jinja";

/** A value of the interpreter. The package exports no classes of values, so `type` is their name. */
export type Value = ReturnType<Interpreter["evaluate"]>;

/** Makes a value of the interpreter. */
export const valueOf = (value: unknown): Value => new Environment().set("value", value);

/** Makes a number that Python writes with a decimal point. */
export const floatOf = (value: number): Value => Object.assign(valueOf(0.5), { value });

/** The text of a value in the rendering: `str()` in Python. An undefined value is empty. */
export function textOf(made: Value): string {
  const { type, value } = made;
  return typeof value === "string" ? value : type === "UndefinedValue" ? "" : sourceOf(made);
}

/** The source of a value: `repr()` in Python. */
function sourceOf({ type, value }: Value): string {
  // The value of `none` is undefined in the interpreter, too.
  if (value === undefined || value === null) return type === "NullValue" ? "None" : "Undefined";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return type === "FloatValue" ? floatSource(value) : integerSource(value);
  if (typeof value === "string") return stringSource(value);
  if (typeof value === "function") return "<function>";
  if (Array.isArray(value)) {
    const parts = value.map(sourceOf).join(", ");
    return type === "TupleValue" ? `(${parts})` : `[${parts}]`;
  }
  const members = [...value].map(([key, member]) => `${stringSource(key)}: ${sourceOf(member)}`);
  const source = `{${members.join(", ")}}`;
  return type === "NamespaceValue" ? `<Namespace ${source}>` : source;
}

function integerSource(value: number): string {
  return Number.isFinite(value) ? BigInt(value).toString() : String(value);
}

function floatSource(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  if (Object.is(value, -0)) return "-0.0";
  const size = Math.abs(value);
  // Python writes exponents with two digits.
  if (size >= 1e16 || (size < 1e-4 && size > 0)) return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function stringSource(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\'\p{C}\p{Z}]/gu, (character) => {
    if (character === " " || character === "'") return character === quote ? `\\${character}` : character;
    const code = character.codePointAt(0) ?? 0;
    const hex = (digits: number) => code.toString(16).padStart(digits, "0");
    return ESCAPES.get(character) ?? (code < 0x100 ? `\\x${hex(2)}` : code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`);
  });
  return `${quote}${escaped}${quote}`;
}

const isNumber = (value: unknown) => typeof value === "number" || typeof value === "boolean";

/** `==` in Python. */
export function areEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (isNumber(a.value) && isNumber(b.value)) return Number(a.value) === Number(b.value);
  if (a.type !== b.type) return false;
  if (Array.isArray(a.value) && Array.isArray(b.value)) {
    const others = b.value;
    return a.value.length === others.length && a.value.every((part, index) => isSame(part, others[index]));
  }
  if (a.type === "ObjectValue" && a.value instanceof Map && b.value instanceof Map) {
    const others = b.value;
    return a.value.size === others.size && [...a.value].every(([key, member]) => isSame(member, others.get(key)));
  }
  return a.value === b.value;
}

const isSame = (a: Value, b: Value | undefined) => b !== undefined && areEqual(a, b);

/** `/`, `//` and `%` in Python: a remainder has the sign of the divisor. */
export function divide(operator: string, left: Value, right: Value): Value {
  if (!isNumber(left.value) || !isNumber(right.value))
    throw new Error(`Cannot compute “${operator}” of values that are not numbers.`);
  const [a, b] = [Number(left.value), Number(right.value)];
  if (b === 0) throw new Error("Division by zero.");
  if (operator === "/") return floatOf(a / b);
  const remainder = a % b;
  const result =
    operator === "//" ? Math.floor(a / b) : remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder;
  return left.type === "FloatValue" || right.type === "FloatValue" ? floatOf(result) : valueOf(result);
}

/** `in` in Python. Nothing is in an undefined value. */
export function isIn(part: Value, { value, type }: Value): boolean {
  if (Array.isArray(value)) return value.some((element) => areEqual(part, element));
  if (value instanceof Map) return typeof part.value === "string" && value.has(part.value);
  if (typeof value === "string" && typeof part.value === "string") return value.includes(part.value);
  if (type === "UndefinedValue") return false;
  throw new Error(`Cannot look for a value of type ${part.type} in one of type ${type}.`);
}
