/** The names of the types of tokens. */

import { allowedValue } from "../gguf/allowed-values.ts";
import { keyInfo } from "../gguf/library.ts";

const KEY = "tokenizer.ggml.token_type";

/** The name of a type: "Control". A type that is not known is its number. */
export function typeName(type: number | undefined): string {
  if (type === undefined || Number.isNaN(type)) return "";
  return allowedValue(keyInfo(KEY), type)?.name ?? String(type);
}

/** What tokens of a type are, in a sentence. */
export function typeMeaning(type: number): string | undefined {
  return allowedValue(keyInfo(KEY), type)?.description;
}
