import type { KeyInfo, MetadataArray, MetadataEntry, MetadataValue } from "gguf-wasm/explain";
import { allowedValue } from "../gguf/allowed-values.ts";
import { keyInfo } from "../gguf/library.ts";
import { valueText } from "./metadata-rows.ts";

/** An array of the same length whose elements belong to the elements of another array: the score or the type of each token. */
export interface Companion {
  label: string;
  array: MetadataArray;
  /** The meaning of the array's key, if it is known. */
  info?: KeyInfo;
}

/** The arrays beside an array: the names of its own values, or what belongs to the tokens if it is the token list. */
export function companionsOf(metadata: ReadonlyMap<string, MetadataValue>, entry: MetadataEntry): Companion[] {
  const found: Companion[] = [];
  const { value } = entry;
  const own = keyInfo(entry.key);
  if (typeof value === "object" && own?.values) return [{ label: own.title, array: value, info: own }];
  if (entry.key !== "tokenizer.ggml.tokens") return found;
  for (const [key, label] of [
    ["tokenizer.ggml.token_type", "Type"],
    ["tokenizer.ggml.scores", "Score"],
  ] as const) {
    const array = metadata.get(key);
    if (typeof array !== "object" || array.length !== entry.length) continue;
    const info = keyInfo(key);
    found.push({ label, array, ...(info ? { info } : {}) });
  }
  return found;
}

/** The text of a companion's element: its name, or the value if it has none. */
export function companionText({ array, info }: Companion, index: number): string {
  const value = array.at(index);
  if (value === undefined || typeof value === "object") return "";
  return allowedValue(info, value)?.name ?? valueText(value, array.elementType);
}
