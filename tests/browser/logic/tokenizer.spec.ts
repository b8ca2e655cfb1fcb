/** The logic of the tokenizer panel that needs no page. */

import { expect, test } from "@playwright/test";
import type { MetadataArray, MetadataValue } from "gguf-wasm/full";
import { locationHash } from "../../../www/src/app/location-hash.ts";
import { findTokensToCheck } from "../../../www/src/tokenizer/found-tokens.ts";
import { mergeParts, mergesOf } from "../../../www/src/tokenizer/merges.ts";
import { bytesFinder, bytesOf, hexOf, spelled, textOf } from "../../../www/src/tokenizer/spelling.ts";
import { tokensAsCsv } from "../../../www/src/tokenizer/token-export.ts";
import { findTokens, QueryError, type TokenFilter } from "../../../www/src/tokenizer/token-filter.ts";
import type { TokenOrder } from "../../../www/src/tokenizer/tokenizer-state.ts";
import { TOKENIZER_STATE_FIELDS } from "../../../www/src/tokenizer/tokenizer-state.ts";
import { Vocabulary } from "../../../www/src/tokenizer/vocabulary.ts";
import { sortInPieces } from "../../../www/src/ui/in-pieces.ts";

const BY_ID: TokenOrder = { column: "id", descending: false };
const ALL: TokenFilter = { query: "", search: "text", types: new Set(), only: undefined };
const { signal } = new AbortController();
const MODELS = [
  { name: "llama", spelling: "word-mark", addsBos: true },
  { name: "gpt2", spelling: "byte-letters", addsBos: false },
] as const;

function array(elementType: string, elements: readonly (string | number)[]): MetadataArray {
  return {
    elementType,
    length: elements.length,
    at: (index: number) => elements[index],
    slice: (from: number, to: number) => elements.slice(from, to),
    toTypedArray: () =>
      elementType === "FLOAT32" ? Float32Array.from(elements as number[]) : Int32Array.from(elements as number[]),
  } as unknown as MetadataArray;
}

interface Lists {
  model?: string;
  types?: number[];
  scores?: number[];
}

function vocabulary(tokens: string[], { model = "gpt2", types, scores }: Lists = {}): Vocabulary {
  const metadata = new Map<string, MetadataValue>([
    ["tokenizer.ggml.model", model],
    ["tokenizer.ggml.tokens", array("STRING", tokens)],
  ]);
  if (types) metadata.set("tokenizer.ggml.token_type", array("INT32", types));
  if (scores) metadata.set("tokenizer.ggml.scores", array("FLOAT32", scores));
  const made = Vocabulary.of(metadata, MODELS);
  expect(made).toBeDefined();
  return made as Vocabulary;
}

const found = async (of: Vocabulary, filter: Partial<TokenFilter>, order = BY_ID) => [
  ...(await findTokens(of, { ...ALL, ...filter }, order, signal)),
];

test("letters stand for bytes in byte-level vocabularies", () => {
  const bytes = (stored: string, type = 1) => hexOf(bytesOf(stored, type, "byte-letters"));
  expect(bytes("Ġhello")).toBe("20 68 65 6c 6c 6f");
  expect(bytes("Ċ")).toBe("0a");
  expect(bytes("Ã©")).toBe("c3 a9");
  expect(bytes("ðŁĺ")).toBe("f0 9f 98");
  // All 256 bytes have a letter of their own.
  const every = spelled(String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code)), "byte-letters");
  expect(bytesOf(every, 1, "byte-letters")).toEqual(Uint8Array.from({ length: 128 }, (_, byte) => byte));
  expect(new Set(every).size).toBe(128);
  // A control token is its text, and so is a token with a letter that stands for no byte.
  expect(textOf(bytesOf("Ġ", 3, "byte-letters"))).toBe("Ġ");
  expect(textOf(bytesOf("東", 1, "byte-letters"))).toBe("東");
});

test("a mark stands for a space, and byte tokens for their byte, in vocabularies of SentencePiece", () => {
  expect(textOf(bytesOf("▁the", 1, "word-mark"))).toBe(" the");
  expect(hexOf(bytesOf("<0x0A>", 6, "word-mark"))).toBe("0a");
  // The same text as a normal token is text.
  expect(textOf(bytesOf("<0x0A>", 1, "word-mark"))).toBe("<0x0A>");
  expect(textOf(bytesOf("<s>", 3, "word-mark"))).toBe("<s>");
  expect(textOf(Uint8Array.of(0xff))).toBeUndefined();
});

test("tokens are found by the text that they stand for, by id, by bytes and by an expression", async () => {
  const words = vocabulary(["Ġthe", "the", "Ċ", "ðŁĺĬ", "<|end|>", "Ġthere", "ĠTHE"], { types: [1, 1, 1, 1, 3, 1, 1] });
  expect(await found(words, { query: " the" })).toEqual([0, 5, 6]);
  expect(await found(words, { query: "Ġthe" })).toEqual([0, 5, 6]);
  expect(await found(words, { query: "|" })).toEqual([4]);
  expect(await found(words, { query: "2", search: "id" })).toEqual([2]);
  expect(await found(words, { query: "1-3", search: "id" })).toEqual([1, 2, 3]);
  expect(await found(words, { query: "9f 98", search: "bytes" })).toEqual([3]);
  expect(await found(words, { query: "0A", search: "bytes" })).toEqual([2]);
  expect(await found(words, { query: "^Ġ\\p{Lu}", search: "regex" })).toEqual([6]);
  expect(await found(words, { types: new Set([3]) })).toEqual([4]);
  expect(await found(words, { only: new Set([1, 2]), query: "the" })).toEqual([1]);
  for (const [search, query] of [
    ["id", "x"],
    ["bytes", "e"],
    ["regex", "("],
  ] as const)
    await expect(found(words, { search, query })).rejects.toThrow(QueryError);
});

test("bytes are found as in the bytes of each token, whatever the spelling", () => {
  const stored = [
    "Ġthe",
    "▁the",
    "Ċ",
    "<0x0A>",
    "<|a b|>",
    "東京",
    "ÃŃ",
    "Ń",
    "a b",
    "é",
    "",
    "Ġ▁ ",
    "ð",
    "\u00adx",
    "^]\\-",
  ];
  const queries = [
    "20",
    "20 74",
    "0a",
    "e6 9d",
    "e6 9d b1",
    "b1",
    "c3",
    "ad",
    "c4 a0",
    "61 20 62",
    "f0",
    "5d 5c 2d",
    "e2 96 81",
  ];
  const wrong: string[] = [];
  for (const spelling of ["byte-letters", "word-mark", "plain"] as const)
    for (const query of queries) {
      const wanted = Uint8Array.from(query.split(" "), (pair) => Number.parseInt(pair, 16));
      const finds = bytesFinder(wanted, spelling);
      for (const text of stored)
        for (const type of [undefined, 1, 2, 3, 4, 5, 6]) {
          const bytes = ` ${hexOf(bytesOf(text, type, spelling))} `;
          if (finds(text, type) !== bytes.includes(` ${query} `))
            wrong.push(`${query} in ${text}, ${spelling}, type ${type}`);
        }
    }
  expect(wrong).toEqual([]);
});

test("signs of regular expressions in a searched text are signs, and a very long query is refused", async () => {
  const words = vocabulary(["a.b", "axb", "(A|B)", "[\\^$*+?{}]/-", "Aaa"]);
  expect(await found(words, { query: "A.B" })).toEqual([0]);
  expect(await found(words, { query: "(a|b" })).toEqual([2]);
  expect(await found(words, { query: "[\\^$*+?{}]/-" })).toEqual([3]);
  await expect(found(words, { query: "a".repeat(10_001) })).rejects.toThrow("Type at most 10,000 characters.");
});

test("tokens are sorted by each column, and equal ones stay in the order of their ids", async () => {
  const words = vocabulary(["▁b", "a", "▁b", "<0x0A>", "cc"], {
    model: "llama",
    types: [1, 1, 1, 6, 1],
    scores: [-1, NaN, 0.5, 0, -1],
  });
  const by = (column: TokenOrder["column"], descending = false) => found(words, {}, { column, descending });
  expect(await by("id", true)).toEqual([4, 3, 2, 1, 0]);
  expect(await by("text")).toEqual([3, 1, 4, 0, 2]);
  expect(await by("text", true)).toEqual([0, 2, 4, 1, 3]);
  expect(await by("bytes")).toEqual([1, 3, 0, 2, 4]);
  expect(await by("type")).toEqual([0, 1, 2, 4, 3]);
  // A score that is no number is last.
  expect(await by("score")).toEqual([0, 4, 3, 2, 1]);
  expect(await by("score", true)).toEqual([2, 3, 0, 4, 1]);
});

test("sorting in pieces gives what sorting gives", async () => {
  const numbers = Uint32Array.from({ length: 20_001 }, (_, index) => (index * 7919) % 1009);
  const sorted = await sortInPieces(numbers, (a, b) => a - b, signal);
  expect(sorted).toEqual(numbers.slice().sort());
  const aborted = AbortSignal.abort();
  await expect(sortInPieces(numbers, (a, b) => a - b, aborted)).rejects.toThrow();
});

test("a search that is aborted ends", async () => {
  const controller = new AbortController();
  const words = vocabulary(Array.from({ length: 5000 }, (_, id) => `t${id}`));
  controller.abort(new Error("another search"));
  await expect(findTokens(words, { ...ALL, query: "t1" }, BY_ID, controller.signal)).rejects.toThrow("another search");
});

test("duplicates and empty tokens are found", async () => {
  const { duplicate, empty } = await findTokensToCheck(vocabulary(["a", "b", "a", "", "", "a"]), signal);
  expect([...duplicate]).toEqual([2, 5]);
  expect([...empty]).toEqual([3, 4]);
});

test("lists of the wrong length or type are not used", () => {
  const words = vocabulary(["a", "b"], { types: [1], scores: [1, 2, 3] });
  expect([words.hasTypes, words.hasScores]).toEqual([false, false]);
  const metadata = new Map<string, MetadataValue>([["tokenizer.ggml.tokens", array("INT32", [1, 2])]]);
  expect(Vocabulary.of(metadata, MODELS)).toBeUndefined();
  expect(Vocabulary.of(new Map([["tokenizer.ggml.tokens", "a"]]), MODELS)).toBeUndefined();
});

test("the merges that make a token", async () => {
  const merges = array("STRING", ["Ġ t", "t h", "h e", "th e", "Ġt he", "Ġ the", "bad", "Ġth e"]);
  expect(await mergesOf(merges, "Ġthe", signal)).toEqual([
    { rank: 4, left: "Ġt", right: "he" },
    { rank: 5, left: "Ġ", right: "the" },
    { rank: 7, left: "Ġth", right: "e" },
  ]);
  expect(await mergesOf(merges, "bad", signal)).toEqual([]);
  expect(mergeParts("  x")).toEqual([" ", "x"]);
});

test("the table for other programs has quotes where they are needed", async () => {
  const words = vocabulary(['a"b', "c,d", "e"], { types: [1, 3, 1], scores: [0, -1.5, 2] });
  const csv = await tokensAsCsv(words, Uint32Array.of(1, 0), (type) => `T${type}`, signal);
  expect(await csv.text()).toBe('id,token,bytes,type,score\r\n1,"c,d",63 2c 64,T3,-1.5\r\n0,"a""b",61 22 62,T1,0\r\n');
});

test("the state of the panel is read from the hash that it was written to", () => {
  const { parse, format } = locationHash([{ name: "tokenizer", stateFields: TOKENIZER_STATE_FIELDS }]);
  const tokenizer = {
    filter: "Ġthe",
    search: "regex",
    types: [3, 6],
    only: "duplicate",
    sort: { column: "score", descending: true },
  } as const;
  expect(parse(format({ tokenizer }))).toEqual({ tokenizer });
  expect(parse("#tokenizer.search=x&tokenizer.types=a&tokenizer.only=all&tokenizer.sort=-none")).toEqual({});
});
