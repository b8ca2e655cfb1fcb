/** Finds and sorts tokens. */

import type { TokenSpelling } from "gguf-wasm/explain";
import { inPieces, sortInPieces } from "../ui/in-pieces.ts";
import { bytesFinder, spelled } from "./spelling.ts";
import type { Search, TokenOrder } from "./tokenizer-state.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface TokenFilter {
  readonly query: string;
  readonly search: Search;
  /** The types to show; empty for all. */
  readonly types: ReadonlySet<number>;
  /** Only these tokens, such as the duplicates. Undefined for all. */
  readonly only: ReadonlySet<number> | undefined;
}

/** The most characters of a token that a regular expression sees: real tokens are short, and a file may state anything. */
const MOST_SEEN = 1000;

/** The most characters of a query: tokens are shorter. */
const LONGEST_QUERY = 10_000;

/** A query that cannot be searched for. The message is for the person who typed it. */
export class QueryError extends Error {
  override name = "QueryError";
}

/**
 * Whether a token matches a query. Undefined for an empty query.
 * @throws QueryError
 */
export function matcherOf(
  { query, search }: Pick<TokenFilter, "query" | "search">,
  vocabulary: Vocabulary,
): ((id: number) => boolean) | undefined {
  if (query === "") return undefined;
  if (query.length > LONGEST_QUERY) throw new QueryError("Type at most 10,000 characters.");
  switch (search) {
    case "text":
      return textMatcher(query, vocabulary);
    case "id":
      return idMatcher(query);
    case "bytes":
      return bytesMatcher(query, vocabulary);
    case "regex":
      return regexMatcher(query, vocabulary);
  }
}

function textMatcher(query: string, vocabulary: Vocabulary): (id: number) => boolean {
  const isFound = textFinder(query, vocabulary.spelling);
  return (id) => isFound(vocabulary.stored(id));
}

/**
 * Whether a stored text contains a query: as the text that it stands for, or as the text that the file stores. Upper and lower case are
 * equal. A query that is too long is found in no text.
 */
export function textFinder(query: string, spelling: TokenSpelling): (stored: string) => boolean {
  if (query.length > LONGEST_QUERY) return () => false;
  const forms = [...new Set([query, spelled(query, spelling), spelled(query.toLowerCase(), spelling)])];
  if (spelling === "byte-letters") {
    // A letter that stands for a byte is another byte in lower case, so only letters of ASCII are compared without their case.
    const expression = new RegExp(forms.map(asciiPattern).join("|"));
    return (stored) => expression.test(stored);
  }
  const wanted = [...new Set(forms.map((form) => form.toLowerCase()))];
  return (stored) => {
    const lower = stored.toLowerCase();
    return wanted.some((text) => lower.includes(text));
  };
}

/** The source of a regular expression for a text, with each letter of ASCII in both cases. */
function asciiPattern(text: string): string {
  return text.replace(/[A-Za-z]|[\\^$.*+?()[\]{}|/]/g, (found) =>
    /[A-Za-z]/.test(found) ? `[${found.toLowerCase()}${found.toUpperCase()}]` : `\\${found}`,
  );
}

/** A number, or a range: `100`, `100-200`. */
function idMatcher(query: string): (id: number) => boolean {
  const match = /^\s*(\d{1,10})\s*(?:(?:-|–|to)\s*(\d{1,10})\s*)?$/.exec(query);
  if (!match) throw new QueryError("Type an id, or a range of ids: 100 or 100-200.");
  const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
  return (id) => id >= first && id <= last;
}

function bytesMatcher(query: string, vocabulary: Vocabulary): (id: number) => boolean {
  const digits = query.replace(/0x|[\s,]/gi, "");
  if (!/^(?:[\da-f]{2})+$/i.test(digits)) throw new QueryError("Type bytes as pairs of hexadecimal digits: e2 96 81.");
  const wanted = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const finds = bytesFinder(wanted, vocabulary.spelling);
  return (id) => finds(vocabulary.stored(id), vocabulary.type(id));
}

/** The expression sees the text that the file stores. */
function regexMatcher(query: string, vocabulary: Vocabulary): (id: number) => boolean {
  let expression: RegExp;
  try {
    expression = new RegExp(query, "u");
  } catch (error) {
    throw new QueryError(error instanceof Error ? error.message : String(error));
  }
  return (id) => expression.test(vocabulary.stored(id).slice(0, MOST_SEEN));
}

/**
 * The ids of the tokens that match a filter, sorted, in pieces.
 * @throws QueryError; the reason of `signal` once it is aborted
 */
export async function findTokens(
  vocabulary: Vocabulary,
  filter: TokenFilter,
  order: TokenOrder,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const matches = matcherOf(filter, vocabulary);
  const { types, only } = filter;
  const found: number[] = [];
  const needsTexts = matches !== undefined && filter.search !== "id";
  await inPieces(vocabulary.size, signal, (from, to) => {
    if (needsTexts) vocabulary.readUpTo(to);
    for (let id = from; id < to; id += 1) {
      if (types.size > 0 && !types.has(vocabulary.type(id) ?? NaN)) continue;
      if (only !== undefined && !only.has(id)) continue;
      if (matches === undefined || matches(id)) found.push(id);
    }
  });
  return sorted(Uint32Array.from(found), vocabulary, order, signal);
}

async function sorted(
  ids: Uint32Array,
  vocabulary: Vocabulary,
  { column, descending }: TokenOrder,
  signal: AbortSignal,
): Promise<Uint32Array> {
  if (column === "id") return descending ? ids.reverse() : ids;
  const direction = descending ? -1 : 1;
  // A score that is no number comes last in both directions.
  const byNumber = (numberOf: (id: number) => number | undefined) => (a: number, b: number) => {
    const [left, right] = [numberOf(a) ?? NaN, numberOf(b) ?? NaN];
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return left === right ? 0 : left < right ? -direction : direction;
  };
  if (column === "text" || column === "bytes")
    await inPieces(vocabulary.size, signal, (_, to) => vocabulary.readUpTo(to));
  switch (column) {
    case "text": {
      const compare = (a: number, b: number) => {
        const [left, right] = [vocabulary.stored(a), vocabulary.stored(b)];
        return left === right ? 0 : left < right ? -direction : direction;
      };
      return sortInPieces(ids, compare, signal);
    }
    case "bytes": {
      const lengths = new Uint32Array(vocabulary.size);
      await inPieces(ids.length, signal, (from, to) => {
        for (const id of ids.subarray(from, to)) lengths[id] = vocabulary.bytes(id).length;
      });
      return sortInPieces(ids, (a, b) => direction * ((lengths[a] ?? 0) - (lengths[b] ?? 0)), signal);
    }
    case "type":
      return sortInPieces(
        ids,
        byNumber((id) => vocabulary.type(id)),
        signal,
      );
    case "score":
      return sortInPieces(
        ids,
        byNumber((id) => vocabulary.score(id)),
        signal,
      );
  }
}
