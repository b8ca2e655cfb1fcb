// The stream of a new file: order, progress, abort.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GgufWriter } from "gguf-wasm/full";
import { bytesOf, dataOf, metadataFirst, streamed } from "../../support/new-files.mjs";

test("data in many chunks is streamed in order, with progress", async () => {
  const data = dataOf((9 << 20) + 5);
  for (const given of [data, new Blob([data]), () => new Blob([data])]) {
    const writer = new GgufWriter();
    writer.addTensor("t", { dimensions: [data.length], type: "I8", data: given });
    writer.addTensor("u", { dimensions: [32], type: "I8", data: dataOf(32, 5) });
    /** @type {number[]} */
    const written = [];
    const onProgress = (/** @type {import("gguf-wasm/full").WriteProgress} */ { bytesWritten, totalBytes }) => {
      assert.equal(totalBytes, writer.size);
      written.push(bytesWritten);
    };
    const file = await bytesOf(new Response(writer.stream({ onProgress })));
    assert.equal(Buffer.compare(file, metadataFirst(writer, [data, dataOf(32, 5)])), 0);
    assert.equal(written.at(-1), writer.size);
    assert.deepEqual(
      written.toSorted((a, b) => a - b),
      written,
    );
    assert.ok(written.length >= 5);
  }
});

test("a function is called when its data is needed, and not before", async () => {
  /** @type {string[]} */
  const called = [];
  const writer = new GgufWriter();
  for (const name of ["a", "b"]) {
    const data = async () => {
      called.push(name);
      return dataOf(8 << 20);
    };
    writer.addTensor(name, { dimensions: [8 << 20], type: "I8", data });
  }
  const reader = writer.stream().getReader();
  assert.equal((await reader.read()).value?.length, writer.dataOffset);
  await reader.read();
  assert.deepEqual(called, ["a"]);
  await reader.cancel();
  assert.deepEqual(called, ["a"]);
  assert.equal((await streamed(writer)).length, writer.size);
  assert.deepEqual(called, ["a", "a", "b"]);
});

test("an aborted stream rejects with the reason of the signal, also while it waits for a function", async () => {
  const writer = new GgufWriter();
  const controller = new AbortController();
  writer.addTensor("t", {
    dimensions: [4],
    type: "I8",
    data: () => {
      setTimeout(() => controller.abort("enough"), 5);
      return new Promise(() => {});
    },
  });
  const failed = await new Response(writer.stream({ signal: controller.signal })).arrayBuffer().catch((error) => error);
  assert.equal(failed, "enough");
});
