import type { MetadataArray, MetadataEntry, MetadataValue } from "gguf-wasm";
import { valueText } from "./metadata-rows.ts";

/** An array of the same length whose elements belong beside this one's: a token's score, a token's type. */
export interface Companion {
  label: string;
  array: MetadataArray;
  words?: ReadonlyMap<number, string>;
}

// llama.cpp's llama_token_type
const TOKEN_TYPES = new Map([
  [0, "undefined"],
  [1, "normal"],
  [2, "unknown"],
  [3, "control"],
  [4, "user defined"],
  [5, "unused"],
  [6, "byte"],
]);

/** What belongs beside each token. */
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

/** What a companion says of an element. */
export function companionText(companion: Companion, index: number): string {
  const value = companion.array.at(index);
  if (value === undefined || typeof value === "object") return "";
  const word = typeof value === "number" ? companion.words?.get(value) : undefined;
  return word ?? valueText(value, companion.array.elementType);
}
