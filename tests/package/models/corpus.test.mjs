// Every run of convert_hf_to_gguf.py that gives a file gives the same file here, by the folder in Node.js, and every other run is refused.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, openModel } from "gguf-wasm/models/node";
import { missing } from "../corpus.mjs";
import { bytesOf, folderOf, INDEX, optionsOf, pathsOf, REFUSED, sha256 } from "./corpus.mjs";

/** @import { Model, Run } from "./corpus.mjs" */
/** @import { ModelPlan } from "gguf-wasm/models" */

/** The reference adds these to a file that it writes, or computes them with the last bit unknown: the tensors tell. @param {Model} model @param {Run} run */
const mayDiffer = (model, { output }) =>
  "tolerance" in model || (output?.kv ?? []).some(({ key }) => INDEX.any_order.includes(key));

/** Asserts that a plan is the file of a run. @param {Model} model @param {Run} run @param {ModelPlan} plan */
async function assertSame(model, { id, output }, plan) {
  assert.ok(output, id);
  assert.equal(plan.size, output.size, id);
  const bytes = await bytesOf(plan);
  assert.equal(bytes.length, output.size, id);
  if (!mayDiffer(model, { id, output, args: [], exit: 0, error: null })) {
    assert.equal(sha256(bytes), output.sha256, id);
    return;
  }
  const gguf = await Gguf.open(bytes);
  assert.deepEqual(
    gguf.entries.map(({ key }) => key),
    output.kv.map(({ key }) => key),
    id,
  );
  for (const [i, { name, sha256: hash }] of /** @type {any[]} */ (output.tensors).entries()) {
    assert.equal(gguf.tensors[i]?.name, name, id);
    if (!name.endsWith(".ssm_a")) assert.equal(sha256(await gguf.readBytes(name)), hash, `${id} ${name}`);
  }
}

describe("every run of the corpus", { skip: missing }, () => {
  test("that gives a file gives the same one", async () => {
    let count = 0;
    for (const model of INDEX.models) {
      const opened = await openModel(folderOf(model.folder));
      assert.equal(opened.className, model.hf_class, model.folder);
      assert.equal(opened.architecture, model.gguf_arch, model.folder);
      assert.deepEqual(opened.obstacles, [], model.folder);
      const found = Object.fromEntries(opened.dataTypes.map(({ dataType, tensorCount }) => [dataType, tensorCount]));
      assert.deepEqual(found, model.source_dtypes, model.folder);
      for (const run of model.runs) {
        const options = optionsOf(run, model.pre);
        if (run.exit !== 0) {
          await assert.rejects(opened.convert(options), { name: "GgufError", code: "unsupported-model" }, run.id);
          continue;
        }
        await assertSame(model, run, await opened.convert(options));
        count += 1;
      }
      opened.free();
    }
    assert.ok(count > 90, `${count} files`);
  });

  test("that is refused, or should be, ends in an error with a code", async () => {
    const codes = new Set();
    assert.ok(REFUSED.length > 40);
    for (const { folder, args, pre } of REFUSED) {
      const convert = async () => (await openModel(folderOf(folder))).convert(optionsOf({ args }, pre));
      await assert.rejects(
        convert,
        (error) => {
          const { name, code, message } = /** @type {import("gguf-wasm/full").GgufError} */ (error);
          codes.add(code);
          return name === "GgufError" && code !== "internal" && message.length > 20;
        },
        folder,
      );
    }
    for (const input of INDEX.refused.filter((input) => !REFUSED.includes(input))) {
      const plan = (await openModel(folderOf(input.folder))).convert(optionsOf(input, input.pre));
      await assertSame(input, input, await plan);
    }
    for (const code of ["incomplete-model", "unsupported-model", "bad-safetensors", "bad-json", "truncated"]) {
      assert.ok(codes.has(code), `${code}: ${[...codes]}`);
    }
  });
});

describe("a model with problems", { skip: missing }, () => {
  /** @param {string} name */
  const open = (name) => openModel(folderOf(`hostile/${name}`));

  test("is opened, and says what is missing", async () => {
    const part = await open("part-missing");
    assert.deepEqual(
      part.obstacles.map(({ code }) => code),
      ["incomplete-model"],
    );
    assert.match(part.obstacles[0]?.message ?? "", /model-00002-of-0000\d\.safetensors/);
    assert.ok(part.tensors.length > 0 && part.architecture !== undefined);

    const unknown = await open("arch-unknown");
    assert.equal(unknown.className, "TotallyNewForCausalLM");
    assert.equal(unknown.architecture, undefined);
    assert.match(
      unknown.obstacles[0]?.message ?? "",
      /TotallyNewForCausalLM cannot be converted.* The nearest class that is known is \w+/s,
    );

    const weights = await open("no-weights");
    assert.deepEqual([weights.tensors.length, weights.size, weights.obstacles.length], [0, 0, 1]);

    const tokenizer = await open("no-tokenizer");
    assert.equal(tokenizer.vocabulary, undefined);
    assert.equal(tokenizer.obstacles[0]?.code, "incomplete-model");
  });

  test("of which several things are missing is refused with all of them", async () => {
    const { "tokenizer.model": _, ...rest } = Object.fromEntries(
      pathsOf("hostile/part-missing").map((path) => [path, `${folderOf("hostile/part-missing")}/${path}`]),
    );
    const without = Object.fromEntries(
      Object.entries(rest).filter(([path]) => !/^(tokenizer|vocab|merges)/.test(path)),
    );
    const model = await openModel(without);
    assert.equal(model.obstacles.length, 2);
    await assert.rejects(model.convert(), { code: "incomplete-model", message: /safetensors.*tokenizer/s });
  });

  test("whose pre-tokenizer is unknown has the probable names, and is converted with one of them", async () => {
    const model = await open("pre-tokenizer-unknown");
    assert.deepEqual(model.obstacles, []);
    const { kind, preTokenizer, probablePreTokenizers = [] } = model.vocabulary ?? {};
    assert.deepEqual([kind, preTokenizer], ["gpt2", undefined]);
    assert.ok(probablePreTokenizers.length > 0);
    await assert.rejects(model.convert(), { code: "unknown-pre-tokenizer", probablePreTokenizers });
    const { gguf } = await model.convert({ pre: probablePreTokenizers[0] });
    assert.equal(gguf.metadata.get("tokenizer.ggml.pre"), probablePreTokenizers[0]);
    await assert.rejects(model.convert({ pre: "no-such-name" }), { code: "invalid-argument" });
  });
});
