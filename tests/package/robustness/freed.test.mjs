// The state of objects after `free()` or `using`, and calls on objects that are in use.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Gguf, GgufSet, GgufWriter, compare, initSync } from "gguf-wasm/full/init";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { llama3 } from "../../support/llama3.mjs";

/** @import { MetadataArray } from "gguf-wasm/full" */

const { memory } = initSync(readFileSync(fileURLToPath(import.meta.resolve("gguf-wasm/full/gguf_wasm_full_bg.wasm"))));
const MIB = 1 << 20;

const FILE = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["tokens", { type: "strings", count: 3, at: (index) => `token ${index}` }],
    ["nested", { type: "nested", value: [["a"], ["b", "c"]] }],
    ["n", uint32(1)],
  ],
  [{ name: "t", dimensions: [4], type: 0, bytes: 16 }],
);

/** @param {Gguf} gguf @param {string} key */
const arrayOf = (gguf, key) => /** @type {MetadataArray} */ (gguf.metadata.get(key));

/** The methods of an object without arguments, and its getters. @param {object} object */
function calls(object) {
  const prototype = Object.getPrototypeOf(object);
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { get, value }]) => {
    if (["constructor", "free", "__destroy_into_raw", "_copyTo", "_giveTo"].includes(name)) return [];
    const f = get ?? value;
    return [{ name, call: async () => f.call(object, "t", 0) }];
  });
}

const FREED = { name: "GgufError", code: "freed" };

const gguf = await Gguf.open(FILE);
const editor = gguf.edit();
const plan = editor.plan();
const writer = new GgufWriter();
const array = arrayOf(await Gguf.open(FILE), "tokens");
const hashes = await gguf.hash();
const npy = gguf.toNpy("t");
const comparison = await compare(gguf, await Gguf.open(plan));
const vocabulary = ggufBytes([
  ["tokenizer.ggml.model", text("llama")],
  ["tokenizer.ggml.tokens", { type: "strings", count: 3, at: (index) => `token ${index}` }],
]);
const tokenizer = (await Gguf.open(vocabulary)).tokenizer();
const set = await GgufSet.open([FILE]);

describe("a copy of the members of an object", () => {
  for (const object of [gguf, editor, plan, writer, array, tokenizer, set, hashes, npy, comparison]) {
    test(`${object.constructor.name}: is not an object of the package`, async () => {
      assert.deepEqual(Object.keys(object), []);
      const copy = Object.assign(Object.create(Object.getPrototypeOf(object)), object);
      for (const { call } of calls(copy)) {
        await assert.rejects(call(), { name: "TypeError" });
      }
    });
  }
});

describe("after free()", () => {
  for (const object of [gguf, editor, plan, writer, array, tokenizer, set, hashes, npy, comparison]) {
    const name = object.constructor.name;
    object.free();
    for (const { name: member, call } of calls(object)) {
      test(`${name}.${member} throws freed`, () => assert.rejects(call, FREED));
    }
    test(`${name}: a second free() and a disposal do nothing`, () => {
      object.free();
      Reflect.get(object, Symbol.dispose)?.call(object);
      object.free();
    });
  }

  test("Gguf.open of a freed plan: freed", () => assert.rejects(Gguf.open(plan), FREED));

  test("thousands of calls of freed objects do no damage", async () => {
    for (let count = 0; count < 20_000; count += 1) assert.throws(() => editor.changes, FREED);
    assert.equal((await Gguf.open(FILE)).metadata.get("n"), 1);
  });
});

describe("free() of a Gguf", () => {
  test("frees its arrays too, also nested ones", async () => {
    const gguf = await Gguf.open(FILE);
    const tokens = arrayOf(gguf, "tokens");
    const nested = /** @type {MetadataArray} */ (arrayOf(gguf, "nested").at(1));
    assert.deepEqual(nested.toArray(), ["b", "c"]);
    gguf.free();
    for (const array of [tokens, nested]) {
      assert.throws(() => array.length, FREED);
      assert.throws(() => array.at(0), FREED);
      assert.throws(() => array.toArray(), FREED);
      assert.throws(() => [...array], FREED);
      array.free();
    }
  });

  test("does not affect editors, plans and running reads", async () => {
    const gguf = await Gguf.open(FILE);
    const read = gguf.read("t");
    const editor = gguf.edit();
    gguf.free();
    assert.deepEqual(await read, new Float32Array(4));
    editor.set("n", 2);
    assert.deepEqual(/** @type {MetadataArray} */ (editor.metadata.get("tokens")).toArray(), [
      "token 0",
      "token 1",
      "token 2",
    ]);
    const plan = editor.plan();
    editor.free();
    const edited = await Gguf.open(plan);
    assert.equal(edited.metadata.get("n"), 2);
    assert.equal(arrayOf(edited, "tokens").at(2), "token 2");
  });

  test("a freed array is refused as a value, and the editor is still usable", async () => {
    const gguf = await Gguf.open(FILE);
    const tokens = arrayOf(gguf, "tokens");
    const editor = (await Gguf.open(FILE)).edit();
    gguf.free();
    assert.throws(() => editor.set("copy", tokens), { name: "GgufError" });
    editor.set("n", 3);
    assert.equal(editor.metadata.get("n"), 3);
  });

  test("returns the memory of the header, although its arrays still exist", async () => {
    const header = llama3();
    const kept = [];
    for (let opened = 0; opened < 50; opened += 1) {
      const gguf = await Gguf.open(header);
      const tokens = arrayOf(gguf, "tokenizer.ggml.tokens");
      assert.ok(tokens.length > 100_000);
      tokens.at(-1);
      kept.push(tokens, gguf);
      gguf.free();
    }
    assert.equal(kept.length, 100);
    const bytes = memory.buffer.byteLength;
    assert.ok(bytes < 32 * MIB, `${bytes} bytes of WebAssembly memory`);
  });
});

describe("a Gguf that is not freed", () => {
  test("leaves its arrays usable", async () => {
    const array = arrayOf(await Gguf.open(FILE), "tokens");
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(array.at(0), "token 0");
  });
});

describe("objects that are in use", () => {
  test("a change inside of another change is busy, and the outer one succeeds", async () => {
    const editor = (await Gguf.open(FILE)).edit();
    /** @type {unknown} */
    let inner;
    const values = {
      length: 1,
      get 0() {
        try {
          editor.set("n", 5);
        } catch (error) {
          inner = error;
        }
        return 7;
      },
    };
    const array = new Proxy([0], { get: (target, name) => Reflect.get(name in values ? values : target, name) });
    editor.set("list", array, "UINT32[]");
    assert.ok(inner instanceof Error && "code" in inner && inner.code === "busy", String(inner));
    editor.set("n", 6);
    assert.equal(editor.metadata.get("n"), 6);
    for (let count = 0; count < 5000; count += 1) editor.set("list", array, "UINT32[]");
  });
});

describe("free() during a call on the same object", () => {
  test("frees the object when the call has returned, and no other object", async () => {
    const editor = (await Gguf.open(FILE)).edit();
    const other = await Gguf.open(FILE);
    const value = Object.defineProperty([1], 0, {
      get() {
        editor.free();
        return 1;
      },
    });
    editor.set("x", value);
    assert.throws(() => editor.changes, FREED);
    assert.equal(other.version, 3);
  });
});

describe("invalid numbers", () => {
  for (const wrong of [5n, Symbol("five"), "5", {}, null]) {
    const name =
      typeof wrong === "symbol" ? "a symbol" : typeof wrong === "bigint" ? "a bigint" : JSON.stringify(wrong);
    test(`${name} as a position, an index, a version, an alignment`, async () => {
      const gguf = await Gguf.open(FILE);
      const editor = gguf.edit();
      const plan = editor.plan();
      const array = arrayOf(gguf, "tokens");
      const any = /** @type {any} */ (wrong);
      const INVALID = { name: "GgufError", code: "invalid-argument" };
      const calls = [
        () => array.at(any),
        () => array.bytes(any),
        () => plan.read(any, 5),
        () => plan.read(0, any),
        () => editor.move("n", any),
        () => editor.setElement("tokens", any, "a"),
        () => editor.insertElements("tokens", any, ["a"]),
        () => editor.removeElements("tokens", any),
        () => void (editor.version = any),
        () => void (editor.alignment = any),
      ];
      // `undefined` means the default here.
      const optional = [
        () => array.slice(any),
        () => array.slice(0, any),
        () => array.indexOf("token 0", any),
        () => editor.add("new", 1, "UINT32", any),
        () => editor.removeElements("tokens", 0, any),
      ];
      for (const call of wrong === null ? calls : [...calls, ...optional]) {
        await assert.rejects(async () => call(), INVALID, String(call));
      }
      await assert.rejects(async () => gguf.readBytes("t", { start: any ?? 5n }), { name: "GgufError" });
      await assert.rejects(async () => plan.stream({ start: any ?? 5n }), { name: "GgufError" });
    });
  }
});
