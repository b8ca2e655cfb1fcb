/** The state of the tokenizer panel that a link to the page contains. */

import { formatList, formatShortText, parseList, parseShortText, type StateField } from "../ui/state-field.ts";

/** What a search looks at. */
export const SEARCHES = ["text", "id", "bytes", "regex"] as const;
export type Search = (typeof SEARCHES)[number];

export const TOKEN_COLUMNS = ["id", "text", "bytes", "type", "score"] as const;
export type TokenColumn = (typeof TOKEN_COLUMNS)[number];

export interface TokenOrder {
  readonly column: TokenColumn;
  readonly descending: boolean;
}

/** Tokens that a check of the vocabulary has found. */
export const FOUND_TOKENS = ["duplicate", "empty"] as const;
export type FoundTokens = (typeof FOUND_TOKENS)[number];

/** An absent member has its default: all tokens in the order of their ids. */
export interface TokenizerState {
  filter?: string;
  /** What the filter looks at. Absent: the text. */
  search?: Search;
  /** The values of `tokenizer.ggml.token_type` that are shown. Absent: all. */
  types?: readonly number[];
  only?: FoundTokens;
  sort?: TokenOrder;
}

export const TOKENIZER_STATE_FIELDS: readonly StateField<TokenizerState>[] = [
  {
    name: "filter",
    format: ({ filter }) => formatShortText(filter),
    parse: (encoded) => ({ filter: parseShortText(encoded) }),
  },
  {
    name: "search",
    format: ({ search = "text" }) => (search === "text" ? "" : search),
    parse: (encoded) => {
      const search = SEARCHES.find((known) => known === encoded);
      return search && { search };
    },
  },
  {
    name: "types",
    format: ({ types }) => formatList(types?.map(String)),
    parse: (encoded) => {
      const types = parseList(encoded).filter((type) => /^\d{1,9}$/.test(type));
      return types.length > 0 ? { types: types.map(Number) } : undefined;
    },
  },
  {
    name: "only",
    format: ({ only = "" }) => only,
    parse: (encoded) => {
      const only = FOUND_TOKENS.find((known) => known === encoded);
      return only && { only };
    },
  },
  {
    name: "sort",
    format: ({ sort }) => (sort ? `${sort.descending ? "-" : ""}${sort.column}` : ""),
    parse: (encoded) => {
      const descending = encoded.startsWith("-");
      const name = descending ? encoded.slice(1) : encoded;
      const column = TOKEN_COLUMNS.find((known) => known === name);
      return column && { sort: { column, descending } };
    },
  },
];
