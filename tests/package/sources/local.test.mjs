// Local sources: bytes, Blobs, file handles, streams.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { Gguf } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { checkHeader, checkValues, headerSize, MODEL } from "../../support/source-model.mjs";

/** @typedef {import("gguf-wasm/full").OpenProgress} OpenProgress */

describe("bytes", () => {
  test("of every kind; a view contains only its part", async () => {
    const padded = new Uint8Array(MODEL.length + 20);
    padded.set(MODEL, 10);
    const part = /** @type {const} */ ([padded.buffer, 10, MODEL.length]);
    for (const source of [MODEL, MODEL.buffer, Buffer.from(...part), new Uint8Array(...part), new DataView(...part)]) {
      const gguf = checkHeader(await Gguf.open(/** @type {Uint8Array} */ (source)));
      await checkValues(gguf);
    }
  });

  test("values are copies", async () => {
    const bytes = Buffer.from(MODEL);
    const gguf = await Gguf.open(bytes);
    const values = await gguf.readBytes("blocks.weight");
    bytes.fill(0);
    assert.ok(values.some((value) => value !== 0));
  });

  test("of another realm", async () => {
    const names = ["ArrayBuffer", "SharedArrayBuffer"];
    for (const buffer of names.map((name) => runInNewContext(`new ${name}(${MODEL.length})`))) {
      new Uint8Array(buffer).set(MODEL);
      await checkValues(checkHeader(await Gguf.open(buffer)));
      await checkValues(checkHeader(await Gguf.open(/** @type {any} */ (new DataView(buffer)))));
    }
    const noBuffer = /** @type {any} */ ({ [Symbol.toStringTag]: "ArrayBuffer", byteLength: 8 });
    await fails(Gguf.open(noBuffer), { code: "invalid-source", message: /read\(\)/ });
  });

  test("in shared memory", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(MODEL.length));
    shared.set(MODEL);
    checkHeader(await Gguf.open(/** @type {any} */ (shared)));
  });
});

describe("blobs and files", () => {
  test("are read up to the end of the header", async () => {
    let read = 0;
    class CountingBlob extends Blob {
      /** @param {number} start @param {number} end */
      slice(start, end) {
        read += end - start;
        return super.slice(start, end);
      }
    }
    const gguf = checkHeader(await Gguf.open(new CountingBlob([MODEL])));
    assert.ok(read >= headerSize && read <= headerSize + (256 << 10), `${read} bytes of ${headerSize}`);
    await checkValues(gguf);
    checkHeader(await Gguf.open(new File([MODEL], "model.gguf")));
  });

  test("from a file system handle", async () => {
    checkHeader(await Gguf.open({ getFile: async () => new File([MODEL], "model.gguf") }));
    await fails(Gguf.open(/** @type {any} */ ({ getFile: async () => 5 })), { code: "invalid-source" });
    await fails(Gguf.open({ getFile: () => Promise.reject(new Error("gone")) }), {
      code: "read-failed",
      message: /gone/,
    });
  });

  test("that cannot be read", async () => {
    class BrokenBlob extends Blob {
      slice() {
        return /** @type {Blob} */ ({
          arrayBuffer: () => Promise.reject(new DOMException("changed", "NotReadableError")),
        });
      }
    }
    await fails(Gguf.open(new BrokenBlob([MODEL])), { code: "changed", message: /Open it again: changed/ });
  });
});

describe("streams", () => {
  /** @param {number} size @param {{ pulled: number, cancelled: boolean }} seen */
  const stream = (size, seen) =>
    new ReadableStream(
      {
        pull(controller) {
          controller.enqueue(MODEL.slice(seen.pulled, (seen.pulled += size)));
          if (seen.pulled >= MODEL.length) controller.close();
        },
        cancel() {
          seen.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );

  for (const size of [7919, 65_536, MODEL.length]) {
    test(`in chunks of ${size}, read up to the end of the header, then cancelled and released`, async () => {
      const seen = { pulled: 0, cancelled: false };
      const source = stream(size, seen);
      const gguf = await Gguf.open(source);
      assert.equal(gguf.metadata.get("last"), 7);
      assert.equal(gguf.fileSize, undefined);
      assert.ok(seen.pulled < headerSize + size);
      assert.equal(seen.cancelled, size !== MODEL.length);
      assert.equal(source.locked, false);
      await fails(gguf.readBytes("output.weight"), { code: "no-ranges" });
    });
  }

  test("that end early, fail, are locked or contain no bytes", async () => {
    await fails(Gguf.open(new Blob([MODEL.slice(0, 1000)]).stream()), { code: "unexpected-eof" });
    const failing = new ReadableStream({ pull: () => Promise.reject(new Error("cut")) });
    await fails(Gguf.open(failing), { code: "read-failed", message: /cut/ });
    const locked = new Blob([MODEL]).stream();
    locked.getReader();
    await fails(Gguf.open(locked), { code: "read-failed", message: /locked/ });
    const words = new ReadableStream({ start: (controller) => controller.enqueue("GGUF") });
    await fails(Gguf.open(words), { code: "read-failed" });
  });
});

describe("objects that are not sources", () => {
  for (const source of [undefined, null, 5, true, 5n, Symbol("s"), {}, [], () => 5, new Map()]) {
    test(String(typeof source === "symbol" ? "symbol" : source), () =>
      fails(Gguf.open(/** @type {any} */ (source)), { code: "invalid-source" }),
    );
  }
});
