import type { Gguf, Tokenizer } from "gguf-wasm";
import type { ReactiveControllerHost } from "lit";
import { failureOf } from "./failure.ts";

/** The tokenizer of a file, or why it cannot be run. */
export type FileTokenizer = Tokenizer | { readonly problem: string };

/** The tokenizers that have been made. Making one reads the whole vocabulary, so panels share it. The garbage collector frees it. */
const MADE = new WeakMap<Gguf, FileTokenizer>();
const MAKING = new WeakMap<Gguf, Promise<void>>();

/** The longest time that a tokenizer waits until the page is idle, in milliseconds. */
const LONGEST_WAIT = 600;

/**
 * The tokenizer of a file. Undefined until it is made, which updates `host`. It is made when the page is idle, because that takes a few
 * hundred milliseconds for the largest vocabularies, and the panel that asks for it should be visible before.
 */
export function tokenizerOf(gguf: Gguf, host: ReactiveControllerHost): FileTokenizer | undefined {
  const made = MADE.get(gguf);
  if (made !== undefined) return made;
  let making = MAKING.get(gguf);
  if (making === undefined) {
    making = idle().then(() => void MADE.set(gguf, make(gguf)));
    MAKING.set(gguf, making);
  }
  void making.then(() => host.requestUpdate());
  return undefined;
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari does not have this function.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT });
    else setTimeout(resolve, 100);
  });
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
  const { message } = failureOf(error);
  return message.charAt(0).toUpperCase() + message.slice(1);
}
