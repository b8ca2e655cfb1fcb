import { expect, test } from "@playwright/test";
import type { MetadataArray, MetadataValue } from "gguf-wasm/explain";
import { changeSentence, changeWords } from "../../../www/src/edit/change-words.ts";
import { savedNote } from "../../../www/src/edit/saved-note.ts";
import { stepGroups } from "../../../www/src/edit/step-list.ts";
import { tokenChoices } from "../../../www/src/edit/token-choices.ts";

const TOKENS = ["<unk>", "<s>", "</s>", "<|im_end|>", "hello", "42"];

/** Arrays with the members that the choices use. */
const metadata = new Map<string, MetadataValue>([
  [
    "tokenizer.ggml.tokens",
    {
      elementType: "STRING",
      length: TOKENS.length,
      at: (id: number) => TOKENS[id],
      indexOf: (text: string) => TOKENS.indexOf(text),
    } as unknown as MetadataArray,
  ],
  [
    "tokenizer.ggml.token_type",
    { elementType: "INT32", toTypedArray: () => Int32Array.of(2, 3, 3, 3, 1, 1) } as unknown as MetadataArray,
  ],
]);
const choices = tokenChoices({ key: "tokenizer.ggml.eos_token_id", type: "UINT32" }, metadata);

test("a token is named by its id or by its text, and an id outside of the vocabulary is refused", () => {
  expect(choices?.parse("UINT32", " 4 ")).toEqual({ value: 4 });
  expect(choices?.parse("UINT32", "<|im_end|>")).toEqual({ value: 3 });
  // Digits are an id.
  expect(choices?.parse("UINT32", "5")).toEqual({ value: 5 });
  for (const [type, text, problem] of [
    ["UINT32", "6", /^The vocabulary has no token 6\. It has 6 tokens, so the ids are 0 to 5\.$/],
    ["UINT32", "42", /^The vocabulary has no token 42\./],
    ["INT32", "-1", /^The vocabulary has no token -1\./],
    ["UINT32", "-1", /too small for UINT32/],
    ["UINT32", "im_end", /^No token has exactly this text\./],
    ["UINT32", "", /^No token/],
  ] as const)
    expect(choices?.parse(type, text).problem, text).toMatch(problem);
});

test("special tokens are listed by a part of their text or by their id, and any token by its exact text", () => {
  const listed = (typed: string) => choices?.matching(typed).map(({ text }) => text);
  expect(listed("")).toEqual(["<unk>", "<s>", "</s>", "<|im_end|>"]);
  expect(listed("S>")).toEqual(["<s>", "</s>"]);
  expect(listed("3")).toEqual(["<|im_end|>"]);
  expect(listed("hello")).toEqual(["hello"]);
  expect(listed("hell")).toEqual([]);
});

test("other entries have no choices", () => {
  expect(tokenChoices({ key: "llama.block_count", type: "UINT32" }, metadata)).toBeUndefined();
  expect(tokenChoices({ key: "tokenizer.ggml.eos_token_id", type: "STRING" }, metadata)).toBeUndefined();
  expect(tokenChoices({ key: "tokenizer.ggml.eos_token_id", type: "UINT32" }, new Map())).toBeUndefined();
});

test("a change of a token's id has the texts of both tokens", () => {
  const change = {
    id: 0,
    kind: "set",
    key: "tokenizer.ggml.eos_token_id",
    from: 2,
    to: 3,
    fromType: "UINT32",
    toType: "UINT32",
  } as const;
  expect(changeWords(change, metadata)).toMatchObject({ from: "2 · </s>", to: "3 · <|im_end|>" });
  expect(changeSentence(change, metadata)).toBe("tokenizer.ggml.eos_token_id: Value: 2 · </s> → 3 · <|im_end|>");
  // An id outside of the vocabulary, another key, and a file without a vocabulary have only the number.
  expect(changeWords({ ...change, to: 99 }, metadata)).toMatchObject({ to: "99" });
  expect(changeWords({ ...change, key: "llama.block_count" }, metadata)).toMatchObject({ from: "2", to: "3" });
  expect(changeWords(change)).toMatchObject({ from: "2", to: "3" });
  const words = "tokenizer.ggml.eos_token_id: Value: 2 · </s> → 3 · <|im_end|>";
  const net = { ...change, steps: [change] };
  expect(savedNote({ kind: "download", name: "a.gguf", bytes: 1 }, [net], metadata).changes).toEqual([words]);
  const [undo] = stepGroups({ steps: [change], undone: [], metadata, undo: () => {}, redo: () => {} });
  expect(undo?.items.map(({ title }) => title)).toEqual([words]);
});
