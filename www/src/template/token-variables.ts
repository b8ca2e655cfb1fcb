/** The variables of a template that name special tokens, and what programs add to the text by themselves. */

import type { MetadataValue, SpecialToken, TokenizerModelInfo } from "gguf-wasm/explain";
import type { FileTokenizer } from "../worker/file-tokenizer.ts";

/** The texts of the special tokens that llama-server gives templates. */
export interface TokenVariables {
  readonly bos_token: string;
  readonly eos_token: string;
}

/** The entries that say whether programs add the BOS and the EOS token. */
export const ADD_BOS = "tokenizer.ggml.add_bos_token";
const ADD_EOS = "tokenizer.ggml.add_eos_token";

/** A header with special tokens: of the stored file, or of the edited one. */
interface Header {
  specialTokens(): readonly SpecialToken[];
}

/** The texts of the special tokens. A missing token is empty, as in llama.cpp. */
export function tokenVariables(header: Header): TokenVariables {
  const tokens = tokensOf(header);
  const textOf = (wanted: string) => tokens.find(({ role }) => role === wanted)?.text ?? "";
  return { bos_token: textOf("bos"), eos_token: textOf("eos") };
}

function tokensOf(header: Header): readonly SpecialToken[] {
  try {
    return header.specialTokens();
  } catch {
    // The edited file cannot be written, or a token is too long for a text.
    return [];
  }
}

/** The id of the BOS token. */
export function bosIdOf(header: Header): number | undefined {
  return idOf(header, "bos");
}

function idOf(header: Header, wanted: "bos" | "eos"): number | undefined {
  return tokensOf(header).find(({ role }) => role === wanted)?.id;
}

/** A tokenizer, or why it cannot be run. */
type AddingTokenizer = Pick<FileTokenizer, "added"> | { readonly problem: string };

/**
 * Whether programs put the BOS token before each text, as the tokenizer does. Undefined until the tokenizer is made. If the tokenizer
 * cannot be run, the entry `add_bos_token` decides. If this entry is missing, the default of llama.cpp for this tokenizer decides.
 */
export function addsBos(
  metadata: ReadonlyMap<string, MetadataValue>,
  bosId: number | undefined,
  tokenizer: AddingTokenizer | undefined,
  models: readonly TokenizerModelInfo[],
): boolean | undefined {
  if (tokenizer === undefined) return undefined;
  if (!("problem" in tokenizer)) return bosId !== undefined && tokenizer.added[0] === bosId;
  const added = metadata.get(ADD_BOS);
  if (typeof added === "boolean") return added;
  return models.find(({ name }) => name === metadata.get("tokenizer.ggml.model"))?.addsBos ?? false;
}

/** A file whose tokenizer adds tokens: its entries after editing, and its stored header, from which the tokenizer is made. */
interface AddingFile {
  readonly stored: Header & { readonly metadata: ReadonlyMap<string, MetadataValue> };
  readonly metadata: ReadonlyMap<string, MetadataValue>;
  readonly tokenizer: AddingTokenizer | undefined;
}

/** Whether programs put the BOS and the EOS token around each text. Undefined until the tokenizer is made. */
export function addedTokens(
  { stored, metadata, tokenizer }: AddingFile,
  models: readonly TokenizerModelInfo[],
): { readonly bos: boolean | undefined; readonly eos: boolean | undefined } {
  // The tokenizer does not know edited entries.
  const current = (key: string) =>
    metadata.get(key) === stored.metadata.get(key) ? tokenizer : { problem: "the entry is edited" };
  const eos = current(ADD_EOS);
  const eosId = idOf(stored, "eos");
  return {
    bos: addsBos(metadata, bosIdOf(stored), current(ADD_BOS), models),
    eos: eos && ("problem" in eos ? metadata.get(ADD_EOS) === true : eosId !== undefined && eos.added.at(-1) === eosId),
  };
}
