// `Gguf` and `GgufSet` have the same members.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, GgufSet } from "gguf-wasm/full";
import { shardFiles } from "../../support/shards.mjs";

/** The members that only a set has, because a file has no shards. */
const ONLY_OF_SETS = ["findings", "isComplete", "merge", "merged", "shards"];

/** The members whose values are not those of the merged file, because they describe the shards as they are. */
const OF_SHARDS = ["extent", "fileSize", "loads", "requiredSize", "tensor", "tensors", "validate"];

/** @param {{ prototype: object }} Class The public members of its objects. */
const membersOf = ({ prototype }) =>
  Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== "constructor" && !name.startsWith("_"))
    .sort();

/** @param {string} name */
const kindOf =
  (name) =>
  (/** @type {{ prototype: object }} */ { prototype }) => {
    const member = Object.getOwnPropertyDescriptor(prototype, name);
    return member?.get ? "getter" : typeof member?.value;
  };

const files = Object.entries(shardFiles(3)).map(([name, bytes]) => new File([bytes], name));

describe("one interface", () => {
  test("a set has the members of a file, as methods and getters of the same kind", () => {
    assert.deepEqual(
      membersOf(GgufSet).filter((name) => !ONLY_OF_SETS.includes(name)),
      membersOf(Gguf),
    );
    for (const name of membersOf(Gguf)) assert.equal(kindOf(name)(GgufSet), kindOf(name)(Gguf), name);
    for (const name of ONLY_OF_SETS) assert.ok(!(name in Gguf.prototype), name);
  });

  test("getters of a set have the values of the merged file", async () => {
    const set = await GgufSet.open(files);
    for (const name of membersOf(Gguf).filter((name) => kindOf(name)(Gguf) === "getter" && !OF_SHARDS.includes(name))) {
      const member = /** @type {keyof import("gguf-wasm/full").Model} */ (name);
      assert.deepEqual(set[member], set.merged[member], name);
    }
    assert.equal(set.architecture, "llama");
    assert.equal(set.getString("general.architecture"), "llama");
    assert.equal(set.getNumber("split.count"), undefined);
  });

  test("methods of a set work on the merged file", async () => {
    const set = await GgufSet.open(files);
    assert.deepEqual(
      [...set.keyBytes(/** @type {never} */ (set.entries[0]))],
      [...Buffer.from(String(set.entries[0]?.key))],
    );
    assert.equal(set.toMarkdown(), set.merged.toMarkdown());
    assert.deepEqual((await set.hash()).data, (await set.merged.hash()).data);
    assert.deepEqual([...(await set.read("t2", { end: 1 }))], [2]);
    assert.equal(set.split({ maxTensors: 1 }).length, 3);
  });

  test("tensors, extents and sizes are those of the shards", async () => {
    const set = await GgufSet.open(files);
    for (const { number, gguf } of set.shards) {
      const tensor = set.tensor(`t${number}`);
      assert.equal(tensor, set.tensors[number - 1]);
      assert.equal(tensor?.shard, number);
      assert.deepEqual(set.extent(`t${number}`), gguf?.extent(`t${number}`));
    }
    assert.equal(set.tensor("t4"), undefined);
    assert.throws(() => set.extent("t4"), { code: "unknown-tensor" });
    assert.equal(
      set.fileSize,
      files.reduce((sum, { size }) => sum + size, 0),
    );
    const required = set.shards.map(({ gguf }) => gguf?.requiredSize ?? 0);
    assert.equal(
      set.requiredSize,
      required.reduce((sum, size) => sum + size),
    );
  });

  test("`fileName` of validate is the name of the first shard", async () => {
    const set = await GgufSet.open(files);
    const codes = set.validate({ fileName: "Llama-7B-v1.0-Q4_K_M.gguf" }).map(({ code }) => code);
    assert.ok(codes.length > set.validate().length, codes.join());
  });

  test("members of a set that was freed fail with `freed`", async () => {
    const set = await GgufSet.open(files);
    set.free();
    assert.throws(() => set.architecture, { code: "freed" });
    assert.throws(() => set.tensor("t1"), { code: "freed" });
    await assert.rejects(set.read("t1"), { code: "freed" });
  });
});
