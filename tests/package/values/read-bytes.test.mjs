// `readBytes`: the bytes that it reads, and the ranges that it refuses.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { abortSoon, fails, until } from "../../support/expect.mjs";
import { blocksAt, dataOffset, MODEL } from "../../support/source-model.mjs";
import { virtualFile } from "../../support/virtual-file.mjs";

/** @typedef {import("gguf-wasm/full").OpenProgress} OpenProgress */

describe("readBytes", () => {
  test("whole blocks of any range of elements", async () => {
    const gguf = await Gguf.open(MODEL);
    /** @type {[number, number][]} */
    const ranges = [
      [0, 192],
      [0, 0],
      [5, 5],
      [192, 192],
      [0, 1],
      [31, 33],
      [32, 64],
      [191, 192],
    ];
    for (const [start, end] of ranges) {
      const expected = MODEL.slice(blocksAt(Math.floor(start / 32) * 34), blocksAt(Math.ceil(end / 32) * 34));
      const bytes = await gguf.readBytes("blocks.weight", { start, end });
      assert.deepEqual(bytes, start === end ? new Uint8Array() : expected, `${start}..${end}`);
    }
  });

  test("invalid ranges", async () => {
    const gguf = await Gguf.open(MODEL);
    const ranges = [{ start: -1 }, { end: 193 }, { start: 5, end: 4 }, { start: 0.5 }, { end: NaN }, { start: "1" }];
    for (const range of ranges) {
      const read = gguf.readBytes("blocks.weight", /** @type {any} */ (range));
      await fails(read, { code: "out-of-range", message: /blocks\.weight/ });
    }
  });

  test("a tensor of unknown type up to the next tensor, as a whole", async () => {
    const gguf = await Gguf.open(MODEL);
    const strange = gguf.tensor("strange.weight");
    assert.equal(strange?.type, "unknown(137)");
    assert.equal(strange?.byteLength, undefined);
    const { fileOffset = 0 } = strange ?? {};
    assert.deepEqual(await gguf.readBytes("strange.weight"), MODEL.slice(fileOffset, fileOffset + 96));
    await fails(gguf.readBytes("strange.weight", { end: 5 }), { code: "unknown-type" });
  });

  test("tensors that do not exist, and copies of tensors that do", async () => {
    const gguf = await Gguf.open(MODEL);
    const [first] = gguf.tensors;
    assert.ok(first);
    await fails(gguf.readBytes("nothing"), { code: "unknown-tensor", message: /nothing/ });
    await fails(gguf.readBytes({ ...first, name: "other" }), { code: "unknown-tensor" });
    await fails(gguf.readBytes({ ...first, index: 99 }), { code: "unknown-tensor" });
    await fails(gguf.readBytes(/** @type {any} */ (undefined)), { code: "invalid-argument" });
    const bytes = await gguf.readBytes(structuredClone(first), { end: 16 });
    assert.deepEqual(bytes, MODEL.slice(dataOffset, dataOffset + 64));
  });

  test("beyond the end of the file", async () => {
    const gguf = await Gguf.open(MODEL.subarray(0, MODEL.length - 100));
    await fails(gguf.readBytes("blocks.weight"), { code: "unexpected-eof", offset: blocksAt(0) });
  });

  test("a read that has not started does not run after it is aborted", async () => {
    const file = virtualFile({ type: 24, dimensions: [1000, 100_000], bytes: 1e8 });
    /** @type {number[]} */
    const reads = [];
    let goOn = () => {};
    const waits = /** @type {Promise<void>} */ (new Promise((resolve) => (goOn = resolve)));
    const gguf = await Gguf.open({
      size: file.size,
      async read(start, end, options) {
        reads.push(end - start);
        if (start >= file.dataOffset) await waits;
        return file.source.read(start, end, options);
      },
    });
    reads.length = 0;
    const busy = [0, 1, 2, 3, 4, 5].map((i) => gguf.readBytes("large", { start: i * 1e7, end: i * 1e7 + 10 }));
    await until(() => reads.length === 6);
    await assert.rejects(gguf.readBytes("large", { start: 9e7, end: 9.5e7, signal: abortSoon() }), {
      name: "AbortError",
    });
    const other = gguf.readBytes("large", { start: 9.1e7, end: 9.1e7 + 10 });
    goOn();
    await Promise.all([...busy, other]);
    assert.deepEqual(reads.slice(6), [10]);
  });

  test("continues when the Gguf is freed", async () => {
    const gguf = await Gguf.open(MODEL);
    const reading = gguf.readBytes("blocks.weight");
    gguf.free();
    assert.equal((await reading).length, 204);
    assert.throws(() => gguf.tensors);
  });
});
