/**
 * Texts and comparisons of a template's values by the rules of Python. The interpreter of @huggingface/jinja uses the rules of JavaScript.
 */

import { Environment, type Interpreter } from "@huggingface/jinja";
import { CHARACTER, CONTAINER, type MemoryBudget } from "./memory-budget.ts";

/** A value of the interpreter. The package exports no classes of values, so `type` is their name. */
export type Value = ReturnType<Interpreter["evaluate"]>;

/** Makes a value of the interpreter. */
export const valueOf = (value: unknown): Value => new Environment().set("value", value);

/** Makes a number that Python writes with a decimal point. */
export const floatOf = (value: number): Value => Object.assign(valueOf(0.5), { value });

type FunctionBody = (args: Value[], environment: Environment) => Value;

/** A function of a template, with its arguments as values of the interpreter. `original` is a function that it replaces. */
export function functionOf(body: FunctionBody, original = valueOf(() => null)): Value {
  return Object.assign(Object.create(Object.getPrototypeOf(original) as object) as Value, original, { value: body });
}

/** The text of a value in the rendering: `str()` in Python. An undefined value is empty. */
export function textOf(made: Value, budget: MemoryBudget): string {
  const { type, value } = made;
  return typeof value === "string" ? value : type === "UndefinedValue" ? "" : sourceOf(made, budget);
}

/** The characters of the longest escape, of a character that has two units. */
const LONGEST_ESCAPE = 5;

/**
 * The source of a value: `repr()` in Python. A list that occurs many times as an element is written each time. So the bytes of each part
 * are spent before the parts are joined.
 */
function sourceOf({ type, value }: Value, budget: MemoryBudget): string {
  budget.spend(CONTAINER);
  // The value of `none` is undefined in the interpreter, too.
  if (value === undefined || value === null) return type === "NullValue" ? "None" : "Undefined";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return type === "FloatValue" ? floatSource(value) : integerSource(value);
  if (typeof value === "string") return stringSource(value, budget);
  if (typeof value === "function") return "<function>";
  if (Array.isArray(value)) {
    const parts = joined(
      value.map((part) => sourceOf(part, budget)),
      budget,
    );
    return type === "TupleValue" ? `(${parts})` : `[${parts}]`;
  }
  const members = [...value].map(([key, member]) => `${stringSource(key, budget)}: ${sourceOf(member, budget)}`);
  const source = `{${joined(members, budget)}}`;
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

function joined(parts: readonly string[], budget: MemoryBudget): string {
  budget.spend(parts.reduce((length, part) => length + part.length + 2, 0) * CHARACTER);
  return parts.join(", ");
}

function stringSource(text: string, budget: MemoryBudget): string {
  budget.spend(text.length * LONGEST_ESCAPE * CHARACTER);
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

/** The offset of the character at an index, or of the end. Negative indices count from the end. */
function offsetOf(text: string, index: number): number {
  const isPair = (at: number) => (text.codePointAt(at) ?? 0) > 0xffff;
  let at = 0;
  for (let left = index; left > 0 && at < text.length; left -= 1) at += isPair(at) ? 2 : 1;
  if (index >= 0) return at;
  at = text.length;
  for (let left = index; left < 0 && at > 0; left += 1) at -= at > 1 && isPair(at - 2) ? 2 : 1;
  return at;
}

/** `text[start:stop]` in Python, whose characters are code points. */
export function sliceText(text: string, start = 0, stop?: number): string {
  return text.slice(offsetOf(text, start), stop === undefined ? text.length : offsetOf(text, stop));
}
