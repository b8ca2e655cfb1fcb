// `Editor`: the changes that it refuses, with their codes, and the types that it chooses for values.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Gguf, GgufWriter } from "gguf-wasm/full";

/** @import { Editor } from "gguf-wasm/full" */

/** A file with an entry of each kind, and a tensor. */
function bytes() {
  const writer = new GgufWriter();
  writer.set("general.architecture", "llama");
  writer.set("n.u8", 1, "UINT8");
  writer.set("n.i64", -1, "INT64");
  writer.set("n.f32", 0.5, "FLOAT32");
  writer.set("b", true);
  writer.set("tokens", ["a", "b", "c"]);
  writer.set("nested", [[1, 2], ["x"]]);
  writer.addTensor("t", { dimensions: [32], type: "F32" });
  return Buffer.concat([writer.headerBytes(), new Uint8Array(128)]);
}

const editor = async (file = bytes()) => (await Gguf.open(file)).edit();

describe("a refused change names the key and the value, and changes nothing", () => {
  /** @type {[string, string, RegExp, (editor: Editor) => void][]} */
  const cases = [
    ["too large a number", "does-not-fit", /"n.u8".*256.*UINT8/, (e) => e.set("n.u8", 256)],
    ["a fraction", "does-not-fit", /"n.u8".*1.5/, (e) => e.set("n.u8", 1.5)],
    ["too large a bigint", "does-not-fit", /"n.i64".*9223372036854775808/, (e) => e.set("n.i64", 2n ** 63n)],
    ["a number that was rounded", "does-not-fit", /"n.i64"/, (e) => e.set("n.i64", 2 ** 53)],
    ["text for a number", "does-not-fit", /"n.f32".*"x"/, (e) => e.set("n.f32", "x")],
    ["a number for a boolean", "does-not-fit", /"b".*1/, (e) => e.set("b", 1)],
    ["half a surrogate pair", "does-not-fit", /general.architecture/, (e) => e.set("general.architecture", "\ud800")],
    ["an element of another type", "does-not-fit", /"tokens", element 1.*5/, (e) => e.setElement("tokens", 1, 5)],
    [
      "one of several elements",
      "does-not-fit",
      /"tokens", element 4.*5/,
      (e) => e.insertElements("tokens", 3, ["x", 5]),
    ],
    ["an element beyond the end", "out-of-range", /"tokens".*3 elements/, (e) => e.setElement("tokens", 3, "d")],
    ["elements of what is no array", "does-not-fit", /"b"/, (e) => e.removeElements("b", 0)],
    ["a type that does not hold the value", "does-not-fit", /"n.i64"/, (e) => e.retype("n.i64", "UINT8")],
    ["an unknown key", "unknown-key", /"nope"/, (e) => e.remove("nope")],
    ["an unknown position", "unknown-key", /99/, (e) => e.set(99, 1)],
    ["no position at all", "unknown-key", /key.*position/, (e) => e.remove(-1)],
    ["what is no key", "unknown-key", /key.*position/, (e) => e.remove(/** @type {any} */ (null))],
    ["no tensor's position", "unknown-tensor", /name.*position/, (e) => e.removeTensor(0.5)],
    ["a key that is taken", "key-taken", /"n.u8"/, (e) => e.rename("b", "n.u8")],
    ["a new key that is taken", "key-taken", /"b"/, (e) => e.add("b", 1)],
    ["an empty key", "bad-key", /1 to 65535/, (e) => e.rename("b", "")],
    ["a long key", "bad-key", /65536/, (e) => e.add("k".repeat(65_536), 1)],
    ["a position that is none", "out-of-range", /position/, (e) => e.move("b", 7)],
    ["a position that is no number", "out-of-range", /whole/, (e) => e.move("b", 0.5)],
    ["an unknown tensor", "unknown-tensor", /"u"/, (e) => e.removeTensor("u")],
    ["a name of 64 bytes", "bad-name", /64 bytes/, (e) => e.renameTensor("t", "n".repeat(64))],
    ["an alignment", "bad-alignment", /33/, (e) => void (e.alignment = 33)],
    ["a negative alignment", "bad-alignment", /power of two/, (e) => void (e.alignment = -8)],
    ["an alignment of another type", "bad-alignment", /INT32/, (e) => e.add("general.alignment", 64, "INT32")],
    ["a version", "unsupported-version", /2/, (e) => void (e.version = 2)],
    ["half a version", "unsupported-version", /version/, (e) => void (e.version = 3.5)],
    ["a byte order", "invalid-argument", /little-endian/, (e) => void (e.byteOrder = /** @type {any} */ ("big"))],
    ["a type", "invalid-argument", /"UINT128"/, (e) => e.set("b", 1, /** @type {any} */ ("UINT128"))],
    [
      "a buffer for an array of strings",
      "does-not-fit",
      /"tokens"/,
      (e) => e.set("tokens", new DataView(new ArrayBuffer(8))),
    ],
    [
      "a buffer for an array of floats",
      "does-not-fit",
      /"x"/,
      (e) => e.add("x", new DataView(new ArrayBuffer(8)), "FLOAT32[]"),
    ],
    ["an empty array of no type", "does-not-fit", /"x"/, (e) => e.add("x", [])],
  ];
  for (const [what, code, message, change] of cases) {
    test(what, async () => {
      const edited = await editor();
      assert.throws(() => change(edited), { name: "GgufError", code, message });
      assert.equal(edited.changes.length, 0);
      assert.deepEqual(edited.plan().segments(), [{ kind: "copy", offset: 0, start: 0, end: edited.plan().size }]);
    });
  }

  test("a truncated file, and its checks still report that", async () => {
    const edited = await editor(bytes().subarray(0, -64));
    edited.set("b", false);
    assert.throws(() => edited.plan(), { name: "GgufError", code: "truncated", message: /"t"/ });
    edited.set("general.architecture", "a much longer name of an architecture than there was");
    assert.ok(edited.validate().some(({ code }) => code === "truncated"));
  });

  test("arrays that are nested too deeply, given as a value or copied", async () => {
    /** @type {unknown} */
    let deep = [1];
    for (let depth = 1; depth < 64; depth++) deep = [deep];
    const edited = await editor();
    const value = /** @type {any} */ (deep);
    edited.add("deep", value);
    assert.equal((await Gguf.open(edited.plan())).entries.at(-1)?.key, "deep");
    const refused = { name: "GgufError", code: "limit-exceeded", message: /64 levels/ };
    assert.throws(() => edited.add("deeper", [value]), refused);
    assert.throws(() => edited.add("deeper", /** @type {any} */ ([edited.metadata.get("deep")])), refused);
    assert.equal(edited.changes.length, 1);
  });

  test("a value that is too large for memory, after which the editor is still usable", async () => {
    const edited = await editor();
    const refused = { name: "GgufError", code: "limit-exceeded" };
    const named = { ...refused, message: /"x"/ };
    assert.throws(() => edited.set("general.architecture", new Uint8Array(2 ** 29)), refused);
    assert.throws(() => edited.add("x", "x".repeat(2 ** 28)), named);
    assert.throws(() => edited.add("x", Array(40).fill("x".repeat(2 ** 26))), named);
    assert.throws(() => edited.add("x", new Uint8Array(2 ** 28), "UINT8[]"), named);
    assert.throws(() => edited.add("x", new Uint8Array(2 ** 25 + 1), "UINT64[]"), named);
    const endless = new Proxy([1, 2], {
      get: (target, key) => (key === "length" ? 2 ** 31 : Reflect.get(target, key)),
    });
    assert.throws(() => edited.add("x", endless), named);
    assert.throws(() => edited.add("x", endless, "UINT8[]"), named);
    edited.add("x", new Uint8Array(2 ** 25 + 1));
    assert.throws(() => edited.retype("x", "UINT64[]"), refused);
    assert.equal(edited.changes.length, 1);
  });

  test("new values that exceed the limit, where old values that undo can restore count too", async () => {
    const edited = await editor();
    const value = new Uint8Array(2 ** 27);
    const fill = () => {
      for (let i = 0; i < 8; i++) edited.set("x", value);
    };
    assert.throws(fill, { name: "GgufError", code: "limit-exceeded", message: /all changes/ });
    assert.ok(edited.changes.length >= 3);
    assert.equal(edited.plan().size, (await Gguf.open(edited.plan())).fileSize);
    assert.equal(edited.entries.at(-1)?.byteLength, 2 ** 27 + 12);
    while (edited.undo());
    edited.set("x", value);
    assert.equal(edited.changes.length, 1);
  });

  test("the bytes of a string, before and after it is changed", async () => {
    const edited = await editor();
    const bytes = (/** @type {string} */ key) => {
      const entry = edited.entries.find((candidate) => candidate.key === key);
      assert.ok(entry);
      return edited.stringBytes(entry);
    };
    edited.add("a.string", Uint8Array.of(0x61, 0xff, 0x62), "STRING");
    assert.deepEqual(bytes("a.string"), Uint8Array.of(0x61, 0xff, 0x62));
    edited.set("a.string", "é");
    assert.deepEqual(bytes("a.string"), Uint8Array.of(0xc3, 0xa9));
    assert.throws(() => bytes("n.u8"), { name: "GgufError", code: "invalid-argument", message: /UINT8/ });
  });

  test("an entry of an outdated list, and a value that is not a Blob", async () => {
    const edited = await editor();
    const [, stale] = edited.entries;
    assert.ok(stale);
    edited.remove("n.u8");
    assert.throws(() => edited.valueBytes(stale), {
      name: "GgufError",
      code: "invalid-argument",
      message: /current list/,
    });
    assert.throws(() => edited.stringBytes(stale), { name: "GgufError", code: "invalid-argument" });
    assert.throws(() => edited.keyBytes(stale), { name: "GgufError", code: "invalid-argument" });
    for (const original of [{}, null, "file"]) {
      const made = () => edited.plan().toBlob(/** @type {any} */ (original));
      assert.throws(made, { name: "GgufError", code: "invalid-argument" });
    }
  });

  test("an error that an element throws is passed on, and the editor is still usable", async () => {
    const edited = await editor();
    const thrown = new Error("own");
    const array = Object.defineProperty(["a"], 0, {
      get() {
        throw thrown;
      },
    });
    assert.throws(() => edited.set("tokens", array), thrown);
    assert.throws(() => edited.add("x", array, "STRING[]"), thrown);
    const { proxy, revoke } = Proxy.revocable(/** @type {string[]} */ ([]), {});
    revoke();
    assert.throws(() => edited.set("tokens", proxy), { name: "GgufError", code: "does-not-fit" });
    const gone = new Float32Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    assert.throws(() => edited.add("x", gone, "STRING[]"), { name: "GgufError" });
    edited.set("tokens", ["fine"]);
    assert.equal(edited.changes.length, 1);
  });
});

describe("a new entry without a type", () => {
  test("gets a type that holds the value exactly, or is refused", async () => {
    const edited = await editor();
    edited.add("whole", [16777217, 0.5]);
    edited.add("half", [16777216, 0.5]);
    assert.deepEqual(
      edited.entries.slice(-2).map(({ key, elementType }) => [key, elementType]),
      [
        ["whole", "FLOAT64"],
        ["half", "FLOAT32"],
      ],
    );
    for (const value of [null, undefined, {}, [], 2n ** 64n]) {
      const message = /"x": .* does not fit any type/;
      assert.throws(() => edited.add("x", /** @type {any} */ (value)), { code: "does-not-fit", message });
    }
    assert.throws(() => edited.add("x", 2 ** 53), { code: "does-not-fit", message: /rounded.*bigint.*UINT64/ });
    const thrown = new Error("own");
    const array = Object.defineProperty([0], 0, {
      get() {
        throw thrown;
      },
    });
    assert.throws(() => edited.add("x", array), thrown);
  });

  /** @type {[string, import("gguf-wasm/full").NewValue, string][]} */
  const cases = [
    ["llama.rope.freq_base", 10_000, "FLOAT32"],
    ["llama.context_length", 4096, "UINT32"],
    ["general.name", Uint8Array.of(0xff), "STRING"],
    ["general.tags", [], "STRING[]"],
    ["tokenizer.ggml.token_type", [1, 1], "INT32[]"],
    ["tokenizer.ggml.precompiled_charsmap", Uint8Array.of(1), "UINT8[]"],
    ["tokenizer.ggml.precompiled_charsmap", Int8Array.of(1), "INT8[]"],
    ["tokenizer.ggml.scores", [1, 2], "FLOAT32[]"],
    ["llama.attention.head_count_kv", [8, 8], "INT32[]"],
    ["llama.attention.head_count_kv", 8, "UINT32"],
    ["own.number", 1, "UINT32"],
    ["own.negative", -1, "INT32"],
    ["own.large", 2 ** 40, "UINT64"],
    ["own.big", 1n, "UINT64"],
    ["own.fraction", 0.25, "FLOAT32"],
    ["own.mixed", [1, 0.5], "FLOAT32[]"],
    ["own.bytes", Uint8Array.of(1, 2), "UINT8[]"],
    ["own.flags", [true], "BOOL[]"],
    ["own.nested", [["a"], []], "ARRAY[]"],
  ];
  for (const [key, value, type] of cases) {
    test(`${key} is ${type}`, async () => {
      const edited = await editor();
      if (type === "ARRAY[]") edited.add(key, [["a"], ["b"]]);
      else edited.set(key, value);
      assert.equal(edited.changes[0]?.toType, type);
      const written = await Gguf.open(edited.plan());
      const entry = written.entries.at(-1);
      assert.equal(entry?.elementType === undefined ? entry?.type : `${entry.elementType}[]`, type);
    });
  }

  test("an array of another file keeps its type and its bytes", async () => {
    const from = await Gguf.open(bytes());
    const edited = await editor();
    edited.add("copied", /** @type {any} */ (from.metadata.get("nested")));
    const to = await Gguf.open(edited.plan());
    const [a, b] = [from.entries.find(({ key }) => key === "nested"), to.entries.at(-1)];
    assert.ok(a !== undefined && b !== undefined);
    assert.deepEqual(to.valueBytes(b), from.valueBytes(a));
  });
});
