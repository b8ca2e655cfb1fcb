// Makes the edited file in every possible way, and compares the results.

import assert from "node:assert/strict";
import { Gguf } from "gguf-wasm/full";
import { isConvertible } from "../../support/edits.mjs";
import { encodeChanged, parse } from "../../support/gguf-model.mjs";
import { LAYOUTS } from "../../support/ggml-layout.mjs";

/**
 * @typedef {import("gguf-wasm/full").EditPlan} EditPlan
 */

/**
 * Edits a file and asserts that each way to write it gives the bytes that the model expects. Returns these bytes. Returns
 * undefined if the edit does not apply to the file, or if the model expects a refusal, which is then asserted.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {import("../../support/edits.mjs").EditOf} edit
 * @param {import("../../support/gguf-model.mjs").Model} [model] The model of the bytes.
 */
export async function outcome(bytes, edit, model = parse(bytes)) {
  const draft = { ...model, entries: [...model.entries], tensors: [...model.tensors] };
  const original = new Blob([bytes]);
  const gguf = await Gguf.open(original);
  const editor = gguf.edit();
  if (edit.make(editor, draft) === false) return undefined;
  if (draft.bigEndian !== model.bigEndian && !isConvertible(draft)) {
    assert.throws(() => editor.plan(), { name: "GgufError", code: "no-byte-order" });
    return undefined;
  }
  const expected = encodeChanged(model, draft);
  const plan = editor.plan();
  assert.equal(plan.size, expected.length);
  await checkWays(plan, original, bytes, expected);
  await checkUndone(editor, plan, bytes);
  return expected;
}

/**
 * @param {EditPlan} plan
 * @param {Blob} original
 * @param {Uint8Array} bytes of the original
 * @param {Buffer} expected
 */
async function checkWays(plan, original, bytes, expected) {
  same(await plan.read(0, plan.size), expected, "read");
  const cuts = [0, 1, plan.headerSize - 3, plan.dataOffset + 5, plan.size - 1, plan.size]
    .map((cut) => Math.max(0, Math.min(cut, plan.size)))
    .sort((a, b) => a - b);
  for (const [index, cut] of cuts.slice(1).entries()) {
    const start = cuts[index] ?? 0;
    same(await plan.read(start, cut), expected.subarray(start, cut), `read from ${start} to ${cut}`);
  }
  same(await collect(plan.stream()), expected, "stream");
  const half = Math.floor(plan.size / 2);
  same(await collect(plan.stream({ start: half })), expected.subarray(half), `stream from ${half}`);
  same(plan.headerBytes(), expected.subarray(0, plan.headerSize), "headerBytes");
  same(assembled(plan, bytes), expected, "segments");
  if (plan.segments().some(({ kind }) => kind === "swap")) {
    assert.throws(() => plan.toBlob(original), { name: "GgufError", code: "invalid-argument" });
  } else {
    same(new Uint8Array(await plan.toBlob(original).arrayBuffer()), expected, "toBlob");
  }
  const patches = plan.patches();
  assert.equal(plan.inPlace, patches !== undefined);
  if (patches) {
    const patched = Buffer.from(bytes);
    for (const { offset, bytes } of patches) patched.set(bytes, offset);
    same(patched, expected, "patches");
  }
  const reopened = await Gguf.open(plan);
  assert.deepEqual([reopened.headerSize, reopened.fileSize], [plan.headerSize, plan.size]);
  if (reopened.tensors.length > 0) assert.equal(reopened.dataOffset, plan.dataOffset);
  reopened.free();
}

/**
 * Asserts that the plan after undoing all changes is a copy of the file, and that redo restores the plan.
 *
 * @param {import("gguf-wasm/full").Editor} editor
 * @param {EditPlan} plan
 * @param {Uint8Array} bytes
 */
async function checkUndone(editor, plan, bytes) {
  const count = editor.changes.length;
  while (editor.undo());
  assert.equal(editor.undone.length, count);
  assert.deepEqual(editor.plan().segments(), [{ kind: "copy", offset: 0, start: 0, end: bytes.length }]);
  while (editor.redo());
  assert.equal(editor.changes.length, count);
  assert.deepEqual(editor.plan().segments(), plan.segments());
}

/** The bytes of all segments of the plan. @param {EditPlan} plan @param {Uint8Array} bytes */
function assembled(plan, bytes) {
  let end = 0;
  const parts = plan.segments().map((segment) => {
    assert.equal(segment.offset, end);
    const part = segment.kind === "bytes" ? segment.bytes : bytes.subarray(segment.start, segment.end);
    end += part.length;
    return segment.kind === "swap" ? swapped(segment.type, part) : part;
  });
  return Buffer.concat(parts);
}

/** @param {string} type @param {Uint8Array} blocks */
function swapped(type, blocks) {
  const layout = LAYOUTS.find(({ name }) => name === type);
  assert.ok(layout?.isConvertible, `${type} is not convertible`);
  return layout.swapped(blocks);
}

/** @param {ReadableStream<Uint8Array>} stream */
export async function collect(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** @param {Uint8Array} found @param {Uint8Array} expected @param {string} way */
function same(found, expected, way) {
  if (Buffer.compare(found, expected) === 0) return;
  const at = expected.findIndex((byte, index) => byte !== found[index]);
  assert.fail(`${way}: ${found.length} bytes for ${expected.length}, other ones from ${at} on`);
}
