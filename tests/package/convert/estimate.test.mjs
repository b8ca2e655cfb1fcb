// Errors of quantizing that are estimated before anything is written, mixes of types, and tried rows.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { missing } from "../corpus.mjs";
import { bytesOf, file } from "./corpus.mjs";

/** @import { ConversionPlan, ErrorEstimate, RequantizeOptions } from "gguf-wasm/convert/node" */

/** More rows than any tensor has. */
const ALL = 1e9;

/** The models of the corpus that are not quantized. */
const MODELS = /** @type {const} */ ([
  ["llama-gqa4-f16.gguf", "llama-gqa4-f16.imatrix.gguf"],
  ["llama-moe8-f32.gguf", "llama-moe8-f32.imatrix.gguf"],
  ["qwen2-tied-bf16.gguf", "qwen2-tied-bf16.imatrix.gguf"],
]);

/** @param {string} name @param {Partial<RequantizeOptions>} [options] */
async function planOf(name, options = {}) {
  return requantize(await Gguf.open(file(name)), { type: "Q4_K_M", workers: 0, ...options });
}

/** The errors of the tensors that a conversion measures, by name. @param {ConversionPlan} plan */
async function measured(plan) {
  /** @type {Map<string, number>} */
  const errors = new Map();
  const stream = plan.stream({
    onProgress: ({ quality }) => quality.forEach(({ name, normalisedError }) => errors.set(name, normalisedError)),
  });
  await bytesOf(stream);
  return errors;
}

/** Errors below this one are those of a few weights. */
const NOTHING = 1e-9;

/** How much an error differs from the right one. @param {number} found @param {number} right */
const deviation = (found, right) => (Math.max(found, right) < NOTHING ? 0 : Math.abs(found / right - 1));

/** File types of all kinds of quantizers. */
const FILE_TYPES = ["Q2_K", "Q3_K_M", "Q4_0", "Q4_K_M", "Q5_1", "Q8_0", "IQ4_XS"];

/** A file type whose quantizer searches long. Only the smallest model is converted to it. */
const SLOW_TYPE = "IQ3_S";

describe("estimateError", { skip: missing }, () => {
  for (const [model, imatrix] of MODELS) {
    const fileTypes = model === "llama-moe8-f32.gguf" ? [...FILE_TYPES, SLOW_TYPE] : FILE_TYPES;
    test(`${model}: a quarter of the rows gives the errors of all rows, within 10 %`, async () => {
      const plan = await planOf(model, { imatrix: file(imatrix), nmse: true });
      const exact = await plan.estimateError({ rows: ALL, fileTypes });
      // With all rows, the estimate is what a conversion measures.
      const errors = await measured(plan);
      for (const [row, { name, newType }] of plan.tensors.entries()) {
        const found = exact.tensors[row]?.types.find(({ type }) => type === newType);
        assert.ok(found && deviation(found.normalisedError, errors.get(name) ?? NaN) < 1e-6, name);
      }
      const most = Math.max(...exact.tensors.map(({ rowCount }) => rowCount));
      const estimate = await plan.estimateError({ rows: Math.ceil(most / 4), fileTypes });
      assert.ok(estimate.tensors.some(({ rowsRead, rowCount }) => rowsRead > 0 && rowsRead < rowCount));
      assert.deepEqual(
        estimate.fileTypes.map(({ name }) => name),
        exact.fileTypes.map(({ name }) => name),
      );
      for (const [i, right] of exact.fileTypes.entries()) {
        const found = /** @type {typeof right} */ (estimate.fileTypes[i]);
        const of = `${right.name}: ${found.normalisedError}, measured ${right.normalisedError}`;
        assert.ok(deviation(found.normalisedError, right.normalisedError) < 0.1, of);
        assert.ok(deviation(found.weightedError ?? 0, right.weightedError ?? 0) < 0.1, `by importance, ${of}`);
      }
    });
  }

  test("each call gives the same estimate, with workers and without", async () => {
    const [alone, together] = await Promise.all(
      [0, 2].map(async (workers) =>
        (await planOf("llama-gqa4-f16.gguf", { workers })).estimateError({ rows: 8, fileTypes: FILE_TYPES }),
      ),
    );
    assert.deepEqual(alone, together);
    assert.ok(
      Object.isFrozen(alone) && Object.isFrozen(alone?.fileTypes) && Object.isFrozen(alone?.tensors[0]?.types[0]),
    );
  });

  test("progress has what is known so far", async () => {
    const plan = await planOf("llama-gqa4-f16.gguf");
    /** @type {number[]} */
    const done = [];
    /** @type {ErrorEstimate | undefined} */
    let first;
    const estimate = await plan.estimateError({
      rows: 4,
      fileTypes: ["Q4_0", "Q8_0"],
      onProgress: ({ tensorsDone, tensorCount, estimate }) => {
        assert.ok(tensorCount < plan.tensors.length, "norms are not tried");
        done.push(tensorsDone);
        first ??= estimate();
      },
    });
    assert.deepEqual(
      done,
      done.map((_, i) => i + 1),
    );
    assert.equal(estimate.tensors.filter(({ rowsRead }) => rowsRead > 0).length, done.length);
    assert.equal(first?.tensors.filter(({ rowsRead }) => rowsRead > 0).length, 1);
    assert.deepEqual(
      estimate.fileTypes.map(({ name }) => name),
      ["Q4_0", "Q8_0"],
    );
    assert.ok((estimate.fileTypes[0]?.normalisedError ?? 0) > (estimate.fileTypes[1]?.normalisedError ?? 1));
    assert.equal(estimate.plan.size, plan.size);
  });

  test("an importance matrix makes the errors that count smaller", async () => {
    const plan = await planOf("llama-gqa4-f16.gguf", { imatrix: file("llama-gqa4-f16.imatrix.gguf") });
    const { fileTypes } = await plan.estimateError({
      rows: 16,
      withoutImportance: true,
      fileTypes: ["Q4_K_M", "Q2_K"],
    });
    for (const { name, weightedError = NaN, weightedErrorWithoutImportance = NaN } of fileTypes)
      assert.ok(weightedError < weightedErrorWithoutImportance, name);
    const without = await (await planOf("llama-gqa4-f16.gguf")).estimateError({ rows: 4, fileTypes: ["Q4_0"] });
    assert.ok(!("weightedError" in without.plan));
  });

  test("it ends when it is aborted, and refuses other file types", async () => {
    const plan = await planOf("llama-gqa4-f16.gguf");
    const abort = new AbortController();
    const estimate = plan.estimateError({ signal: abort.signal, onProgress: () => abort.abort() });
    await assert.rejects(estimate, { name: "AbortError" });
    await assert.rejects(plan.estimateError({ fileTypes: ["Q9_K"] }), /has "Q9_K", expected names of file types/);
    await assert.rejects(plan.estimateError({ rows: 0 }), /options\.rows is 0, expected a whole number from 1/);
    plan.free();
    await assert.rejects(plan.estimateError(), { code: "freed" });
  });

  test("a row that is not finite is named", async () => {
    const plan = await planOf("tiny-nan.gguf");
    await assert.rejects(plan.estimateError({ rows: ALL, fileTypes: ["Q8_0"] }), { code: "invalid-data" });
  });
});

describe("proposeMix", { skip: missing }, () => {
  for (const [model] of MODELS) {
    test(`${model}: the mix keeps the limit, has less error than file types, and its rules give it`, async () => {
      const plan = await planOf(model);
      const estimate = await plan.estimateError({ rows: 16, fileTypes: FILE_TYPES });
      const sizes = estimate.fileTypes.map(({ size }) => size);
      for (const bytes of [1.2 * Math.min(...sizes), plan.size]) {
        const mix = await plan.proposeMix(estimate, bytes);
        assert.ok(mix && mix.size <= bytes);
        for (const { name, size, normalisedError } of estimate.fileTypes)
          if (size <= mix.size) assert.ok(mix.normalisedError <= normalisedError * 1.0001, name);
        const own = await planOf(model, { type: mix.fileType, tensorTypes: mix.tensorTypes });
        assert.deepEqual(
          own.tensors.map(({ newType }) => newType),
          mix.types,
        );
        // The header has another file type, but no other length.
        assert.ok(Math.abs(own.size - mix.size) < 4096, `${own.size}, proposed ${mix.size}`);
      }
      assert.equal(await plan.proposeMix(estimate, 1000), undefined);
    });
  }

  test("an estimate of another plan, and a wrong size, are refused", async () => {
    const plan = await planOf("llama-gqa4-f16.gguf");
    const other = await (await planOf("qwen2-tied-bf16.gguf")).estimateError({ rows: 1, fileTypes: ["Q8_0"] });
    await assert.rejects(plan.proposeMix(other, 1e9), /expected a result of estimateError of this plan/);
    const own = await plan.estimateError({ rows: 1, fileTypes: ["Q8_0"] });
    await assert.rejects(plan.proposeMix(own, NaN), /bytes is NaN, expected a number of bytes above 0/);
  });
});

describe("tryRows", { skip: missing }, () => {
  test("the rows before and after a conversion", async () => {
    const plan = await planOf("llama-gqa4-f16.gguf");
    const name = "blk.0.attn_q.weight";
    const row = plan.tensors.findIndex((tensor) => tensor.name === name);
    const { original, converted, columns, rowCount, type } = await plan.tryRows(name, { firstRow: 3, rowCount: 2 });
    assert.deepEqual([type, rowCount, columns], [plan.tensors[row]?.newType, 2, plan.tensors[row]?.dimensions[0]]);
    assert.equal(original.length, 2 * columns);
    assert.notDeepEqual(original, converted);
    const close = await plan.tryRows(row, { type: "q8_0", firstRow: 3, rowCount: 2 });
    assert.deepEqual(close.original, original);
    const difference = (/** @type {Float32Array} */ numbers) =>
      numbers.reduce((sum, number, i) => sum + (number - (original[i] ?? 0)) ** 2, 0);
    assert.ok(difference(close.converted) < difference(converted) / 10);
    await assert.rejects(plan.tryRows("none"), { code: "unknown-tensor" });
    await assert.rejects(plan.tryRows(name, { type: "Q9" }), /options\.type is "Q9"/);
    await assert.rejects(plan.tryRows(name, { firstRow: 1e9 }), { code: "out-of-range" });
  });
});
