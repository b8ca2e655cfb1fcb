/** Sentences of messages, as the page shows them. */

/** Names that begin with a lower-case letter. */
const NAMES: ReadonlySet<string> = new Set(["ggml", "gguf-py"]);

/** A word of plain letters: neither an identifier such as `llama.block_count` or `blk.0`, nor a quoted text or a number. */
const FIRST_WORD = /^[a-z][a-z'’-]*(?=[,;:!?.]?(?:\s|$))/;

/** A sentence with a capital letter. Messages of the library begin with a lower-case letter, because programs write them after a colon. */
export function capitalised(sentence: string): string {
  const word = FIRST_WORD.exec(sentence)?.[0];
  if (word === undefined || NAMES.has(word)) return sentence;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
