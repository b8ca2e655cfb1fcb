// Sets of shards from files, bytes and objects, and everything that a set can do.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf, GgufSet } from "gguf-wasm/full";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { asFiles, shardFiles, shardName } from "../../support/shards.mjs";

const THREE = shardFiles(3);
const FILES = asFiles(THREE);

/** @param {import("gguf-wasm/full").GgufSet} set */
const codes = (set) => set.findings.map(({ code, shard }) => [code, shard]);

/** @param {ReadableStream<Uint8Array>} stream */
async function collect(stream) {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

test("files in any order are one model", async () => {
  const set = await GgufSet.open(FILES.toReversed());
  assert.deepEqual(
    set.tensors.map(({ name, shard, index, offset }) => [name, shard, index, offset]),
    [
      ["t1", 1, 0, 0],
      ["t2", 2, 1, 0],
      ["t3", 3, 2, 0],
    ],
  );
  assert.equal(set.shards[0]?.gguf?.metadata.get("split.count"), 3);
  assert.equal(set.metadata, set.merged.metadata);
  assert.equal(set.metadata.has("split.count"), false);
  assert.equal(set.metadata.get("general.architecture"), "llama");
  assert.equal(
    set.fileSize,
    FILES.reduce((sum, { size }) => sum + size, 0),
  );
  assert.deepEqual(codes(set), []);
});

test("bytes, objects with a name, and file handles are sources", async () => {
  const [first, second, third] = Object.entries(THREE);
  if (!first || !second || !third) throw new Error("there are three shards");
  const handle = { name: second[0], getFile: async () => new File([second[1]], second[0]) };
  const object = {
    name: third[0],
    size: third[1].length,
    read: async (/** @type {number} */ start, /** @type {number} */ end) => third[1].slice(start, end),
  };
  const set = await GgufSet.open([object, first[1], handle]);
  assert.deepEqual(
    set.shards.map(({ name }) => name),
    ["", second[0], third[0]],
  );
  assert.deepEqual([...(await set.read("t3", { start: 1023 }))], [3]);
});

test("a whole file is a set of one", async () => {
  const file = /** @type {Uint8Array<ArrayBuffer>} */ (shardFiles(1)[shardName(1, 1)]);
  const set = await GgufSet.open(file);
  assert.equal(set.shards.length, 1);
  assert.equal(set.isComplete, true);
  assert.deepEqual([...(await set.read("t1", { end: 1 }))], [1]);
});

test("the methods of a set read the shard that has the tensor", async () => {
  const set = await GgufSet.open(FILES);
  const tensor = set.tensors[1];
  if (!tensor) throw new Error("there is a second tensor");
  assert.deepEqual([...(await set.read(tensor, { as: "float64", end: 1 }))], [2]);
  assert.equal((await set.readBytes(tensor)).length, 4096);
  assert.equal((await set.preview("t3", { rows: 1, columns: 1 })).mean[0], 3);
  assert.equal((await set.statistics("t1")).mean, 1);
  assert.equal(set.memory().weights?.total, set.merged.memory().weights?.total);
  assert.equal(set.largestContext({ bytes: 1e12 }), set.merged.largestContext({ bytes: 1e12 }));
  await assert.rejects(set.read("t4"), { code: "unknown-tensor" });
});

test("validate checks the shards and the model", async () => {
  const set = await GgufSet.open(FILES);
  const findings = set.validate();
  const missing = findings.find(({ code, tensor }) => code === "missing-tensor" && tensor === "token_embd.weight");
  assert.ok(missing, "the model lacks its tensors");
  assert.equal(missing.shard, undefined);
  assert.ok(findings.every(({ code }) => code !== "missing-shard-key"));
  const alone = await GgufSet.open(FILES.slice(0, 1));
  assert.ok(alone.validate().some(({ code, shard }) => code === "missing-shard" && shard === 2));
});

test("an edit changes the first shard", async () => {
  const set = await GgufSet.open(FILES);
  const editor = set.edit();
  editor.set("general.name", "new name");
  const edited = await collect(editor.plan().stream());
  const [, second, third] = FILES;
  const again = await GgufSet.open(/** @type {Blob[]} */ ([new Blob([edited]), second, third]));
  assert.equal(again.metadata.get("general.name"), "new name");
  assert.deepEqual(codes(again), []);
  assert.deepEqual([...(await again.read("t3", { end: 1 }))], [3]);
});

test("merging gives one file, as a stream, as a Blob, and as a source", async () => {
  const set = await GgufSet.open(FILES);
  const plan = set.merge();
  const bytes = await collect(plan.stream());
  assert.equal(bytes.length, plan.size);
  assert.deepEqual(Buffer.from(await plan.toBlob(FILES).arrayBuffer()), bytes);
  assert.deepEqual(Buffer.from(await plan.read(0, plan.size)), bytes);
  assert.equal(plan.inPlace, false);
  const gguf = await Gguf.open(bytes);
  for (const [index, name] of ["t1", "t2", "t3"].entries()) {
    assert.deepEqual([...new Set(await gguf.read(name))], [index + 1]);
  }
  assert.deepEqual(
    plan.segments().flatMap((segment) => (segment.kind === "copy" ? [segment.source] : [])),
    [0, 0, 1, 2],
  );
  const asLlamaCpp = await Gguf.open(set.merge({ splitKeys: "llama.cpp" }));
  assert.deepEqual([...asLlamaCpp.metadata.entries()].slice(-3), [
    ["split.no", 0],
    ["split.tensors.count", 3],
    ["split.count", 0],
  ]);
  assert.throws(() => set.merge({ splitKeys: /** @type {any} */ ("keep") }), { code: "invalid-argument" });
  assert.throws(() => plan.toBlob(FILES.slice(1)), { code: "invalid-argument" });
  assert.throws(() => plan.toBlob([...FILES.slice(1), new Blob()]), { code: "changed" });
});

test("a truncated shard is named, and its whole tensors can be read", async () => {
  const [first, second, third] = FILES;
  if (!first || !second || !third) throw new Error("there are three shards");
  const cut = new File([second.slice(0, second.size - 100)], second.name);
  const set = await GgufSet.open([first, cut, third]);
  assert.deepEqual(codes(set), [["truncated-shard", 2]]);
  assert.match(set.findings[0]?.message ?? "", /"m-00002-of-00003.gguf" has \d+ bytes and ends before .* tensor "t2"/);
  assert.deepEqual([...(await set.read("t3", { end: 1 }))], [3]);
  await assert.rejects(set.read("t2"));
  assert.throws(() => set.merge(), { code: "truncated" });
});

test("swapped and duplicate shards are named", async () => {
  const [first, second, third] = FILES;
  if (!first || !second || !third) throw new Error("there are three shards");
  const swapped = await GgufSet.open([first, new File([third], second.name), new File([second], third.name)]);
  assert.deepEqual(codes(swapped), [
    ["swapped-shard", 2],
    ["swapped-shard", 3],
  ]);
  assert.deepEqual([...(await swapped.read("t3", { end: 1 }))], [3]);
  const duplicate = await GgufSet.open([first, new File([third], second.name), third]);
  assert.deepEqual(codes(duplicate), [
    ["duplicate-shard", 3],
    ["missing-shard", 2],
  ]);
});

test("a tensor whose data would end beyond 2^53 is left out, and all others can be read", async () => {
  const [first, , third] = FILES;
  const place = /** @type {Parameters<typeof ggufBytes>[0]} */ ([
    ["split.no", { type: "uint16", value: 1 }],
    ["split.count", { type: "uint16", value: 3 }],
  ]);
  const tensors = [
    { name: "broken", dimensions: [2 ** 60], type: 0, bytes: 0 },
    { name: "whole", dimensions: [0], type: 0, bytes: 0 },
  ];
  const second = new File([new Uint8Array(ggufBytes(place, tensors, 3, false, false))], shardName(2, 3));
  const set = await GgufSet.open(/** @type {File[]} */ ([first, second, third]));
  assert.deepEqual(
    set.merged.tensors.map(({ name }) => name),
    ["t1", "whole", "t3"],
  );
  assert.equal(set.tensors.length, 4);
  const last = /** @type {import("gguf-wasm/full").SetTensor} */ (set.tensors[3]);
  assert.deepEqual([...(await set.read(last, { end: 1 }))], [3]);
  assert.throws(() => set.merge(), { name: "GgufError" });
});

test("a set with another number of tensors is not merged", async () => {
  const other = Buffer.from(/** @type {Uint8Array} */ (shardFiles(1)[shardName(1, 1)]));
  const count = other.indexOf("split.count") + "split.count".length + 4;
  other.writeUInt16LE(2, count);
  const total = other.indexOf("split.tensors.count") + "split.tensors.count".length + 4;
  other.writeInt32LE(5, total);
  const second = Buffer.from(/** @type {Uint8Array} */ (shardFiles(5)[shardName(2, 5)]));
  second.writeUInt16LE(2, second.indexOf("split.count") + "split.count".length + 4);
  const set = await GgufSet.open([new File([other], shardName(1, 2)), new File([second], shardName(2, 2))]);
  assert.deepEqual(codes(set), [["set-tensor-count", undefined]]);
  assert.throws(() => set.merge(), {
    code: "incomplete-set",
    message: /2 tensors together, but split.tensors.count is 5/,
  });
});

test("shards of two models are refused with both names", async () => {
  const other = asFiles(shardFiles(3, { prefix: "other" }));
  const refused = { code: "foreign-shard", message: /"m-00001-of-00003.gguf" and "other-00002-of-00003.gguf"/ };
  await assert.rejects(GgufSet.open(/** @type {Blob[]} */ ([FILES[0], other[1]])), refused);
  const renamed = asFiles(shardFiles(4)).map((file, index) => new File([file], shardName(index + 1, 3)));
  await assert.rejects(GgufSet.open(/** @type {Blob[]} */ ([FILES[0], renamed[1]])), {
    code: "foreign-shard",
    message: /"m-00001-of-00003.gguf" and "m-00002-of-00003.gguf" .* split.count is 3 in one and 4 in the other/,
  });
});

test("free releases all headers", async () => {
  const set = await GgufSet.open(FILES);
  const { merged, shards } = set;
  set.free();
  set.free();
  const freed = { code: "freed" };
  assert.throws(() => merged.tensors, freed);
  assert.throws(() => shards[0]?.gguf?.entries, freed);
  assert.throws(() => set.metadata, freed);
  assert.throws(() => set.tensors, freed);
  assert.throws(() => set.validate(), freed);
  assert.throws(() => set.merge(), freed);
  assert.throws(() => set.edit(), freed);
  await assert.rejects(set.read("t1"), freed);
});

test("arguments of no use are refused", async () => {
  const refused = { name: "GgufError", code: "invalid-argument" };
  await assert.rejects(GgufSet.open([]), refused);
  await assert.rejects(GgufSet.open(FILES, /** @type {any} */ ({ header: new Uint8Array() })), refused);
  await assert.rejects(GgufSet.open(/** @type {any} */ (undefined)), { name: "GgufError", code: "invalid-source" });
  await assert.rejects(GgufSet.open(/** @type {any} */ ([5])), { name: "GgufError", code: "invalid-source" });
});
