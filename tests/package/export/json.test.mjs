// `toJSON`: the members of gguf-dump's JSON, and values that JSON can hold.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, GgufSet } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { pathOf, read } from "../corpus.mjs";
import { FILES, missing, otherPrograms } from "./other-programs.mjs";

const ask = otherPrograms();

/** @param {Parameters<typeof ggufBytes>} args */
const open = (...args) => Gguf.open(ggufBytes(...args));

describe("gguf-dump --json --json-array has the same content", { skip: missing }, () => {
  let compared = 0;
  for (const file of FILES) {
    test(file, async (context) => {
      const path = pathOf(`files/${file}`);
      const expected = await ask("json", path).catch((error) => error);
      // gguf-dump does not read version 1, text that is not UTF-8, and new types.
      if (expected instanceof Error) return context.diagnostic(`gguf-dump: ${expected.message}`);
      // It uses the type of the first inner array for all inner arrays, and gives the bytes of strings in the others.
      const mixed = expected.metadata["n.mixed"];
      if (mixed) mixed.value = mixed.value.map((/** @type {unknown} */ value) => (value === 120 ? "x" : value));
      const gguf = await Gguf.open(read(`files/${file}`));
      const found = gguf.toJSON({ fileName: path });
      assert.deepEqual(JSON.parse(JSON.stringify(found)), JSON.parse(JSON.stringify(expected)));
      assert.deepEqual(Object.keys(found), Object.keys(expected));
      assert.deepEqual(Object.keys(found.metadata), Object.keys(expected.metadata));
      assert.deepEqual(Object.keys(found.tensors), Object.keys(expected.tensors));

      // Without --json-array, arrays have no values.
      for (const field of Object.values(expected.metadata)) if (field.array_types) delete field.value;
      assert.deepEqual(gguf.toJSON({ fileName: path, arrays: "none" }), expected);
      compared += 1;
    });
  }
  test("most files were compared", () => assert.ok(compared > FILES.length / 2, `${compared} of ${FILES.length}`));
});

test("files that gguf-dump refuses", { skip: missing }, async () => {
  for (const file of FILES) {
    const gguf = await Gguf.open(read(`files/${file}`));
    const { metadata, tensors } = JSON.parse(JSON.stringify(gguf));
    assert.equal(Object.keys(metadata).length, gguf.entries.length + 3, file);
    assert.equal(Object.keys(tensors).length, gguf.tensors.length, file);
  }
});

describe("JSON.stringify", () => {
  const file = ggufBytes(
    [
      ["big", { type: "uint64", value: 2n ** 64n - 1n }],
      ["nan", { type: "float32", value: NaN }],
      ["infinite", { type: "float32", value: -Infinity }],
      ["floats", { type: "float32s", count: 3, at: (index) => [Infinity, NaN, 0.5][index] ?? 0 }],
      ["name", text('a\u0000b"\u2028')],
    ],
    [{ name: "t", dimensions: [2, 3], type: 0, bytes: 24 }],
  );

  test("64-bit integers, NaN and infinities are text", async () => {
    const gguf = await Gguf.open(file);
    const { filename, endian, metadata, tensors } = JSON.parse(JSON.stringify({ gguf })).gguf;
    assert.deepEqual([filename, endian], ["model.gguf", "LITTLE"]);
    assert.deepEqual(metadata["GGUF.version"], { index: 0, type: "UINT32", offset: 4, value: 3 });
    assert.deepEqual(metadata["GGUF.kv_count"], { index: 2, type: "UINT64", offset: 16, value: "5" });
    assert.deepEqual(metadata.big, { index: 3, type: "UINT64", offset: 24, value: "18446744073709551615" });
    assert.equal(metadata.nan.value, "NaN");
    assert.equal(metadata.infinite.value, "-Infinity");
    assert.deepEqual(metadata.floats.value, ["Infinity", "NaN", 0.5]);
    assert.deepEqual(metadata.floats.array_types, ["FLOAT32"]);
    assert.equal(metadata.name.value, 'a\u0000b"\u2028');
    assert.deepEqual(Object.keys(tensors), ["t"]);
    assert.deepEqual([tensors.t.index, tensors.t.shape, tensors.t.type], [0, [2, 3], "F32"]);
    assert.deepEqual(gguf.toJSON(), JSON.parse(JSON.stringify(gguf)));
  });

  test("of a set: the tensors of all shards", async () => {
    const gguf = await open(
      [["general.architecture", text("llama")]],
      ["a", "b", "c"].map((name) => ({ name, dimensions: [8], type: 0, bytes: 32 })),
    );
    const shards = gguf.split({ maxTensors: 1 }).map(({ plan }) => plan);
    const set = await GgufSet.open(shards);
    const { tensors, filename } = JSON.parse(JSON.stringify(set));
    assert.deepEqual([Object.keys(tensors), filename], [["a", "b", "c"], "model.gguf"]);
    assert.deepEqual(
      set.toJSON({ fileName: "x", arrays: "short" }),
      set.merged.toJSON({ fileName: "x", arrays: "short" }),
    );
    set.free();
    assert.throws(() => set.toJSON(), { code: "freed" });
  });
});

describe("names", () => {
  test("a key or a name that occurs twice is kept, with its offset", async () => {
    const tensor = { dimensions: [1], type: 0, bytes: 4 };
    const gguf = await open(
      [
        ["k", uint32(1)],
        ["k", uint32(2)],
        ["GGUF.version", uint32(9)],
        ["k_41", uint32(3)],
        ["k_110", uint32(4)],
        ["k", uint32(5)],
        ["__proto__", uint32(6)],
        ["7", uint32(7)],
        [Uint8Array.of(0xff), uint32(8)],
        [Uint8Array.of(0xfe), uint32(9)],
      ],
      ["t", "t", "__proto__"].map((name) => ({ name, ...tensor })),
    );
    const { metadata, tensors } = gguf.toJSON();
    const fields = Object.entries(metadata).sort(([, a], [, b]) => a.index - b.index);
    assert.equal(fields.length, 13);
    assert.equal(metadata["k"]?.value, 1);
    const values = fields.slice(3).map(([, { value }]) => value);
    assert.deepEqual(values, [1, 2, 9, 3, 4, 5, 6, 7, 8, 9]);
    for (const [name, { index, offset }] of fields.slice(3)) {
      const { key } = gguf.entries[index - 3] ?? { key: "" };
      assert.ok([key, `${key}_${offset}`, `${key}_${offset}_`].includes(name), `${key}: ${name}`);
    }
    assert.ok(Object.hasOwn(metadata, "__proto__") && Object.hasOwn(tensors, "__proto__"));
    assert.equal(Object.keys(tensors).length, 3);
    assert.equal(Object.keys(JSON.parse(JSON.stringify(gguf)).metadata).length, 13);
  });

  test("200,000 entries with one key are all kept", async () => {
    const count = 200_000;
    const entries = Array.from({ length: count }, () => /** @type {[string, any]} */ (["k", uint32(1)]));
    const { metadata } = (await open(entries)).toJSON();
    assert.equal(Object.keys(metadata).length, count + 3);
  });
});

describe("options", () => {
  const file = ggufBytes(
    [
      ["numbers", { type: "int32s", count: 20, at: (index) => index }],
      ["texts", { type: "strings", count: 9, at: (index) => `t${index}` }],
      ["nested", { type: "nested", value: [["a", "b"], [], ["c"]] }],
      ["few", { type: "int32s", count: 2, at: (index) => index }],
    ],
    [{ name: "t", dimensions: [1], type: 0, bytes: 4 }],
  );

  test("short arrays have the first 8 elements and their length", async () => {
    const { metadata } = (await Gguf.open(file)).toJSON({ arrays: "short" });
    assert.deepEqual(metadata["numbers"]?.value, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.equal(metadata["numbers"]?.length, 20);
    assert.deepEqual(metadata["texts"]?.value, ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"]);
    assert.equal(metadata["texts"]?.length, 9);
    assert.deepEqual(metadata["nested"]?.value, ["a", "b", "c"]);
    assert.deepEqual(metadata["nested"]?.array_types, ["ARRAY", "STRING"]);
    assert.equal(metadata["nested"]?.length, 3);
    assert.deepEqual([metadata["few"]?.value, metadata["few"]?.length], [[0, 1], 2]);
  });

  test("arrays in full, and none", async () => {
    const gguf = await Gguf.open(file);
    const { metadata } = gguf.toJSON({ arrays: "full" });
    assert.deepEqual(
      metadata["numbers"]?.value,
      Array.from({ length: 20 }, (_, index) => index),
    );
    assert.ok(metadata["numbers"] && !("length" in metadata["numbers"]));
    assert.ok(
      Object.values(gguf.toJSON({ arrays: "none" }).metadata).every(
        (field) => "value" in field !== "array_types" in field,
      ),
    );
  });

  test("without tensors", async () => {
    assert.deepEqual((await Gguf.open(file)).toJSON({ tensors: false }).tensors, {});
  });

  test("any argument that is no object means the defaults", async () => {
    const gguf = await Gguf.open(file);
    for (const given of ["", "key", 0, 7, null, true, Symbol("s"), 1n]) {
      assert.deepEqual(gguf.toJSON(/** @type {any} */ (given)), gguf.toJSON());
    }
  });

  test("options of no use are refused", async () => {
    const gguf = await Gguf.open(file);
    for (const wrong of [{ arrays: "all" }, { arrays: 1 }, { tensors: 1 }, { fileName: 5 }]) {
      assert.throws(() => gguf.toJSON(/** @type {any} */ (wrong)), { name: "GgufError", code: "invalid-argument" });
    }
  });
});
