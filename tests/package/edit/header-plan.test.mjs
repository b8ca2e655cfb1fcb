// Plans of the edited header alone, also for files that cannot be planned completely.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf, GgufWriter } from "gguf-wasm/full";

/** A file with two tensors. @param {number} [data] */
function bytes(data = 128) {
  const writer = new GgufWriter();
  writer.set("general.architecture", "llama");
  writer.set("tokens", ["a", "b", "c"]);
  writer.addTensor("t", { dimensions: [16], type: "F32" });
  writer.addTensor("u", { dimensions: [16], type: "F32" });
  return Buffer.concat([writer.headerBytes(), new Uint8Array(data)]);
}

/** @param {import("gguf-wasm/full").Editor} editor */
function change(editor) {
  editor.set("general.architecture", "an architecture with a longer name than before");
  editor.setElement("tokens", 1, "a longer token");
  editor.renameTensor("u", "renamed");
  editor.alignment = 64;
}

test("the planned header equals the header of the planned file", async () => {
  const editor = (await Gguf.open(bytes())).edit();
  change(editor);
  const [header, plan] = [editor.planHeader(), editor.plan()];
  assert.deepEqual(header.headerBytes(), plan.headerBytes());
  assert.deepEqual([header.headerSize, header.dataOffset], [plan.headerSize, plan.dataOffset]);
  const edited = await Gguf.open(plan);
  assert.deepEqual(
    [...header.tensorOffsets],
    edited.tensors.map(({ offset }) => offset),
  );
  assert.equal(header.hasFinalOffsets, true);
  assert.deepEqual(header.findings, plan.findings);
});

test("later changes are not part of the plan", async () => {
  const editor = (await Gguf.open(bytes())).edit();
  const plan = editor.planHeader();
  const before = plan.headerBytes();
  change(editor);
  assert.deepEqual(plan.headerBytes(), before);
  assert.equal(plan.headerSize, before.length);
});

test("the header of a truncated file is planned, with the offsets that are known", async () => {
  const editor = (await Gguf.open(bytes(64))).edit();
  editor.set("general.architecture", "mamba");
  assert.throws(() => editor.plan(), { name: "GgufError", code: "truncated" });
  const plan = editor.planHeader();
  assert.deepEqual([[...plan.tensorOffsets], plan.hasFinalOffsets], [[0, 64], true]);
  assert.equal((await Gguf.open(plan.headerBytes())).metadata.get("general.architecture"), "mamba");
  editor.removeTensor("t");
  assert.deepEqual([[...editor.planHeader().tensorOffsets], editor.planHeader().hasFinalOffsets], [[64], false]);
});

test("the header of a file of unknown size is planned", async () => {
  const file = bytes();
  const read = async (/** @type {number} */ start, /** @type {number} */ end) => file.subarray(start, end);
  const editor = (await Gguf.open({ read })).edit();
  change(editor);
  assert.throws(() => editor.plan(), { name: "GgufError", code: "size-unknown" });
  const plan = editor.planHeader();
  assert.deepEqual([[...plan.tensorOffsets], plan.hasFinalOffsets], [[0, 64], true]);
  const size = plan.headerSize;
  assert.equal(plan.dataOffset, Math.ceil(size / 64) * 64);
  assert.equal((await Gguf.open(plan.headerBytes())).headerSize, size);
});

test("an edited header that readers refuse has findings", async () => {
  const editor = (await Gguf.open(bytes())).edit();
  editor.remove("general.architecture");
  const codes = editor.planHeader().findings.map(({ code }) => code);
  assert.deepEqual(
    codes.filter((code) => !editor.validate().some((finding) => finding.code === code)),
    [],
  );
  assert.ok(codes.length > 0);
});
