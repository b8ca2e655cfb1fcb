// Objects that the package hands out cannot be changed, so a caller cannot break later calls.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, GgufSet, GgufWriter, MetadataArray } from "gguf-wasm/full";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { shardFiles } from "../../support/shards.mjs";

/**
 * Asserts that a value and everything in it are frozen. Objects of the package and typed arrays have members that change.
 *
 * @param {unknown} value
 * @param {string} path
 */
function assertFrozen(value, path) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  if (value instanceof MetadataArray || value instanceof Gguf) return;
  assert.ok(Object.isFrozen(value), path);
  for (const [name, member] of Object.entries(value)) assertFrozen(member, `${path}.${name}`);
}

const gguf = await Gguf.open(smallModel());
const name = gguf.tensors[1]?.name ?? "";

describe("objects that are handed out are frozen", () => {
  const editor = gguf.edit();
  editor.set("general.name", "Changed");
  editor.remove("general.repo_url");
  editor.renameTensor(name, "renamed");
  editor.removeTensor("output_norm.weight");
  const writer = new GgufWriter();
  writer.addTensor("t", { dimensions: [32], type: "F32" });

  /** @type {Record<string, () => unknown>} */
  const lists = {
    "gguf.tensors": () => gguf.tensors,
    "gguf.tensor()": () => gguf.tensor(name),
    "gguf.extent()": () => gguf.extent(name),
    "gguf.entries": () => gguf.entries,
    "gguf.validate()": () => gguf.validate({ fileName: "x" }),
    "gguf.loads()": () => gguf.loads(),
    "gguf.memory()": () => gguf.memory(),
    "gguf.fit()": () => gguf.fit({ gpuBytes: 1e9 }),
    "gguf.fileType": () => gguf.fileType,
    "gguf.classification": () => gguf.classification,
    "editor.tensors": () => editor.tensors,
    "editor.removedTensors": () => editor.removedTensors,
    "editor.entries": () => editor.entries,
    "editor.removedEntries": () => editor.removedEntries,
    "editor.validate()": () => editor.validate(),
    "editor.loads()": () => editor.loads(),
    "writer.tensors": () => writer.tensors,
  };
  for (const [path, read] of Object.entries(lists)) {
    test(path, () => {
      const value = read();
      assert.ok(!Array.isArray(value) || value.length > 0, "an empty list tests nothing");
      assertFrozen(value, path);
    });
  }

  test("of a set", async () => {
    const [first] = Object.entries(shardFiles(2)).map(([name, bytes]) => new File([bytes], name));
    const set = await GgufSet.open([/** @type {File} */ (first)]);
    for (const list of [set.tensors, set.shards, set.findings, set.validate(), set.entries]) {
      assert.ok(list.length > 0, "an empty list tests nothing");
      assertFrozen(list, "set");
    }
    assertFrozen(set.loads(), "set.loads()");
  });
});

test("a tensor of the list cannot be renamed, and reading it still works", async () => {
  const tensor = /** @type {{ name: string, dimensions: number[] }} */ (/** @type {unknown} */ (gguf.tensors[1]));
  assert.throws(() => (tensor.name = "x"), TypeError);
  assert.throws(() => tensor.dimensions.push(1), TypeError);
  assert.ok(await gguf.read(/** @type {never} */ (tensor), { end: 1 }));
});

for (const [owner, metadata] of Object.entries({ file: gguf.metadata, editor: gguf.edit().metadata })) {
  test(`the metadata of a ${owner} cannot be changed`, () => {
    const map = /** @type {Map<string, unknown>} */ (metadata);
    const size = map.size;
    assert.throws(() => map.set("general.name", "x"), TypeError);
    assert.throws(() => map.delete("general.name"), TypeError);
    assert.throws(() => map.clear(), TypeError);
    assert.throws(() => (map.set = Map.prototype.set), TypeError);
    assert.equal(map.size, size);
    // It still is a map that can be copied.
    assert.equal(new Map(map).size, size);
    assert.deepEqual(Object.keys(map), []);
  });
}

test("values of methods do not come from the map, which `Map.prototype.set` can change", async () => {
  const file = await Gguf.open(smallModel());
  Map.prototype.set.call(file.metadata, "general.name", "x");
  assert.equal(file.name, "Tiny Test");
  assert.equal(file.getString("general.name"), "Tiny Test");
});

test("a forged tensor or entry is only looked up by its position and its name", async () => {
  const [first] = gguf.tensors;
  if (!first) throw new Error("there is a first tensor");
  const forged = { ...first, fileOffset: 0, byteLength: 2 ** 40, dimensions: [2 ** 30], typeId: 0, type: "F32" };
  assert.deepEqual(await gguf.readBytes(forged), await gguf.readBytes(first));
  assert.deepEqual(gguf.extent(forged), gguf.extent(first));
  await assert.rejects(gguf.readBytes({ ...first, index: 1 }), { code: "unknown-tensor" });
  const [entry] = gguf.entries;
  if (!entry) throw new Error("there is a first entry");
  assert.deepEqual(gguf.valueBytes({ ...entry, offset: 0, byteLength: 1e9 }), gguf.valueBytes(entry));
  assert.throws(() => gguf.valueBytes({ ...entry, index: 1 }), { code: "invalid-argument" });
});
