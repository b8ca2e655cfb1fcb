// The number of times that memory grows. V8 may collect the whole JavaScript heap at each growth, which takes long with
// millions of strings. The test counts growths instead of measuring time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf } from "gguf-wasm/full/init";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { instrument } from "../../support/instrumented.mjs";

const count = instrument(["memory.grow"]);
const TENSORS = 60_000;
const TOKENS = 200_000;

/** A header of 9 MB with many blocks of bytes, many tensors and long arrays. */
const FILE = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["general.type", text("vocab")],
    ["tokenizer.ggml.tokens", { type: "strings", count: TOKENS, at: (index) => `token number ${index}` }],
    ["tokenizer.ggml.token_type", { type: "int32s", count: TOKENS, at: () => 1 }],
  ],
  Array.from({ length: TENSORS }, (_, index) => ({
    name: `blk.${index}.attn_norm.weight`,
    dimensions: [7],
    type: 0,
    bytes: 28,
  })),
);

/**
 * Asserts that memory grows at most this number of times.
 *
 * @template T
 * @param {string} what
 * @param {number} most
 * @param {() => T} run
 */
async function growsAtMost(what, most, run) {
  const { growths } = count();
  const result = await run();
  const grown = count().growths - growths;
  assert.ok(grown <= most, `${what}: memory has grown ${grown} times, at most ${most} were expected`);
  return result;
}

test("memory grows once for a large header, not once for each of its parts", async (t) => {
  const gguf = await growsAtMost("open", 12, () => Gguf.open(FILE));
  assert.ok(gguf.headerSize > 8e6, `a header of ${gguf.headerSize} bytes`);
  await growsAtMost("validate", 2, () => assert.deepEqual(gguf.validate(), []));
  const editor = await growsAtMost("edit", 1, () => gguf.edit());
  editor.set("general.architecture", "an architecture with a longer name");
  await growsAtMost("editor.validate", 2, () => editor.validate());
  const plan = await growsAtMost("plan", 1, () => editor.plan());
  await growsAtMost("plan.findings", 2, () => plan.findings);
  await growsAtMost("renameTensor", 1, () => {
    for (let index = 0; index < 300; index += 1) editor.renameTensor(index, `renamed.${index}`);
  });
  editor.alignment = 64;
  const realigned = await growsAtMost("the plan of other offsets", 2, () => editor.plan());
  await growsAtMost("its findings", 2, () => realigned.findings);
  t.diagnostic(`${count().growths} growths in all`);
});

test("memory of earlier plans is used again", async () => {
  const gguf = await Gguf.open(FILE);
  const editor = gguf.edit();
  editor.alignment = 128;
  const use = () => {
    const plan = editor.plan();
    assert.deepEqual(plan.findings, []);
    plan.free();
  };
  use();
  await growsAtMost("ten plans with their findings", 0, () => {
    for (let turn = 0; turn < 10; turn += 1) use();
  });
});

test("memory grows in large steps for many small values", async (t) => {
  const editor = (await Gguf.open(FILE)).edit();
  const text = "x".repeat(10_000);
  const { growths } = count();
  await growsAtMost("3,000 changes", 30, () => {
    for (let index = 0; index < 3000; index += 1) editor.set(`key.${index}`, text);
  });
  t.diagnostic(`${count().growths - growths} growths`);
});
