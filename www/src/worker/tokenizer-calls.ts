/** What the panels ask a tokenizer for. It runs on the page, or in a worker. */

import type { EncodeOptions, Gguf, Token, TokenizedText, Tokenizer } from "gguf-wasm/explain";
import { failureOf } from "../gguf/failure.ts";
import { capitalised } from "../ui/sentence.ts";

/** What is known of a tokenizer without a call. */
export interface TokenizerFacts {
  readonly tokenCount: number;
  /** The tokens that it adds to each text, as the file asks. Empty if it cannot add them. */
  readonly added: readonly number[];
}

/** Why a tokenizer cannot be run. */
export interface TokenizerProblem {
  readonly problem: string;
  /** Whether the module has stopped, so that another start may help. */
  readonly hasStopped?: boolean;
}

export type MadeTokenizer = TokenizerFacts | TokenizerProblem;

interface TextRequest {
  readonly text: string;
  readonly options?: EncodeOptions;
}

export const TOKENIZER_CALLS = {
  encode: (tokenizer: Tokenizer, { text, options }: TextRequest): Int32Array => tokenizer.encode(text, options),
  tokenize: (tokenizer: Tokenizer, { text, options }: TextRequest): TokenizedText => {
    const { ids, offsets } = tokenizer.tokenize(text, options);
    return { ids, offsets };
  },
  decode: (tokenizer: Tokenizer, ids: readonly number[]): string => tokenizer.decode(ids, { skipSpecial: false }),
  tokens: (tokenizer: Tokenizer, ids: readonly number[]): (Token | undefined)[] => ids.map((id) => tokenizer.token(id)),
};

type Calls = typeof TOKENIZER_CALLS;
export type CallName = keyof Calls;
export type CallRequest<Name extends CallName> = Parameters<Calls[Name]>[1];
export type CallResponse<Name extends CallName> = ReturnType<Calls[Name]>;

/** A call as a message. */
export interface TokenizerCall {
  readonly name: CallName;
  readonly request: CallRequest<CallName>;
}

/** Makes the tokenizer of a file. */
export function madeTokenizer(
  gguf: Gguf,
): { readonly tokenizer: Tokenizer; readonly facts: TokenizerFacts } | TokenizerProblem {
  try {
    const tokenizer = gguf.tokenizer();
    return { tokenizer, facts: { tokenCount: tokenizer.tokenCount, added: addedBy(tokenizer) } };
  } catch (error) {
    return { problem: sentenceOf(error), hasStopped: isStop(error) };
  }
}

/** Whether an error says that the module has stopped. */
export function isStop(error: unknown): boolean {
  const { code } = failureOf(error);
  return code === "stopped" || code === "unknown";
}

function addedBy(tokenizer: Tokenizer): number[] {
  try {
    return [...tokenizer.encode("", { addSpecial: true })];
  } catch (error) {
    if (isStop(error)) throw error;
    // The file names no token to be added.
    return [];
  }
}

/** The message of an error with a capital letter. */
export function sentenceOf(error: unknown): string {
  return capitalised(failureOf(error).message);
}
