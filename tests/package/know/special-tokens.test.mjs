// `Gguf.specialTokens`: the tokens with a special role.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf, keyInfo } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

/** @typedef {Parameters<typeof ggufBytes>[0]} Entries */

/** @param {Entries} entries */
const tokensOf = async (entries) => (await Gguf.open(ggufBytes(entries))).specialTokens();

/** @type {Entries[number]} */
const TOKENS = [
  "tokenizer.ggml.tokens",
  { type: "strings", count: 4, at: (index) => ["<unk>", "<s>", "</s>", Uint8Array.of(0x3c, 0xff, 0x3e)][index] ?? "" },
];

test("lists the tokens that the header names, in the order of keys()", async () => {
  const list = await tokensOf([
    ["tokenizer.ggml.eos_token_id", uint32(2)],
    TOKENS,
    ["tokenizer.ggml.bos_token_id", uint32(1)],
  ]);
  assert.deepEqual(list, [
    { role: "bos", id: 1, text: "<s>", key: "tokenizer.ggml.bos_token_id" },
    { role: "eos", id: 2, text: "</s>", key: "tokenizer.ggml.eos_token_id" },
  ]);
  assert.ok(Object.isFrozen(list));
  for (const { key } of list) assert.ok(keyInfo(key)?.isTokenId, key);
});

test("lists the tokens of an edited file", async () => {
  const gguf = await Gguf.open(ggufBytes([TOKENS, ["tokenizer.ggml.bos_token_id", uint32(1)]]));
  const editor = gguf.edit();
  assert.deepEqual(editor.specialTokens(), gguf.specialTokens());
  editor.setElement("tokenizer.ggml.tokens", 2, "<end>");
  editor.set("tokenizer.ggml.bos_token_id", 2);
  const bos = { role: "bos", id: 2, text: "<end>", key: "tokenizer.ggml.bos_token_id" };
  assert.deepEqual(editor.specialTokens(), [bos]);
  editor.remove("tokenizer.ggml.bos_token_id");
  assert.deepEqual(editor.specialTokens(), []);
  assert.equal(gguf.specialTokens().length, 1);
});

test("has no text for an id outside of the vocabulary, or without a vocabulary", async () => {
  const id = /** @type {const} */ (["tokenizer.ggml.bos_token_id", uint32(4)]);
  const expected = [{ role: "bos", id: 4, key: "tokenizer.ggml.bos_token_id" }];
  assert.deepEqual(await tokensOf([TOKENS, id]), expected);
  assert.deepEqual(await tokensOf([id]), expected);
  assert.deepEqual(await tokensOf([["tokenizer.ggml.tokens", text("<s>")], id]), expected);
  /** @type {Entries} */
  const large = [TOKENS, ["tokenizer.ggml.bos_token_id", { type: "uint64", value: 2n ** 64n - 1n }]];
  assert.deepEqual(await tokensOf(large), [{ role: "bos", id: 2 ** 64, key: "tokenizer.ggml.bos_token_id" }]);
});

test("has U+FFFD in place of bytes that are not UTF-8", async () => {
  const list = await tokensOf([TOKENS, ["tokenizer.ggml.padding_token_id", uint32(3)]]);
  assert.deepEqual(
    list.map(({ role, text }) => [role, text]),
    [["padding", "<\ufffd>"]],
  );
});

test("leaves out values that are not ids", async () => {
  assert.deepEqual(await tokensOf([TOKENS]), []);
  assert.deepEqual(await tokensOf([TOKENS, ["tokenizer.ggml.bos_token_id", text("1")]]), []);
  assert.deepEqual(await tokensOf([TOKENS, ["tokenizer.ggml.bos_token_id", { type: "int32", value: -1 }]]), []);
});
