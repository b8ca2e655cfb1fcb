// `architectures` and `architectureInfo`: the model architectures, and the keys and tensors that they need.

import assert from "node:assert/strict";
import { test } from "node:test";
import { architectureInfo, architectures, keyInfo, tensorRole } from "gguf-wasm/full";
import { assertDistinct, assertFrozen, HOSTILE_ARGUMENTS, HOSTILE_NAMES } from "./expect.mjs";

test("the list is frozen, is made once, and has each name and title once", () => {
  assert.equal(architectures(), architectures());
  assertFrozen(architectures());
  // llama.cpp of October 2026 has 156 names.
  assert.ok(architectures().filter(({ isInLlamaCpp }) => isInLlamaCpp).length >= 156);
  assertDistinct(architectures().map(({ name }) => name));
  assertDistinct(architectures().map(({ title }) => title.toLowerCase()));
});

test("architectureInfo finds each row by its name", () => {
  for (const info of architectures()) assert.equal(architectureInfo(info.name), info);
  assert.equal(architectureInfo("deepseek2")?.title, "DeepSeek-V2, V3 and R1");
});

test("architectureInfo gives undefined for names that are not known", () => {
  for (const name of ["", "LLAMA", "llama ", "llama5", "constructor", "__proto__", ...HOSTILE_NAMES]) {
    assert.equal(architectureInfo(name), undefined, name.slice(0, 40));
  }
});

test("architectureInfo refuses arguments that are not strings", () => {
  for (const argument of HOSTILE_ARGUMENTS) {
    const call = () => architectureInfo(/** @type {any} */ (argument));
    assert.throws(call, { name: "GgufError", code: "invalid-argument", message: /^the argument name is .*string$/ });
  }
});

test("required keys are known keys of the architecture, and agree with requiredBy", () => {
  for (const { name, specificationKeys, llamaCppKeys, llamaCppConditionalKeys } of architectures()) {
    assert.equal(llamaCppKeys === undefined, llamaCppConditionalKeys === undefined, name);
    assertDistinct([...(llamaCppKeys ?? []), ...(llamaCppConditionalKeys ?? [])]);
    for (const key of specificationKeys ?? []) assert.ok(requiredBy(key)?.specification.includes(name), key);
    for (const key of llamaCppKeys ?? []) assert.ok(requiredBy(key)?.llamaCpp.includes(name), key);
    for (const key of llamaCppConditionalKeys ?? [])
      assert.ok(requiredBy(key)?.llamaCppConditional.includes(name), key);
  }
});

test("tensors are known names of their place, and those of Llama are tied, required and conditional as llama.cpp reads them", () => {
  const prefixes = { model: "", block: "blk.0.", "encoder-block": "enc.blk.0.", "decoder-block": "dec.blk.0." };
  for (const { name, llamaCppKeys, llamaCppTensors } of architectures()) {
    assert.equal(llamaCppTensors === undefined, llamaCppKeys === undefined, name);
    for (const { names, place } of llamaCppTensors ?? []) {
      // `#` stands for the number of a block of a kind of its own.
      for (const tensor of names) {
        assert.ok(tensorRole(prefixes[place] + tensor.replace("#", "0")), `${name}: ${place} ${tensor}`);
      }
    }
  }
  const ofLlama = (/** @type {string} */ tensor) =>
    architectureInfo("llama")?.llamaCppTensors?.find(({ names }) => names.includes(tensor));
  assert.equal(ofLlama("output.weight")?.need, "tied");
  const { place, need, isConditional } = ofLlama("token_embd.weight") ?? assert.fail("token_embd.weight");
  assert.deepEqual({ place, need, isConditional }, { place: "model", need: "required", isConditional: false });
  assert.equal(ofLlama("ffn_gate_inp.weight")?.isConditional, true);
  assert.equal(ofLlama("no_such_tensor"), undefined);
});

/** @param {string} key */
function requiredBy(key) {
  assert.ok(!/[{}]/.test(key), key);
  return keyInfo(key)?.requiredBy;
}

test("what is not known is not present", () => {
  const llama = architectureInfo("llama");
  assert.ok(llama?.specificationKeys?.includes("llama.rope.dimension_count"));
  assert.ok(llama?.llamaCppKeys?.includes("llama.attention.layer_norm_rms_epsilon"));
  assert.deepEqual(llama?.llamaCppConditionalKeys, ["llama.expert_count", "llama.expert_used_count"]);
  const whisper = architectureInfo("whisper");
  assert.deepEqual([whisper?.isInLlamaCpp, whisper?.llamaCppKeys], [false, undefined]);
  assert.ok(whisper?.specificationKeys?.includes("whisper.encoder.mels_count"));
  const grok = architectureInfo("grok");
  assert.ok(grok !== undefined && grok.llamaCppKeys?.includes("grok.block_count"));
  assert.equal(Object.hasOwn(grok, "specificationKeys"), false);
  // llama.cpp knows the name, but has no language model of it.
  assert.deepEqual(architectureInfo("clip"), {
    name: "clip",
    title: "CLIP and other multimodal projectors",
    isInLlamaCpp: true,
  });
});
