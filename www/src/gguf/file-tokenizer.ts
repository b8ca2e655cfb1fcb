import type { Gguf, Tokenizer } from "gguf-wasm";
import type { ReactiveControllerHost } from "lit";
import { whenIdle } from "../ui/idle.ts";
import { capitalised } from "../ui/sentence.ts";
import { failureOf } from "./failure.ts";

/** The tokenizer of a file, or why it cannot be run. */
export type FileTokenizer = Tokenizer | { readonly problem: string };

/** The tokenizers that have been made. Making one reads the whole vocabulary, so panels share it. The garbage collector frees it. */
const MADE = new WeakMap<Gguf, FileTokenizer>();
const MAKING = new WeakMap<Gguf, Promise<FileTokenizer>>();

/**
 * The tokenizer of a file. It is made when the page is idle, because that takes a few hundred milliseconds for the largest vocabularies, and
 * the panel that asks for it should be visible before.
 */
export function makeTokenizer(gguf: Gguf): Promise<FileTokenizer> {
  let making = MAKING.get(gguf);
  if (making === undefined) {
    making = whenIdle().then(() => {
      const made = make(gguf);
      MADE.set(gguf, made);
      return made;
    });
    MAKING.set(gguf, making);
  }
  return making;
}

/** The tokenizer of a file. Undefined until it is made, which updates `host`. */
export function tokenizerOf(gguf: Gguf, host: ReactiveControllerHost): FileTokenizer | undefined {
  const made = MADE.get(gguf);
  if (made === undefined) void makeTokenizer(gguf).then(() => host.requestUpdate());
  return made;
}

function make(gguf: Gguf): FileTokenizer {
  try {
    return gguf.tokenizer();
  } catch (error) {
    return { problem: sentenceOf(error) };
  }
}

/** The message of an error with a capital letter. */
export function sentenceOf(error: unknown): string {
  return capitalised(failureOf(error).message);
}
