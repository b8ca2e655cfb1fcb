/** The variables of a template that name special tokens, and what programs add to the text by themselves. */

import type { MetadataValue, SpecialToken, TokenizerModelInfo } from "gguf-wasm/explain";
import type { FileTokenizer } from "../worker/file-tokenizer.ts";
import type { TokenVariables } from "./render-input.ts";

/** The variables by the role of the token. Transformers gives templates these, llama.cpp the first two. */
const VARIABLES: Readonly<Record<string, string>> = {
  bos: "bos_token",
  eos: "eos_token",
  unk: "unk_token",
  sep: "sep_token",
  pad: "pad_token",
  cls: "cls_token",
  mask: "mask_token",
};

/** The entry that says whether programs add the BOS token. */
export const ADD_BOS = "tokenizer.ggml.add_bos_token";

/** A header with special tokens: of the stored file, or of the edited one. */
interface Header {
  specialTokens(): readonly SpecialToken[];
}

/** The texts of the special tokens. A missing BOS or EOS token is empty, as in llama.cpp. */
export function tokenVariables(header: Header): TokenVariables {
  const variables: Record<string, string> = { bos_token: "", eos_token: "" };
  for (const { role, text } of tokensOf(header)) {
    const name = Object.hasOwn(VARIABLES, role) ? VARIABLES[role] : undefined;
    if (name !== undefined && text !== undefined) variables[name] = text;
  }
  return variables;
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
  return tokensOf(header).find(({ role }) => role === "bos")?.id;
}

/** A tokenizer, or why it cannot be run. */
type BosTokenizer = Pick<FileTokenizer, "added"> | { readonly problem: string };

/**
 * Whether programs put the BOS token before each text, as the tokenizer does. Undefined until the tokenizer is made. If the tokenizer
 * cannot be run, the entry `add_bos_token` decides. If this entry is missing, the default of llama.cpp for this tokenizer decides.
 */
export function addsBos(
  metadata: ReadonlyMap<string, MetadataValue>,
  bosId: number | undefined,
  tokenizer: BosTokenizer | undefined,
  models: readonly TokenizerModelInfo[],
): boolean | undefined {
  if (tokenizer === undefined) return undefined;
  if (!("problem" in tokenizer)) return bosId !== undefined && tokenizer.added[0] === bosId;
  const added = metadata.get(ADD_BOS);
  if (typeof added === "boolean") return added;
  return models.find(({ name }) => name === metadata.get("tokenizer.ggml.model"))?.addsBos ?? false;
}
