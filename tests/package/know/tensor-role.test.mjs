// `tensorRole`: what a tensor is, by its name.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Gguf, tensorRole } from "gguf-wasm/full";
import { SAMPLE } from "../project.mjs";
import { HOSTILE_ARGUMENTS, HOSTILE_NAMES } from "./expect.mjs";

/** The members that tell names apart, without the texts. @param {string} name */
function parts(name) {
  const role = tensorRole(name);
  assert.ok(role, name);
  const { title, description, ...rest } = role;
  assert.match(title, /\S/);
  assert.match(description, /^[A-Z].*\.$/);
  assert.ok(!Object.values(role).includes(undefined), "members without a value are not present");
  return rest;
}

test("a name has a base, a section, numbers and a part", () => {
  assert.deepEqual(parts("blk.3.attn_q.weight"), { base: "attn_q", section: "Block", block: 3, part: "weight" });
  assert.deepEqual(parts("token_embd.weight"), { base: "token_embd", section: "Model", part: "weight" });
  assert.deepEqual(parts("blk.0.ssm_a"), { base: "ssm_a", section: "Block", block: 0 });
  assert.deepEqual(parts("blk.3.ffn_up.7.weight"), {
    base: "ffn_up.{n}",
    section: "Block",
    block: 3,
    expert: 7,
    part: "weight",
  });
  assert.deepEqual(parts("direction.12"), { base: "direction.{n}", section: "Model", number: 12 });
  assert.deepEqual(parts("v.blk.0.ln1.bias"), { base: "ln1", section: "Vision encoder block", block: 0, part: "bias" });
});

test("parts are the suffixes of names", () => {
  const suffixes = ["weight", "bias", "scale", "input_scale", "input_min", "input_max", "output_min", "output_max"];
  for (const suffix of suffixes) assert.equal(parts(`blk.4294967295.attn_q.${suffix}`).part, suffix);
  for (const suffix of ["lora_a", "lora_b", "in_sum2", "counts"]) {
    assert.equal(parts(`blk.0.attn_q.weight.${suffix}`).part, suffix);
  }
  assert.equal(parts("blk.0.ffn.act.scales").part, "scale");
});

test("all tensors of a model have a role", async () => {
  const gguf = await Gguf.open(readFileSync(SAMPLE));
  const names = gguf.tensors.map(({ name }) => name).filter((name) => /^(blk\.\d+\.|token_embd|output)/.test(name));
  assert.ok(names.length > 10);
  for (const name of names) parts(name);
});

test("a name that is not a standard one has no role", () => {
  const unknown = ["", "weight", "blk.0", "blk.0.weight", "blk.00.attn_q.weight", "blk.-1.attn_q.weight"];
  const others = ["blk.4294967296.attn_q.weight", "transformer.h.0.attn.c_attn.weight", "constructor", "attn_q.weight"];
  for (const name of [...unknown, ...others, ...HOSTILE_NAMES]) {
    assert.equal(tensorRole(name), undefined, name.slice(0, 40));
  }
});

test("arguments that are not strings are refused", () => {
  for (const argument of HOSTILE_ARGUMENTS) {
    const call = () => tensorRole(/** @type {any} */ (argument));
    assert.throws(call, { name: "GgufError", code: "invalid-argument", message: /^the argument name is .*string$/ });
  }
});
