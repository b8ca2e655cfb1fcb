import type { KeyInfo } from "gguf-wasm/explain";
import { keys as knownKeys } from "../gguf/library.ts";

/** A key for a new entry, and what it means. */
export interface KeySuggestion {
  key: string;
  info: KeyInfo;
}

/** A pattern with a part that only the person knows is not suggested. */
const OPEN_PATTERN = /\{(?:id|name)\}/;

/**
 * The known keys that the file does not have, with the architecture of the file filled in. Keys that the architecture requires come first,
 * deprecated keys are left out.
 */
export function keySuggestions(present: readonly string[], architecture: string | undefined): KeySuggestion[] {
  const taken = new Set(present);
  const required: KeySuggestion[] = [];
  const others: KeySuggestion[] = [];
  for (const info of knownKeys()) {
    const { pattern, deprecatedFor, requiredBy } = info;
    if (deprecatedFor !== undefined || OPEN_PATTERN.test(pattern)) continue;
    if (pattern.includes("{arch}") && !architecture) continue;
    const key = pattern.replaceAll("{arch}", () => architecture ?? "");
    if (taken.has(key)) continue;
    const isRequired =
      architecture !== undefined &&
      (requiredBy?.specification.includes(architecture) || requiredBy?.llamaCpp.includes(architecture));
    (isRequired ? required : others).push({ key, info });
  }
  return [...required, ...others];
}

/** The suggestions whose key or title contains every word of a text. Keys that begin with the text come first. */
export function matchingSuggestions(suggestions: readonly KeySuggestion[], text: string): KeySuggestion[] {
  const typed = text.trim().toLowerCase();
  const words = typed.split(/\s+/).filter(Boolean);
  const found = suggestions.filter(({ key, info }) => {
    const searched = `${key} ${info.title}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  if (typed === "") return found;
  const begins = (suggestion: KeySuggestion) => suggestion.key.toLowerCase().startsWith(typed);
  return [...found.filter(begins), ...found.filter((suggestion) => !begins(suggestion))];
}
