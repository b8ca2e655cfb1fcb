/**
 * Where the tokens of a template stand. The lexer of @huggingface/jinja tells no positions, and removes white space from the source before it
 * reads it. So the tokens are found again in the source, in their order.
 */

import type { tokenize } from "@huggingface/jinja";
import type { Place } from "./template-messages.ts";

export type Token = ReturnType<typeof tokenize>[number];

/** The options that transformers and llama.cpp render chat templates with. */
export const LEXER_OPTIONS = { trim_blocks: true, lstrip_blocks: true } as const;

/** A tag that the lexer removes from the source. */
const GENERATION_TAG = /\{%-?\s*(?:end)?generation\s*-?%\}/y;

/** The start of each token in the source, in UTF-16 units. */
export function tokenOffsets(source: string, tokens: readonly Token[]): number[] {
  let at = 0;
  const skipSpace = () => {
    while (/\s/.test(source.charAt(at))) at += 1;
  };
  return tokens.map(({ type, value }) => {
    let start: number;
    switch (type) {
      case "Text":
        start = at;
        at = nextTag(source, at);
        return start;
      case "Comment":
        start = nextTag(source, at);
        at = source.indexOf("#}", start + 2) + 2;
        return start;
      case "OpenStatement":
      case "OpenExpression":
        start = nextTag(source, at);
        at = start + 2;
        if (source[at] === "-") at += 1;
        return start;
      case "StringLiteral":
        skipSpace();
        start = at;
        at = endOfString(source, at);
        return start;
      default:
        skipSpace();
        // The dash of `-%}` and `-}}` belongs to the tag.
        if (type === "CloseStatement" || type === "CloseExpression") if (source[at] === "-") at += 1;
        start = at;
        at += value.length;
        return start;
    }
  });
}

/** The offset of the next tag that the lexer reads, or the end of the source. */
function nextTag(source: string, from: number): number {
  for (let at = source.indexOf("{", from); at >= 0; at = source.indexOf("{", at + 1)) {
    if (!"%{#".includes(source.charAt(at + 1) || " ")) continue;
    GENERATION_TAG.lastIndex = at;
    if (!GENERATION_TAG.test(source)) return at;
  }
  return source.length;
}

function endOfString(source: string, from: number): number {
  const quote = source.charAt(from);
  let at = from + 1;
  while (at < source.length && source[at] !== quote) at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Converts offsets of one source to places. */
export class PlaceFinder {
  /** The offset of the first character of each line. */
  readonly #lines: number[] = [0];

  constructor(source: string) {
    for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) this.#lines.push(at + 1);
  }

  placeOf(offset: number): Place {
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lines[low] ?? 0) + 1 };
  }
}
