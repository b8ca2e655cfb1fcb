// The extents of tensor data: reading, editing, checking and the page get the same answer.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes } from "../../support/gguf-bytes.mjs";

const F32 = 0;
const UNKNOWN = 137;

/**
 * A file with a tensor of unknown type and 96 bytes. The offset of an empty tensor points into the middle of them.
 *
 * @param {import("../../support/gguf-bytes.mjs").Tensor[]} [after] Tensors that follow.
 */
function fileWithUnknown(after = []) {
  const tensors = [
    { name: "unknown", dimensions: [64], type: UNKNOWN, bytes: 32 },
    { name: "empty", dimensions: [0], type: F32, bytes: 64 },
    ...after,
  ];
  const bytes = ggufBytes([], tensors);
  const length = tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);
  for (let at = 0; at < length; at += 1) bytes[bytes.length - length + at] = 1 + (at % 200);
  return { bytes, data: bytes.slice(bytes.length - length, bytes.length - length + 96) };
}

/** The file after the changes of an editor. @param {Uint8Array<ArrayBuffer>} bytes @param {(editor: import("gguf-wasm/full").Editor) => void} change */
async function changed(bytes, change) {
  const editor = (await Gguf.open(bytes)).edit();
  change(editor);
  const plan = editor.plan();
  return plan.read(0, plan.size);
}

describe("a tensor of unknown type before an empty tensor", () => {
  test("has the same bytes in readBytes, extent and an editor", async () => {
    const { bytes, data } = fileWithUnknown();
    const gguf = await Gguf.open(bytes);
    assert.deepEqual(await gguf.readBytes("unknown"), data);
    const { dataOffset } = gguf;
    assert.deepEqual(gguf.extent("unknown"), { start: dataOffset, end: dataOffset + 96, isComplete: true });
    const repacked = await changed(bytes, (editor) => editor.repack());
    assert.deepEqual(await (await Gguf.open(repacked)).readBytes("unknown"), data);
    const removed = await changed(bytes, (editor) => editor.removeTensor("empty"));
    assert.deepEqual(await (await Gguf.open(removed)).readBytes("unknown"), data);
    assert.ok(!gguf.validate().some(({ code }) => ["gap", "trailing-bytes", "truncated"].includes(code)));
  });

  test("does not grow when the file is realigned repeatedly", async () => {
    const { bytes, data } = fileWithUnknown();
    let file = bytes;
    for (const alignment of [64, 256, 32, 8, 4096]) {
      file = await changed(file, (editor) => void (editor.alignment = alignment));
      const gguf = await Gguf.open(file);
      assert.deepEqual(await gguf.readBytes("unknown"), data, `alignment ${alignment}`);
      assert.deepEqual(await gguf.readBytes("empty"), new Uint8Array());
    }
  });

  test("ends where the next tensor with data begins", async () => {
    const { bytes, data } = fileWithUnknown([{ name: "last", dimensions: [8], type: F32, bytes: 32 }]);
    const gguf = await Gguf.open(bytes);
    assert.deepEqual(await gguf.readBytes("unknown"), data);
    const start = gguf.dataOffset + 96;
    assert.deepEqual(gguf.extent("last"), { start, end: start + 32, isComplete: true });
    assert.deepEqual(gguf.extent("empty"), { start: 0, end: 0, isComplete: true });
    assert.equal(gguf.requiredSize, bytes.length);
    const file = await changed(bytes, (editor) => editor.repack());
    assert.deepEqual(await (await Gguf.open(file)).readBytes("unknown"), data);
  });
});

test("a tensor without data is read wherever its offset points", async () => {
  const tensors = [
    { name: "a", dimensions: [8], type: F32, bytes: 1024 },
    { name: "empty", dimensions: [0], type: F32, bytes: 0 },
  ];
  const bytes = ggufBytes([], tensors).subarray(0, -512);
  const gguf = await Gguf.open(bytes);
  assert.deepEqual(await gguf.readBytes("empty"), new Uint8Array());
  assert.deepEqual(await gguf.read("empty"), new Float32Array());
});

test("a truncated file has incomplete tensors and a required size", async () => {
  const tensors = ["a", "b"].map((name) => ({ name, dimensions: [8], type: F32, bytes: 32 }));
  const whole = ggufBytes([], tensors);
  const gguf = await Gguf.open(whole.subarray(0, -1));
  assert.equal(gguf.requiredSize, whole.length);
  assert.ok((gguf.fileSize ?? 0) < gguf.requiredSize);
  assert.deepEqual(
    gguf.tensors.map((tensor) => gguf.extent(tensor)?.isComplete),
    [true, false],
  );
  assert.deepEqual(gguf.extent("b"), { start: whole.length - 32, end: whole.length, isComplete: false });
  assert.throws(() => gguf.extent("c"), { name: "GgufError", code: "unknown-tensor" });
});

test("in a stream of unknown size, only the last tensor of unknown type has no extent", async () => {
  const tensors = ["a", "b"].map((name) => ({ name, dimensions: [8], type: UNKNOWN, bytes: 32 }));
  const bytes = ggufBytes([], tensors);
  const gguf = await Gguf.open(new Blob([bytes]).stream());
  if (gguf.fileSize === undefined) assert.equal(gguf.extent("b"), undefined);
  assert.deepEqual(gguf.extent("a"), { start: gguf.dataOffset, end: gguf.dataOffset + 32, isComplete: true });
});
