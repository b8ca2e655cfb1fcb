// Metadata values in JavaScript, including edge cases.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

const encode = (/** @type {string} */ string) => new TextEncoder().encode(string);
const NOT_UTF8 = [
  Uint8Array.of(0xff),
  Uint8Array.of(0xe2, 0x82),
  Uint8Array.of(0x82, 0xac),
  Uint8Array.of(0xf0, 0x9f, 0x98),
  Uint8Array.of(0xc0, 0x80),
  Uint8Array.of(0xed, 0xa0, 0x80),
];

/** @param {(string | Uint8Array)[]} strings */
async function array(strings) {
  const at = (/** @type {number} */ index) => strings[index] ?? "";
  const gguf = await Gguf.open(ggufBytes([["array", { type: "strings", count: strings.length, at }]]));
  const value = gguf.metadata.get("array");
  assert.ok(typeof value === "object");
  return value;
}

/** @param {string | Uint8Array} string */
const decoded = (string) =>
  typeof string === "string" ? string : new TextDecoder("utf-8", { ignoreBOM: true }).decode(string);

describe("strings of an array", () => {
  const cases = {
    empty: ["", "", ""],
    one: ["only"],
    "an empty one at each end": ["", "a", ""],
    "one empty": [""],
    none: [],
    "byte order marks": ["\ufeffa", "\ufeff", "a\ufeff"],
    "every control character": Array.from({ length: 33 }, (_, code) => `a${String.fromCharCode(code)}b`),
    "NUL alone": ["\0", "", "\0\0", "a"],
    "beyond the basic plane": ["😀", "a😀b", "\u{10ffff}"],
    "not UTF-8, so that neighbours would make characters together": [...NOT_UTF8, "a", ...NOT_UTF8, "\0", ...NOT_UTF8],
    "not UTF-8 without NUL": [...NOT_UTF8, "a", ...NOT_UTF8],
    "longer than what is decoded at once": ["x".repeat(3 << 20), "y".repeat(5 << 20), "z", "é".repeat(2 << 20), ""],
  };
  for (const [name, strings] of Object.entries(cases)) {
    test(name, async () => {
      const value = await array(strings);
      const expected = strings.map(decoded);
      assert.deepEqual(value.toArray(), expected);
      assert.deepEqual([...value], expected);
      for (const [index, string] of strings.entries()) {
        assert.equal(value.at(index), expected[index]);
        assert.deepEqual(value.bytes(index), typeof string === "string" ? encode(string) : string);
        assert.equal(value.indexOf(expected[index] ?? ""), expected.indexOf(expected[index] ?? ""));
        assert.deepEqual(value.slice(index, index + 2), expected.slice(index, index + 2));
      }
    });
  }
});

describe("indices are those of Array.prototype", () => {
  const strings = Array.from({ length: 200 }, (_, index) => `${index % 150}`);
  const indices = [
    0,
    -0,
    1,
    63,
    64,
    65,
    199,
    200,
    1e10,
    -1,
    -200,
    -201,
    -1e10,
    0.9,
    -0.9,
    1.5,
    NaN,
    Infinity,
    -Infinity,
  ];

  test("at, slice and indexOf", async () => {
    const value = await array(strings);
    for (const a of indices) {
      assert.equal(value.at(a), strings.at(a), `at(${a})`);
      assert.equal(value.indexOf("60", a), strings.indexOf("60", a), `indexOf("60", ${a})`);
      for (const b of indices) assert.deepEqual(value.slice(a, b), strings.slice(a, b), `slice(${a}, ${b})`);
    }
    assert.equal(value.indexOf("200"), -1);
    assert.equal(value.indexOf(60), -1);
    assert.throws(() => value.bytes(200), { name: "GgufError", code: "out-of-range" });
  });
});

describe("identity and lifetime", () => {
  const model = () =>
    Gguf.open(
      ggufBytes(
        [
          ["list", { type: "strings", count: 3, at: String }],
          ["n", uint32(5)],
        ],
        [{ name: "t", dimensions: [4], type: 0, bytes: 16 }],
      ),
    );

  test("metadata, entries, tensors and arrays are created once, and are read-only", async () => {
    const gguf = await model();
    assert.equal(gguf.metadata, gguf.metadata);
    assert.equal(gguf.entries, gguf.entries);
    assert.equal(gguf.tensors, gguf.tensors);
    assert.equal(gguf.tensor("t"), gguf.tensors[0]);
    assert.equal(gguf.metadata.get("list"), gguf.entries[0]?.value);
    assert.throws(() => /** @type {any} */ (gguf.entries).push({}), TypeError);
    assert.throws(() => /** @type {any} */ (gguf.tensors).pop(), TypeError);
  });

  test("an array is freed with its file", async () => {
    const gguf = await model();
    const list = gguf.metadata.get("list");
    assert.ok(typeof list === "object");
    assert.deepEqual(list.toArray(), ["0", "1", "2"]);
    gguf.free();
    assert.throws(() => list.toArray(), { name: "GgufError", code: "freed" });
    assert.throws(() => gguf.version, { name: "GgufError", code: "freed" });
  });

  test("Symbol.dispose frees", async () => {
    const gguf = await model();
    gguf[Symbol.dispose ?? "free"]();
    assert.throws(() => gguf.version);
  });
});

test("keys that are not UTF-8 are distinguished by their bytes", async () => {
  const keys = NOT_UTF8.map((bytes) => Uint8Array.of(...encode("k"), ...bytes));
  const gguf = await Gguf.open(ggufBytes(keys.map((key, index) => [key, uint32(index)])));
  assert.deepEqual(
    gguf.entries.map((entry) => gguf.keyBytes(entry)),
    keys,
  );
  assert.equal(gguf.metadata.get(decoded(/** @type {Uint8Array} */ (keys[0]))), 0);
  assert.deepEqual(gguf.valueBytes(/** @type {any} */ ({ index: 2 })), Uint8Array.of(2, 0, 0, 0));
  for (const entry of [undefined, {}, { index: -1 }, { index: keys.length }, { index: 0.5 }, 3]) {
    assert.throws(() => gguf.keyBytes(/** @type {any} */ (entry)), { name: "GgufError", code: "invalid-argument" });
  }
});

test("the bytes of a string", async () => {
  const name = Uint8Array.of(...encode("name "), ...(NOT_UTF8[0] ?? []));
  const gguf = await Gguf.open(
    ggufBytes([
      ["general.name", text(name)],
      ["number", uint32(1)],
    ]),
  );
  const [entry, number] = gguf.entries;
  assert.ok(entry && number);
  assert.deepEqual(gguf.stringBytes(entry), name);
  const refused = { name: "GgufError", code: "invalid-argument", message: /UINT32/ };
  assert.throws(() => gguf.stringBytes(number), refused);
});

test("duplicate keys: the first one counts, all are listed", async () => {
  const gguf = await Gguf.open(
    ggufBytes(
      [
        ["a", uint32(1)],
        ["b", text("x")],
        ["a", text("two")],
      ],
      [
        { name: "t", dimensions: [1], type: 0, bytes: 4 },
        { name: "t", dimensions: [2], type: 0, bytes: 8 },
      ],
    ),
  );
  assert.deepEqual(
    [...gguf.metadata],
    [
      ["a", 1],
      ["b", "x"],
    ],
  );
  assert.deepEqual(
    gguf.entries.map((entry) => entry.value),
    [1, "x", "two"],
  );
  assert.equal(gguf.tensor("t")?.index, 0);
  assert.equal(gguf.tensors.length, 2);
});

test("integers that a number cannot hold exactly are undefined", async () => {
  const gguf = await Gguf.open(
    ggufBytes(
      [],
      [
        { name: "huge", dimensions: [2 ** 32, 2 ** 32], type: 0, bytes: 0 },
        { name: "none", dimensions: [2 ** 40, 0, 2 ** 40], type: 12, bytes: 0 },
        { name: "ragged", dimensions: [33], type: 2, bytes: 0 },
      ],
    ),
  );
  const sizes = gguf.tensors.map(({ elementCount, byteLength }) => [elementCount, byteLength]);
  assert.deepEqual(sizes, [
    [undefined, undefined],
    [0, 0],
    [33, undefined],
  ]);
  assert.equal(gguf.parameterCount, 33);
});
