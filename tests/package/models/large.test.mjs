// A large model of each family is planned from its configuration and the names and shapes of its tensors alone, and llama.cpp loads it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { openModel } from "gguf-wasm/models";
import { ofRun } from "../../support/long.mjs";
import { missing } from "../corpus.mjs";
import { folderOf, smallOf, textOf } from "./large/model.mjs";
import { LARGE_ATTENTION } from "./large/models-attention.mjs";
import { LARGE_OTHER } from "./large/models-other.mjs";
import { LARGE_STATE } from "./large/models-state.mjs";
import { tensorsOf } from "./large/shapes.mjs";

const ALL = [...LARGE_ATTENTION, ...LARGE_STATE, ...LARGE_OTHER];
const LARGE = ofRun(
  ALL.filter(({ isLong }) => !isLong),
  ALL,
);

/** Tensors of encoders of images and sound, which a text model does not have. */
const ENCODERS = /visual|vision_tower|vision_model|audio_tower|embed_vision|embed_audio|multi_modal_projector/;

/** The bytes of an element. @type {Record<string, number>} */
const ELEMENT = { F32: 4, BF16: 2 };

/** The next multiple of the alignment. @param {number} size */
const aligned = (size) => Math.ceil(size / 32) * 32;

describe("a large model", { skip: missing }, () => {
  test("has the tensors of the small model that it is like, in other shapes", () => {
    for (const large of LARGE.filter(({ isOther }) => !isOther)) {
      const { config, stored } = smallOf(large);
      const ofText = Object.entries(stored).filter(([name]) => !ENCODERS.test(name));
      const shapes = Object.fromEntries(ofText.map(([name, { shape }]) => [name, shape]));
      assert.deepEqual(Object.fromEntries(tensorsOf(large.layout(textOf(config)))), shapes, large.like);
    }
  });

  for (const large of LARGE) {
    test(`${large.name} is planned without a read of data, and llama.cpp loads it in the memory that is shown`, async () => {
      const opened = await openModel(folderOf(large));
      const plan = await opened.convert({ type: "bf16", pre: smallOf(large).pre });
      const gguf = Gguf.from(plan.gguf);
      const { answer, sentence } = gguf.loads();
      assert.equal(answer, "yes", sentence);
      const errors = gguf.validate().filter(({ severity }) => severity === "error");
      assert.deepEqual(errors, []);
      assert.equal(gguf.parameterCount, large.parameters);
      const published = large.billions * 1e9;
      assert.ok(Math.abs(large.parameters - published) < 0.03 * published, "the published number of parameters");
      const bytes = gguf.tensors.map(({ type, elementCount }) =>
        aligned((elementCount ?? NaN) * (ELEMENT[type] ?? NaN)),
      );
      assert.equal(plan.size, gguf.dataOffset + bytes.reduce((sum, size) => sum + size, 0));
      const { weights, caches = [], state } = gguf.memory({ contextLength: 8192, gpuLayers: 0 });
      const kept = caches.reduce((sum, { keyBytes, valueBytes }) => sum + keyBytes + valueBytes, state?.bytes ?? 0);
      assert.deepEqual([weights?.total, kept], large.allocates);
      // There is no data that could have been read.
      await assert.rejects(plan.read(plan.size - 32, plan.size), /which are data/);
    });
  }
});
