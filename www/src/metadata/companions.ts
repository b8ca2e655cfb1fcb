import type { MetadataArray, MetadataEntry, MetadataValue } from "gguf-wasm";
import { valueText } from "./metadata-rows.ts";

/** An array of the same length whose elements belong to the elements of another array: the score or the type of each token. */
export interface Companion {
  label: string;
  array: MetadataArray;
  words?: ReadonlyMap<number, string>;
}

// The names of llama.cpp's `llama_token_type`.
const TOKEN_TYPES = new Map([
  [0, "undefined"],
  [1, "normal"],
  [2, "unknown"],
  [3, "control"],
  [4, "user defined"],
  [5, "unused"],
  [6, "byte"],
]);

/** The companions of an array; none if it is not the token list. */
export function companionsOf(metadata: ReadonlyMap<string, MetadataValue>, entry: MetadataEntry): Companion[] {
  const found: Companion[] = [];
  if (entry.key !== "tokenizer.ggml.tokens") return found;
  for (const [key, label, words] of [
    ["tokenizer.ggml.token_type", "Type", TOKEN_TYPES],
    ["tokenizer.ggml.scores", "Score", undefined],
  ] as const) {
    const array = metadata.get(key);
    if (typeof array !== "object" || array.length !== entry.length) continue;
    found.push(words ? { label, array, words } : { label, array });
  }
  return found;
}

/** The text of a companion's element. */
export function companionText(companion: Companion, index: number): string {
  const value = companion.array.at(index);
  if (value === undefined || typeof value === "object") return "";
  const word = typeof value === "number" ? companion.words?.get(value) : undefined;
  return word ?? valueText(value, companion.array.elementType);
}
