// The projectors of the corpus of October 2026, and whether they belong to their models.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as main from "gguf-wasm/full/node";
import { openModel } from "gguf-wasm/models/node";
import { missing, pathOf } from "../corpus.mjs";
import { bytesOf, folderOf, OCTOBER, october, optionsOf, sha256 } from "./corpus.mjs";

/** @import { Model, Run } from "./corpus.mjs" */

const FOLDER = "convert-2026-10";

/** @param {Run} run */
const isProjector = ({ args }) => args.includes("--mmproj");

/** The models that have a projector. */
const MODELS = (OCTOBER.models ?? []).filter(({ runs }) => runs.some(isProjector));

/** @param {Model} model */
const open = ({ folder }) => openModel(pathOf(`${FOLDER}/${folder}`));

describe("a projector", { skip: missing }, () => {
  test("is that of the reference", async () => {
    let count = 0;
    for (const found of MODELS.filter((found) => !("tolerance" in found))) {
      const model = await open(found);
      assert.ok(model.projector, found.folder);
      for (const run of found.runs.filter(isProjector)) {
        const plan = await model.convert(optionsOf(run, found.pre));
        assert.match(plan.suggestedName, /^mmproj-.*\.gguf$/);
        assert.equal(sha256(await bytesOf(plan)), run.output?.sha256, run.id);
        count += 1;
      }
    }
    assert.ok(count > 10, `${count} runs`);
  });

  test("belongs to the model that it was made from, and to no other", async () => {
    const files = async (/** @type {string} */ name) => {
      const found = october(name);
      const model = await open(found);
      const plan = await model.convert({ type: "f16", pre: found.pre ?? undefined });
      const projector = await model.convert({ type: "f16", projector: true });
      return { model: main.Gguf.from(plan.gguf), projector: main.Gguf.from(projector.gguf) };
    };
    const [qwen, gemma] = await Promise.all([files("Qwen3-VL-4X-Instruct"), files("gemma-3-4X-it")]);
    for (const { model, projector } of [qwen, gemma]) {
      assert.equal(main.projectorFit(model, projector).answer, "yes");
      assert.equal(main.projectorFit(projector, model).answer, "no");
    }
    const { answer, sentence } = main.projectorFit(qwen.model, gemma.projector);
    assert.equal(answer, "no");
    assert.match(sentence, /belongs to models of the architecture gemma3/);
  });

  test("is not made from a model without encoders", async () => {
    const model = await openModel(folderOf("models/llama3-style"));
    assert.equal(model.projector, undefined);
    await assert.rejects(model.convert({ projector: true }), { code: "unsupported-model" });
  });
});
