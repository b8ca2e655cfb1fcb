/** The values that a metadata key may have, by name. */

import type { KeyInfo, KeyValue, MetadataValue } from "gguf-wasm/explain";

/** llama.cpp adds this number to a file type that it guessed from the tensors. */
const GUESSED = 1024;
export const FILE_TYPE_KEY = "general.file_type";

/** The id of a file type, without the mark of a guess. */
export function fileTypeId(stored: number): number {
  return stored >= GUESSED ? stored - GUESSED : stored;
}

/** The meaning of a value of a key with a fixed set of values. Undefined if the value is not one of them. */
export function allowedValue(info: KeyInfo | undefined, value: MetadataValue): KeyValue | undefined {
  if (!info?.values || typeof value === "object" || typeof value === "boolean") return undefined;
  const plain = typeof value === "bigint" ? Number(value) : value;
  const stored = info.pattern === FILE_TYPE_KEY && typeof plain === "number" ? fileTypeId(plain) : plain;
  return info.values.find((allowed) => allowed.value === stored);
}

/**
 * The name of a value. Undefined if the value has no name, or if the name is the value itself. A file type that llama.cpp guessed is
 * marked.
 */
export function valueName(info: KeyInfo | undefined, value: MetadataValue): string | undefined {
  const allowed = allowedValue(info, value);
  if (allowed === undefined || allowed.name === value) return undefined;
  return typeof value === "number" && allowed.value !== value ? `${allowed.name}, guessed` : allowed.name;
}

/** A value with its name: `15 · Q4_K_M`. */
export function labelledValue({ value, name }: KeyValue): string {
  return name === String(value) ? name : `${value} · ${name}`;
}
