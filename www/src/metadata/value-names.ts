import type { KeyInfo, MetadataEntry, MetadataValue } from "gguf-wasm/explain";
import { valueName } from "../gguf/allowed-values.ts";

const TOKENS = "tokenizer.ggml.tokens";

/** What stands beside the value of an entry: the name of an allowed value, or the text of the token with this id. */
export function nameOfValue(
  { value }: MetadataEntry,
  info: KeyInfo | undefined,
  metadata: ReadonlyMap<string, MetadataValue>,
): string | undefined {
  if (!info?.isTokenId || (typeof value !== "number" && typeof value !== "bigint")) return valueName(info, value);
  const tokens = metadata.get(TOKENS);
  const id = Number(value);
  const token = typeof tokens === "object" && id >= 0 ? tokens.at(id) : undefined;
  return typeof token === "string" ? token : undefined;
}
