import type { Gguf, Tokenizer } from "gguf-wasm";
import { failureOf } from "./failure.ts";

/** The tokenizer of a file, or why it cannot be run. */
export type FileTokenizer = Tokenizer | { readonly problem: string };

/** The tokenizers that have been made. Making one reads the whole vocabulary, so panels share it. The garbage collector frees it. */
const MADE = new WeakMap<Gguf, FileTokenizer>();

export function tokenizerOf(gguf: Gguf): FileTokenizer {
  let made = MADE.get(gguf);
  if (made === undefined) {
    made = make(gguf);
    MADE.set(gguf, made);
  }
  return made;
}

function make(gguf: Gguf): FileTokenizer {
  try {
    return gguf.tokenizer();
  } catch (error) {
    const { message } = failureOf(error);
    return { problem: message.charAt(0).toUpperCase() + message.slice(1) };
  }
}
