// `Gguf.programs`: which programs load a file; and `Gguf.originalShape`, with the family and the parts of an image model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { HOSTILE_ARGUMENTS, assertFrozen } from "./expect.mjs";

/** @type {(name: string, dimensions?: number[]) => { name: string, dimensions: number[], type: number, bytes: number }} */
const tensor = (name, dimensions = [4, 2]) => ({
  name,
  dimensions,
  type: 0,
  bytes: dimensions.reduce((a, b) => a * b) * 4,
});

test("programs says what a file is and which programs load it", async () => {
  const bytes = ggufBytes([["general.architecture", text("flux")]], [tensor("double_blocks.0.img_attn.proj.weight")]);
  const gguf = await Gguf.open(bytes);
  const { sentence, programs } = gguf.programs();
  assert.equal(sentence, "Image model, flux. ComfyUI-GGUF and stable-diffusion.cpp load it; llama.cpp does not.");
  assertFrozen(programs);
  const answers = programs.map(({ program, answer, how }) => [program, answer, how]);
  assert.deepEqual(answers, [
    ["llama.cpp", "no", undefined],
    ["ComfyUI-GGUF", "yes", "Unet Loader (GGUF)"],
    ["stable-diffusion.cpp", "yes", "--diffusion-model"],
    ["Ollama", "no", undefined],
    ["whisper.cpp", "no", undefined],
    ["ik_llama.cpp", "no", undefined],
  ]);
  for (const { answer, reason } of programs) assert.equal(typeof reason, answer === "yes" ? "undefined" : "string");
  const { family, blocks, parts } = gguf.classification;
  assert.deepEqual([family, blocks, parts], ["flux", 1, ["diffusion"]]);
});

test("a tensor that was stored in rows of 256 has its original shape", async () => {
  const shape = /** @type {const} */ ({
    type: "int32s",
    count: 4,
    at: (/** @type {number} */ index) => [8, 8, 2, 2][index],
  });
  const entries = /** @type {Parameters<typeof ggufBytes>[0]} */ ([["comfy.gguf.orig_shape.a", shape]]);
  const gguf = await Gguf.open(ggufBytes(entries, [tensor("a", [256, 1]), tensor("b")]));
  assert.deepEqual(gguf.originalShape("a"), [2, 2, 8, 8]);
  assert.equal(gguf.originalShape("b"), undefined);
  assert.equal(gguf.originalShape("c"), undefined);
  for (const argument of HOSTILE_ARGUMENTS) {
    assert.throws(() => gguf.originalShape(/** @type {string} */ (argument)), { code: "invalid-argument" });
  }
  const editor = gguf.edit();
  editor.renameTensor("a", "d");
  assert.deepEqual((await Gguf.open(editor.plan())).originalShape("d"), [2, 2, 8, 8]);
});
