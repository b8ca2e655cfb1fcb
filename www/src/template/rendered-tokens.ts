/**
 * The special tokens of a vocabulary, and where they stand in a rendered text: pieces that the tokenizer takes as one token before it splits
 * the rest.
 */

import type { Literal } from "gguf-wasm/common/template-facts.js";
import type { UnknownToken } from "gguf-wasm/common/template-flags.js";
import type { Gguf } from "gguf-wasm/explain";
import { failureOf } from "../gguf/failure.ts";
import { pause } from "../ui/in-pieces.ts";
import { truncate } from "../ui/text.ts";
import type { FileTokenizer } from "../worker/file-tokenizer.ts";

/** The types of tokens that are found in a text as a whole, by their number in `tokenizer.ggml.token_type`. */
const SPECIAL_TYPES: Readonly<Record<number, TokenKind>> = { 3: "control", 4: "user-defined" };

export type TokenKind = "control" | "user-defined";

export interface SpecialText {
  readonly id: number;
  readonly text: string;
  readonly kind: TokenKind;
}

/** The tokens that are read before the page may do something else. */
const TOKENS_AT_ONCE = 4096;

/** Longer texts of special tokens are not looked for. Each length takes one look at each position of a text. */
const LONGEST_SPECIAL = 128;

/** The special tokens of a file by their text. */
export class SpecialTokens {
  readonly #byText = new Map<string, SpecialText>();
  /** The lengths of the texts that begin with a character, the longest first. */
  readonly #lengths = new Map<string, number[]>();

  constructor(tokens: Iterable<SpecialText>) {
    const lengths = new Map<string, Set<number>>();
    for (const token of tokens) {
      const { text } = token;
      if (text === "" || this.#byText.has(text)) continue;
      this.#byText.set(text, token);
      if (text.length > LONGEST_SPECIAL) continue;
      const first = text.charAt(0);
      const known = lengths.get(first);
      if (known) known.add(text.length);
      else lengths.set(first, new Set([text.length]));
    }
    for (const [first, known] of lengths)
      this.#lengths.set(
        first,
        [...known].sort((a, b) => b - a),
      );
  }

  /** The token that begins at a position of a text: the longest of several. */
  at(text: string, position: number): SpecialText | undefined {
    for (const length of this.#lengths.get(text.charAt(position)) ?? []) {
      const token = this.#byText.get(text.slice(position, position + length));
      // The end of the text may be shorter.
      if (token?.text.length === length) return token;
    }
    return undefined;
  }

  /** The token with a text. */
  find(text: string): SpecialText | undefined {
    return this.#byText.get(text);
  }
}

/** Reads the special tokens of a vocabulary in pieces. Undefined if the file has no vocabulary. */
export async function specialTokens(gguf: Gguf, signal: AbortSignal): Promise<SpecialTokens | undefined> {
  const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
  const types = gguf.metadata.get("tokenizer.ggml.token_type");
  if (typeof tokens !== "object" || tokens.elementType !== "STRING") return undefined;
  if (typeof types !== "object" || !["INT32", "UINT32"].includes(types.elementType)) return new SpecialTokens([]);
  const found: SpecialText[] = [];
  const numbers = types.toTypedArray();
  const count = Math.min(numbers.length, tokens.length);
  for (let start = 0; start < count; start += TOKENS_AT_ONCE) {
    const end = Math.min(start + TOKENS_AT_ONCE, count);
    for (let id = start; id < end; id += 1) {
      const kind = SPECIAL_TYPES[Number(numbers[id])];
      const text = kind && tokens.at(id);
      if (kind && typeof text === "string") found.push({ id, text, kind });
    }
    await pause();
    signal.throwIfAborted();
  }
  return new SpecialTokens(found);
}

/** Whether the tokenizer makes one token of a text. llama.cpp takes some texts for control tokens by their name, whatever their type is. */
export async function isOneToken(text: string, tokenizer: Pick<FileTokenizer, "encode">): Promise<boolean> {
  try {
    return (await tokenizer.encode(text, { addSpecial: false })).length === 1;
  } catch (error) {
    // The vocabulary lacks what the text needs.
    if (failureOf(error).code !== "bad-vocabulary") throw error;
    return false;
  }
}

/** The texts of a template that look like special tokens but are not in the vocabulary as such. */
export async function unknownTokens(
  gguf: Pick<Gguf, "metadata">,
  isToken: (text: string) => boolean | Promise<boolean>,
  literals: readonly Literal[],
  signal: AbortSignal,
): Promise<UnknownToken[]> {
  const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
  if (typeof tokens !== "object") return [];
  const unknown: UnknownToken[] = [];
  for (const literal of literals) {
    if (await isToken(literal.text)) continue;
    // Each search compares all tokens.
    unknown.push({ literal, isNormal: tokens.indexOf(literal.text) >= 0 });
    await pause();
    signal.throwIfAborted();
  }
  return unknown;
}

/** A piece of a rendered text: one special token, another token, or text whose tokens are not known. */
export interface TextPiece {
  readonly text: string;
  readonly token?: SpecialText;
  /** The id of a token that is not special. */
  readonly id?: number;
}

/** The tokens that are pieces of their own. An element for each of more takes noticeable time. */
const MOST_PIECES = 4000;

/** A text with its special tokens, and the number of all its tokens, with those that the tokenizer adds. */
export interface TokenisedText {
  readonly pieces: readonly TextPiece[];
  readonly count: number;
  readonly added: number;
}

/**
 * Splits the first `limit` characters of a text at the tokens that the tokenizer of the file makes of them, and counts these. The rest is one
 * piece. After `MOST_PIECES` tokens, only special ones are pieces of their own.
 */
export async function tokenised(
  text: string,
  tokenizer: Pick<FileTokenizer, "tokenize" | "tokens" | "added">,
  limit: number,
): Promise<TokenisedText> {
  const { ids, offsets } = await tokenizer.tokenize(truncate(text, limit), { addSpecial: true, parseSpecial: true });
  const known = [...new Set(ids)];
  const kinds = new Map<number, TokenKind>();
  for (const [at, token] of (await tokenizer.tokens(known)).entries()) {
    // The unknown token also stands for each text that the vocabulary does not have.
    if (token?.isSpecial && token.type !== "unknown")
      kinds.set(known[at] ?? 0, token.type === "user-defined" ? token.type : "control");
  }
  const pieces: TextPiece[] = [];
  let from = 0;
  const addTo = (end: number, id?: number) => {
    if (end > from) pieces.push({ text: text.slice(from, end), ...(id === undefined ? {} : { id }) });
    from = Math.max(from, end);
  };
  ids.forEach((id, index) => {
    const kind = kinds.get(id);
    const [start = 0, end = 0] = offsets.subarray(index, index + 2);
    if (end === start) return;
    if (kind === undefined) {
      if (pieces.length >= MOST_PIECES) return;
      addTo(start);
      addTo(end, id);
      return;
    }
    // Some special tokens take the white space around them. The mark is for the token alone.
    const range = text.slice(start, end);
    const found = range.trim() || range;
    const at = start + range.indexOf(found);
    addTo(at);
    pieces.push({ text: found, token: { id, text: found, kind } });
    from = at + found.length;
  });
  addTo(text.length);
  return { pieces, count: ids.length, added: tokenizer.added.length };
}

/** Splits the first `limit` characters of a text at its special tokens, for a tokenizer that cannot be run. The rest is one piece. */
export function splitAtTokens(text: string, special: SpecialTokens, limit = text.length): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (let at = 0; at < Math.min(text.length, limit);) {
    const token = special.at(text, at);
    if (token === undefined) {
      at += 1;
      continue;
    }
    if (at > from) pieces.push({ text: text.slice(from, at) });
    pieces.push({ text: token.text, token });
    at += token.text.length;
    from = at;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}
