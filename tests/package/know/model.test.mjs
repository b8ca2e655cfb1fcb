// What a `Gguf` tells about its model, and the metadata values of a certain type.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { Gguf as ReaderGguf } from "gguf-wasm/reader";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { assertFrozen } from "./expect.mjs";

/** @typedef {Parameters<typeof ggufBytes>[0]} Entries */
/** @typedef {NonNullable<Parameters<typeof ggufBytes>[1]>} Tensors */

const Q4_K = 12;

/** @type {Tensors} */
const TENSORS = [{ name: "blk.0.ffn_up.weight", dimensions: [256, 2], type: Q4_K, bytes: 288 }];

/** @type {Entries} */
const ENTRIES = [
  ["general.architecture", text("qwen3")],
  ["general.name", text("Tiny Qwen")],
  ["general.file_type", uint32(7)],
  ["qwen3.context_length", { type: "uint64", value: 40_960n }],
  ["flag", { type: "bool", value: true }],
  ["float", { type: "float32", value: 0.5 }],
  ["negative", { type: "int32", value: -3 }],
  ["huge", { type: "uint64", value: 2n ** 64n - 1n }],
  ["list", { type: "strings", count: 2, at: (index) => ["a", "b"][index] ?? "" }],
  ["twice", text("first")],
  ["twice", uint32(2)],
  [Uint8Array.of(0x6b, 0xff), text("of a key that is not UTF-8")],
];

/** @param {Entries} entries @param {Tensors} [tensors] */
const open = (entries, tensors = []) => Gguf.open(ggufBytes(entries, tensors));

describe("what a file tells about its model", () => {
  for (const [entry, Class] of Object.entries({ "the package": Gguf, "the reader": ReaderGguf })) {
    test(`${entry} tells name, architecture, context length and parameters`, async () => {
      const gguf = await Class.open(ggufBytes(ENTRIES, TENSORS));
      const { name, architecture, contextLength, parameterCount } = gguf;
      assert.deepEqual(
        { name, architecture, contextLength, parameterCount },
        { name: "Tiny Qwen", architecture: "qwen3", contextLength: 40_960, parameterCount: 512 },
      );
    });
  }

  test("facts that a file does not have are undefined", async () => {
    const { name, architecture, contextLength, bitsPerWeight, fileType } = await open([["general.name", uint32(1)]]);
    assert.deepEqual([name, architecture, contextLength, bitsPerWeight], Array(4).fill(undefined));
    assert.deepEqual(fileType, { tensors: [] });
  });

  test("the file type is the declared one, and those that fit the tensors", async () => {
    const gguf = await open(ENTRIES, TENSORS);
    const found = { tensors: ["Q4_K_S", "Q4_K_M"], mainTensorType: "Q4_K" };
    assert.deepEqual(gguf.fileType, { name: "Q8_0", declared: "Q8_0", ...found });
    assert.equal(gguf.fileType, gguf.fileType);
    assert.equal(gguf.bitsPerWeight, 4.5);
    assertFrozen(gguf.fileType);
    const unknown = await open([["general.file_type", uint32(137)]], TENSORS);
    assert.deepEqual(unknown.fileType, { name: "Q4_K_M", declared: "unknown(137)", ...found });
  });
});

describe("metadata values of a certain type", () => {
  const gguf = open(ENTRIES);

  test("each method returns the values of its types", async () => {
    const file = await gguf;
    assert.equal(file.getString("general.name"), "Tiny Qwen");
    assert.equal(file.getBoolean("flag"), true);
    assert.deepEqual(
      ["float", "negative", "qwen3.context_length"].map((key) => file.getNumber(key)),
      [0.5, -3, 40_960],
    );
    assert.deepEqual(
      ["huge", "negative"].map((key) => file.getBigInt(key)),
      [2n ** 64n - 1n, -3n],
    );
    assert.deepEqual(file.getArray("list")?.toArray(), ["a", "b"]);
  });

  test("of equal keys the first counts, as in `metadata`", async () => {
    const file = await gguf;
    assert.equal(file.getString("twice"), "first");
    assert.equal(file.getString("k\ufffd"), file.metadata.get("k\ufffd"));
  });

  /** @type {["getString" | "getNumber" | "getBigInt" | "getBoolean" | "getArray", string, RegExp][]} */
  const refused = [
    ["getString", "flag", /"flag" is of type BOOL, expected STRING/],
    ["getNumber", "twice", /"twice" is of type STRING, expected a number/],
    ["getBigInt", "float", /"float" is of type FLOAT32, expected an integer/],
    ["getBoolean", "list", /"list" is of type ARRAY of STRING, expected BOOL/],
    ["getArray", "negative", /"negative" is of type INT32, expected ARRAY/],
  ];
  for (const [method, key, message] of refused) {
    test(`${method} refuses other types and gives undefined for a missing key`, async () => {
      const file = await gguf;
      assert.throws(() => file[method](key), { name: "GgufError", code: "wrong-type", message });
      assert.equal(file[method]("missing"), undefined);
      // @ts-expect-error: a key is a string.
      assert.throws(() => file[method](7), { name: "GgufError", code: "invalid-argument" });
    });
  }

  test("an integer that a number cannot represent is refused", async () => {
    const file = await gguf;
    assert.throws(() => file.getNumber("huge"), { code: "too-large", message: /getBigInt\("huge"\)/ });
  });
});
