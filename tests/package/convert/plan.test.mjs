// The plan of a conversion: tensors, sizes and findings, which are known and can be changed before any data is read.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as main from "gguf-wasm/full";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { missing } from "../corpus.mjs";
import { bytesOf, file, SHARDS } from "./corpus.mjs";

const MODEL = "qwen2-tied-bf16.gguf";

/** A source that counts the bytes that are read after the header. @param {string} name */
async function counted(name) {
  const bytes = file(name);
  const counts = { read: 0 };
  const gguf = await Gguf.open({
    size: bytes.length,
    read: async (/** @type {number} */ start, /** @type {number} */ end) => {
      counts.read += end - start;
      return bytes.slice(start, end);
    },
  });
  counts.read = 0;
  return { gguf, counts };
}

describe("a plan", { skip: missing }, () => {
  test("is made and changed without reading data", async () => {
    const { gguf, counts } = await counted(MODEL);
    const plan = await requantize(gguf, { type: "Q4_K_M" });
    gguf.free();
    assert.deepEqual([plan.type, plan.fileType, plan.size], ["Q4_K_M", 15, 1_212_160]);
    assert.equal(plan.suggestedName, "ggml-model-Q4_K_M.gguf");
    const [tensor] = plan.tensors;
    assert.ok(tensor && Object.isFrozen(tensor) && Object.isFrozen(plan.tensors));
    assert.equal(plan.tensors, plan.tensors);
    plan.setType("token_embd.weight", "Q8_0");
    const changed = plan.tensors.find(({ name }) => name === "token_embd.weight");
    assert.deepEqual([changed?.newType, changed?.reason], ["Q8_0", "hand"]);
    assert.ok(plan.size > 1_212_160);
    plan.setType("token_embd.weight", undefined);
    assert.equal(plan.size, 1_212_160);
    assert.equal(counts.read, 0);
  });

  test("sets types by a pattern, which leaves norms alone", async () => {
    const plan = await requantize(await Gguf.open(file(MODEL)), { type: "Q4_K_M", workers: 0 });
    const count = plan.setTypes("BLK", "Q5_0");
    const set = plan.tensors.filter(({ reason }) => reason === "hand");
    assert.ok(count > 0 && set.length === count);
    assert.ok(set.every(({ newType, name }) => newType === "Q5_0" && !name.includes("norm")));
    const { size } = plan;
    assert.throws(() => plan.setTypes("ffn", "Q8_1"), { code: "invalid-argument" });
    assert.throws(() => plan.setTypes("(", "Q8_0"), { code: "invalid-argument" });
    assert.throws(() => plan.setType("nothing", "Q8_0"), { code: "unknown-tensor" });
    assert.throws(() => plan.setType(1e6, "Q8_0"), { code: "out-of-range" });
    assert.equal(plan.size, size);
    const bytes = await bytesOf(plan.stream());
    assert.equal(bytes.length, size);
    const converted = await main.Gguf.open(bytes);
    assert.deepEqual(
      converted.tensors.map(({ name, type }) => [name, type]),
      plan.tensors.map(({ name, newType }) => [name, newType]),
    );
    assert.equal(plan.setTypes("blk", undefined), count);
    assert.equal(plan.size, 1_212_160);
  });

  test("estimates every file type, and finds the largest that fits", async () => {
    const gguf = await Gguf.open(file(MODEL));
    const plan = await requantize(gguf, { type: "Q4_K_M" });
    const types = plan.fileTypes();
    assert.ok(types.length > 25);
    for (const type of ["F16", "Q8_0", "Q4_K_M", "Q2_K"]) {
      const estimate = types.find(({ name }) => name === type);
      const { size, bitsPerWeight } = await requantize(gguf, { type });
      assert.deepEqual([estimate?.size, estimate?.bitsPerWeight], [size, bitsPerWeight], type);
      assert.match(estimate?.advice ?? "", /\.$/);
    }
    assert.equal(types.find(({ name }) => name === "IQ2_XS")?.requiresImatrix, true);
    const best = plan.largestFileType(1_300_000);
    const fitting = types.filter(({ isPossible, size }) => isPossible && size <= 1_300_000);
    assert.equal(best?.bitsPerWeight, Math.max(...fitting.map(({ bitsPerWeight }) => bitsPerWeight)));
    assert.equal(plan.largestFileType(1000), undefined);
  });

  test("has the header and the layout of each new file", async () => {
    const shards = await Promise.all(SHARDS.map((name) => Gguf.open(file(name))));
    const plan = await requantize(shards, { type: "Q8_0", keepSplit: true, workers: 0 });
    assert.equal(
      plan.files.reduce((sum, { size }) => sum + size, 0),
      plan.size,
    );
    for (const [number, { size, headerSize, dataOffset }] of plan.files.entries()) {
      const gguf = await main.Gguf.open(await bytesOf(plan.stream({ file: number })));
      assert.deepEqual([gguf.fileSize, gguf.headerSize, gguf.dataOffset], [size, headerSize, dataOffset]);
      assert.equal(plan.headerBytes(number).length, dataOffset);
      assert.deepEqual(
        plan.layout(number).map(({ row, position, byteLength }) => [plan.tensors[row]?.name, position, byteLength]),
        gguf.tensors.map(({ name, fileOffset, byteLength }) => [name, fileOffset, byteLength]),
      );
    }
    assert.throws(() => plan.headerBytes(3), { code: "out-of-range" });
    assert.throws(() => plan.stream({ file: 3 }), { code: "out-of-range" });
    assert.throws(() => plan.stream({ start: -1 }), { code: "out-of-range" });
    assert.throws(() => plan.stream({ start: 1e9 }), { code: "out-of-range" });
  });

  test("says what prevents it and what is worth knowing, and can be mended by hand", async () => {
    const gguf = await Gguf.open(file(MODEL));
    const plan = await requantize(gguf, { type: "IQ2_XS" });
    const errors = plan.findings.filter(({ severity }) => severity === "error");
    assert.ok(errors.length > 0 && errors.every(({ code }) => code === "needs-imatrix"));
    assert.equal(plan.requiresImatrix, true);
    assert.throws(() => plan.stream(), { code: "needs-imatrix" });
    await assert.rejects(plan.writeTo("never-written.gguf"), { code: "needs-imatrix" });
    for (const { tensor } of errors) plan.setType(tensor ?? "", "Q4_0");
    assert.deepEqual(
      plan.findings.filter(({ severity }) => severity === "error"),
      [],
    );
    const small = await requantize(gguf, { type: "Q4_K_M", imatrix: file("tiny.imatrix-partial.gguf") });
    assert.ok(small.findings.some(({ severity }) => severity === "info"));
  });

  test("refuses what cannot be converted", async () => {
    const gguf = await Gguf.open(file(MODEL));
    /** @type {[object, string][]} */
    const cases = [
      [{}, "invalid-argument"],
      [{ type: "Q9" }, "invalid-argument"],
      [{ type: 4 }, "invalid-argument"],
      [{ type: true }, "invalid-argument"],
      [{ type: "Q8_0", pura: true }, "invalid-argument"],
      [{ type: "Q8_0", workers: -1 }, "invalid-argument"],
      [{ type: "Q8_0", workers: 1.5 }, "invalid-argument"],
      [{ type: "Q8_0", tensorTypes: "x" }, "invalid-argument"],
      [{ type: "Q8_0", tensorTypes: [{ pattern: "x" }] }, "invalid-argument"],
      [{ type: "Q8_0", tensorTypes: ["x=q9"] }, "invalid-argument"],
      [{ type: "Q8_0", overrides: [1] }, "invalid-argument"],
      [{ type: "Q8_0", pruneLayers: [-1] }, "invalid-argument"],
      [{ type: "Q8_0", includeWeights: ["a"], excludeWeights: ["b"] }, "invalid-argument"],
      [{ type: "Q8_0", imatrix: file("tiny.gguf") }, "bad-imatrix"],
      [{ type: "Q8_0", imatrix: new Uint8Array(10) }, "bad-imatrix"],
    ];
    for (const [options, code] of cases) {
      await assert.rejects(
        requantize(gguf, /** @type {any} */ (options)),
        { name: "GgufError", code },
        JSON.stringify(options),
      );
    }
    for (const model of [undefined, 1, {}, [], [{}], { shards: [{}] }]) {
      await assert.rejects(requantize(/** @type {any} */ (model), { type: "Q8_0" }), { name: "GgufError" });
    }
    const shard = await Gguf.open(file(String(SHARDS[1])));
    await assert.rejects(requantize(shard, { type: "Q8_0" }), { code: "incomplete-set" });
    const quantized = await requantize(gguf, { type: "Q8_0", workers: 0 });
    const again = await requantize(await Gguf.open(await bytesOf(quantized.stream())), { type: "Q4_0" });
    assert.throws(() => again.stream(), { code: "already-quantized" });
  });

  test("writes overrides, and leaves out pruned blocks", async () => {
    const plan = await requantize(await Gguf.open(file(MODEL)), {
      type: "Q8_0",
      workers: 0,
      pruneLayers: [3],
      overrides: ["general.name=str:Pruned", { key: "qwen2.context_length", type: "int", value: 77 }],
    });
    const gguf = await main.Gguf.open(await bytesOf(plan.stream()));
    assert.deepEqual([gguf.name, gguf.contextLength, gguf.metadata.get("qwen2.block_count")], ["Pruned", 77, 4]);
    assert.ok(gguf.tensors.every(({ name }) => !name.startsWith("blk.4.")));
  });

  test("measures the errors of quantizing", async () => {
    for (const workers of [0, 2]) {
      const plan = await requantize(await Gguf.open(file(MODEL)), { type: "Q4_0", nmse: true, workers });
      /** @type {import("gguf-wasm/convert").TensorQuality[]} */
      const quality = [];
      await bytesOf(plan.stream({ onProgress: (progress) => void quality.push(...progress.quality) }));
      assert.deepEqual(
        quality.map(({ name }) => name),
        plan.tensors.map(({ name }) => name),
      );
      for (const { name, normalisedError, row } of quality) {
        const isKept = plan.tensors[row]?.oldType === plan.tensors[row]?.newType;
        assert.ok(isKept ? normalisedError === 0 : normalisedError > 1e-6 && normalisedError < 0.05, name);
      }
    }
  });
});
