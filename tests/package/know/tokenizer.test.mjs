// `Gguf.tokenizer`. The ids are those of the Rust type, which is compared with llama.cpp.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, keyInfo, tokenizerModels } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { assertFrozen } from "./expect.mjs";

/** @typedef {Parameters<typeof ggufBytes>[0]} Entries */

const TOKENS = ["h", "i", "Ġ", "hi", "Ġhi", "<end>", "ð", "Ł", "¦", "Ļ"];

/** @type {Entries} */
const ENTRIES = [
  ["tokenizer.ggml.model", text("gpt2")],
  ["tokenizer.ggml.pre", text("gpt-2")],
  ["tokenizer.ggml.tokens", { type: "strings", count: TOKENS.length, at: (index) => TOKENS[index] ?? "" }],
  [
    "tokenizer.ggml.token_type",
    { type: "int32s", count: TOKENS.length, at: (index) => (TOKENS[index] === "<end>" ? 3 : 1) },
  ],
  ["tokenizer.ggml.merges", { type: "strings", count: 2, at: (index) => ["h i", "Ġ hi"][index] ?? "" }],
  ["tokenizer.ggml.eos_token_id", uint32(5)],
  ["tokenizer.ggml.add_eos_token", { type: "bool", value: true }],
];

/** @param {Entries} [entries] */
const open = (entries = ENTRIES) => Gguf.open(ggufBytes(entries));
const tokenizer = async () => (await open()).tokenizer();

test("tokenizerModels lists the values of the key; the list is frozen and is made once", () => {
  assert.equal(tokenizerModels(), tokenizerModels());
  assertFrozen(tokenizerModels());
  assert.deepEqual(
    tokenizerModels().map(({ name }) => name),
    keyInfo("tokenizer.ggml.model")?.values?.map(({ value }) => value),
  );
  const of = (/** @type {string} */ wanted) => tokenizerModels().find(({ name }) => name === wanted);
  assert.deepEqual(of("gpt2"), { name: "gpt2", spelling: "byte-letters", addsBos: false });
  assert.deepEqual(of("llama"), { name: "llama", spelling: "word-mark", addsBos: true });
});

describe("tokenizer", () => {
  test("has the names and the size of the vocabulary", async () => {
    const { model, pre, tokenCount } = await tokenizer();
    assert.deepEqual([model, pre, tokenCount], ["gpt2", "gpt-2", 10]);
  });

  test("encodes text, with and without special tokens", async () => {
    const vocabulary = await tokenizer();
    assert.deepEqual(vocabulary.encode("hi hi"), Int32Array.of(3, 4, 5));
    assert.deepEqual(vocabulary.encode("hi hi", { addSpecial: false }), Int32Array.of(3, 4));
    assert.deepEqual(vocabulary.encode("hi<end>", { addSpecial: false }), Int32Array.of(3, 5));
    assert.deepEqual(vocabulary.encode("<end>", { addSpecial: false, parseSpecial: false }), new Int32Array());
    assert.deepEqual(vocabulary.encode(""), Int32Array.of(5));
  });

  test("tells the part of the text of each token in UTF-16 units", async () => {
    const { ids, offsets } = (await tokenizer()).tokenize("hi🦙 hi");
    // The four bytes of the emoji are four tokens, of which the first one has its two units.
    assert.deepEqual(ids, Int32Array.of(3, 6, 7, 8, 9, 4, 5));
    assert.deepEqual(offsets, Uint32Array.of(0, 2, 4, 4, 4, 4, 7, 7));
    const empty = (await tokenizer()).tokenize("", { addSpecial: false });
    assert.deepEqual([empty.ids, empty.offsets], [new Int32Array(), Uint32Array.of(0)]);
  });

  test("decodes ids of any iterable", async () => {
    const vocabulary = await tokenizer();
    assert.equal(vocabulary.decode(vocabulary.encode("hi🦙 hi")), "hi🦙 hi<end>");
    assert.equal(vocabulary.decode([3, 4, 5], { skipSpecial: true }), "hi hi");
    assert.equal(vocabulary.decode([5, 3, 5], { removeAdded: true }), "<end>hi");
    assert.equal(vocabulary.decode(new Set([4, 3])), " hihi");
    assert.equal(vocabulary.decode(Uint32Array.of(6)), "\uFFFD");
    assert.equal(vocabulary.decode([]), "");
  });

  test("describes a token", async () => {
    const vocabulary = await tokenizer();
    const normal = { text: "Ġhi", bytes: Uint8Array.of(32, 104, 105), type: "normal", isSpecial: false };
    assert.deepEqual(vocabulary.token(4), normal);
    assert.equal(vocabulary.token(5)?.type, "control");
    assert.equal(vocabulary.token(5)?.isSpecial, true);
    for (const id of [10, -1, 0.5, NaN, 2 ** 32]) assert.equal(vocabulary.token(id), undefined);
  });

  test("works after the file is freed", async () => {
    const gguf = await open();
    const vocabulary = gguf.tokenizer();
    gguf.free();
    assert.deepEqual(vocabulary.encode("hi"), Int32Array.of(3, 5));
    vocabulary.free();
    assert.throws(() => vocabulary.encode("hi"), { name: "GgufError", code: "freed" });
  });

  test("refuses what llama.cpp refuses, and says why", async () => {
    /** @param {string} key @param {Entries[number][1]} value @returns {Entries} */
    const changed = (key, value) => ENTRIES.map((entry) => (entry[0] === key ? [key, value] : entry));
    /** @param {Entries} entries @param {string} code @param {RegExp} message */
    const refused = async (entries, code, message) => {
      const gguf = await open(entries);
      assert.throws(() => gguf.tokenizer(), { name: "GgufError", code, message });
    };
    await refused([], "no-tokenizer", /tokenizer\.ggml\.model/);
    await refused(changed("tokenizer.ggml.model", text("rwkv")), "unsupported", /"rwkv" is unsupported/);
    await refused(changed("tokenizer.ggml.pre", text("gpt-9")), "unknown-pre-tokenizer", /"gpt-9"/);
    await refused(changed("tokenizer.ggml.merges", uint32(1)), "bad-vocabulary", /tokenizer\.ggml\.merges/);
  });

  test("refuses arguments of other types", async () => {
    const vocabulary = await tokenizer();
    /** @type {any} */
    const anything = vocabulary;
    const invalid = { name: "GgufError", code: "invalid-argument" };
    for (const value of [undefined, null, 1, {}, []]) assert.throws(() => anything.encode(value), invalid);
    assert.throws(() => anything.encode("hi", { addSpecial: 1 }), invalid);
    assert.throws(() => anything.tokenize("hi", { parseSpecial: "no" }), invalid);
    assert.throws(() => anything.decode([], { skipSpecial: {} }), invalid);
    for (const ids of [undefined, 1, {}, "x", [-1], [0.5], ["1"], [2 ** 32]]) {
      assert.throws(() => anything.decode(ids), invalid);
    }
    assert.throws(() => vocabulary.decode([10]), { name: "GgufError", code: "out-of-range", message: /token 10/ });
    assert.throws(() => anything.token("1"), invalid);
  });
});
