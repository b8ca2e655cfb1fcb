/** The arguments of a step of an editor as JSON, with all that JSON has no form for: `bigint`s, NaN, bytes, and arrays of files. */

import type { MetadataArray } from "gguf-wasm/explain";
import { exactArray } from "./array-values.ts";

/** The types of arrays that keep the types of their elements. */
const TYPED_ARRAYS = [
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigUint64Array,
  BigInt64Array,
] as const;

type TypedArray = InstanceType<(typeof TYPED_ARRAYS)[number]>;

/** An object that stands for a value which JSON does not have. Other objects stand in an `object`. */
interface Packed {
  readonly bigint?: string;
  readonly number?: string;
  readonly typed?: string;
  readonly elements?: readonly unknown[];
  readonly object?: Readonly<Record<string, unknown>>;
}

/** The text of a value. Undefined if it would be longer than `most` characters. */
export function packedText(value: unknown, most: number): string | undefined {
  const text = isWithin(value, most) ? JSON.stringify(packed(value)) : "";
  return text === "" || text.length > most ? undefined : text;
}

/** The value of a text. */
export function unpackedValue(text: string): unknown {
  return unpacked(JSON.parse(text));
}

/** Whether the text of a value may be short enough: an element takes two characters at least. Large arrays are not even copied. */
function isWithin(value: unknown, most: number): boolean {
  if (typeof value === "string") return value.length <= most;
  if (Array.isArray(value)) return value.length * 2 <= most && value.every((element) => isWithin(element, most));
  if (typeof value !== "object" || value === null) return true;
  if ("length" in value) return Number(value.length) * 2 <= most;
  return Object.values(value).every((member) => isWithin(member, most));
}

function packed(value: unknown): unknown {
  if (typeof value === "bigint") return { bigint: String(value) } satisfies Packed;
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : ({ number: Object.is(value, -0) ? "-0" : String(value) } satisfies Packed);
  if (Array.isArray(value)) return value.map(packed);
  if (typeof value !== "object" || value === null) return value;
  const typed = TYPED_ARRAYS.find((type) => value instanceof type);
  if (typed)
    return {
      typed: typed.name,
      elements: [...(value as TypedArray)].map((element) => packed(element)),
    } satisfies Packed;
  if ("elementType" in value) return packed(exactArray(value as MetadataArray));
  const members = Object.entries(value).map(([name, member]) => [name, packed(member)] as const);
  return { object: Object.fromEntries(members) } satisfies Packed;
}

function unpacked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpacked);
  if (typeof value !== "object" || value === null) return value;
  const { bigint, number, typed, elements = [], object = {} } = value as Packed;
  if (bigint !== undefined) return BigInt(bigint);
  if (number !== undefined) return Number(number);
  const type = TYPED_ARRAYS.find(({ name }) => name === typed);
  if (type) return (type as { from(values: readonly unknown[]): TypedArray }).from(elements.map(unpacked));
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, unpacked(member)]));
}
