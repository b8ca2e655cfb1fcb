// Objects of the package as `console.log` shows them, and as `JSON.stringify` writes them; arrays as JavaScript uses them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { compare, Gguf, GgufSet, GgufWriter } from "gguf-wasm/full";
import * as reader from "gguf-wasm/reader";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

/** @import { MetadataArray } from "gguf-wasm/full" */

const NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1.5];
const FILE = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["tokenizer.ggml.model", text("llama")],
    ["tokenizer.ggml.tokens", { type: "strings", count: 10_000, at: (index) => `token ${index}` }],
    ["floats", { type: "float32s", count: NUMBERS.length, at: (index) => NUMBERS[index] ?? 0 }],
    ["nested", { type: "nested", value: [["a"], ["b", "c"]] }],
    ["long", { type: "uint64", value: 2n ** 63n }],
  ],
  [{ name: "t", dimensions: [4], type: 0, bytes: 16 }],
);
const gguf = await Gguf.open(FILE);
/** @param {string} key @param {Pick<Gguf, "metadata">} [of] */
const array = (key, of = gguf) => /** @type {MetadataArray} */ (of.metadata.get(key));
const editor = gguf.edit();
editor.set("long", 2n ** 63n - 1n, "UINT64");
const OBJECTS = [
  gguf,
  await reader.Gguf.open(FILE),
  array("tokenizer.ggml.tokens"),
  editor,
  editor.plan(),
  editor.planHeader(),
  new GgufWriter(),
  await GgufSet.open([FILE]),
  await compare(gguf, gguf),
  await gguf.hash(),
  gguf.toNpy("t"),
  gguf.tokenizer(),
];

describe("every object", () => {
  for (const object of OBJECTS) {
    const { name } = object.constructor;
    test(`${name}: is shown by its class and its members`, () => {
      const shown = inspect(object);
      assert.ok(shown.startsWith(name), shown);
      assert.doesNotMatch(shown, /__wbg|\[Getter\]/);
      assert.ok(shown.length < 6000, `${shown.length} characters`);
      assert.equal(inspect([[[[object]]]], { depth: 3 }).includes(`[${name}`), true);
    });

    test(`${name}: can be written as JSON`, () => {
      const json = JSON.stringify(object);
      assert.doesNotMatch(json, /__wbg/);
      assert.ok(json.length > 10, json);
    });
  }

  test("of the package is in the list", () => {
    const names = new Set(OBJECTS.map((object) => object.constructor.name));
    const classes = [Gguf, GgufSet, GgufWriter, ...OBJECTS.map(({ constructor }) => constructor)];
    for (const { name } of classes) assert.ok(names.has(name), name);
  });

  test("is shown after free()", async () => {
    const freed = await Gguf.open(FILE);
    freed.free();
    assert.equal(inspect(freed), "Gguf { freed }");
  });
});

test("integers of 64 bits, NaN and infinities are strings in JSON", () => {
  assert.equal(JSON.stringify(array("floats")), '["NaN","Infinity","-Infinity",1.5]');
  assert.equal(JSON.stringify(array("nested")), '[["a"],["b","c"]]');
  assert.match(JSON.stringify(editor), /"long":"9223372036854775807"/);
});

describe("a metadata array", () => {
  const tokens = array("tokenizer.ggml.tokens");
  const expected = Array.from({ length: 10_000 }, (_, index) => `token ${index}`);

  test("shows its length and its first elements", () => {
    assert.equal(inspect(array("floats")), "MetadataArray(4) [ NaN, Infinity, -Infinity, 1.5 ]");
    assert.match(inspect(tokens), /^MetadataArray\(10000\) \[[^]*\.\.\. 9900 more items\s+\]$/);
  });

  test("is iterated page by page", () => {
    assert.deepEqual([...tokens], expected);
    /** @type {number[]} */
    const lengths = [];
    const { slice } = Object.getPrototypeOf(tokens);
    Object.getPrototypeOf(tokens).slice = function (/** @type {number} */ start, /** @type {number} */ end) {
      lengths.push(end - start);
      return slice.call(this, start, end);
    };
    try {
      for (const token of tokens) if (token === "token 5000") break;
    } finally {
      Object.getPrototypeOf(tokens).slice = slice;
    }
    assert.deepEqual(lengths, [4096, 4096]);
  });

  test("map, slice and includes are those of an array", () => {
    assert.deepEqual(
      tokens.map((token, index) => `${String(token)} ${index}`),
      expected.map((token, index) => `${token} ${index}`),
    );
    assert.deepEqual(tokens.slice(-2), expected.slice(-2));
    assert.equal(tokens.includes("token 9999"), true);
    assert.equal(tokens.includes("token 3", 4), false);
    assert.equal(array("floats").includes(Number.NaN), true);
    assert.equal(array("floats").includes(Number.NaN, 1), false);
    assert.equal(array("floats").includes(1.5), true);
    assert.throws(() => tokens.map(/** @type {any} */ (1)), { code: "invalid-argument", message: /function/ });
    const own = new Error("own");
    assert.throws(
      () =>
        tokens.map(() => {
          throw own;
        }),
      own,
    );
  });
});
