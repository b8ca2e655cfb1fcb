// Custom sources: objects with a `read` function.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { checkHeader, checkValues, dataOffset, headerSize, MODEL } from "../../support/source-model.mjs";

/** @typedef {import("gguf-wasm/full").OpenProgress} OpenProgress */

describe("custom sources", () => {
  /** @param {number} start @param {number} end */
  const read = async (start, end) => MODEL.slice(start, end);

  test("with and without a size", async () => {
    await checkValues(checkHeader(await Gguf.open({ read, size: MODEL.length })));
    const gguf = await Gguf.open({ read });
    assert.equal(gguf.fileSize, undefined);
    await checkValues(gguf);
  });

  test("that return few bytes at a time, or return bytes without a promise", async () => {
    checkHeader(
      await Gguf.open({ read: (start, end) => read(start, Math.min(end, start + 50_000)), size: MODEL.length }),
    );
    const now = /** @type {any} */ ({ read: (/** @type {number} */ a, /** @type {number} */ b) => MODEL.slice(a, b) });
    assert.equal((await Gguf.open(now)).headerSize, headerSize);
  });

  test("that end early, return too many bytes, or return something else", async () => {
    const short = {
      read: async (/** @type {number} */ start, /** @type {number} */ end) => MODEL.slice(start, Math.min(end, 5000)),
    };
    await fails(Gguf.open(short), { code: "unexpected-eof" });
    await fails(Gguf.open({ read: async () => MODEL }), { code: "read-failed" });
    await fails(Gguf.open({ read: async () => /** @type {any} */ ("GGUF") }), { code: "read-failed" });
    const own = new TypeError("my own");
    const throws = () => {
      throw own;
    };
    for (const read of [() => Promise.reject(own), throws]) {
      await fails(Gguf.open({ read }), { code: "read-failed", cause: own, message: /my own/ });
    }
    const half = await Gguf.open({
      read: (start, end) => read(start, Math.min(end, dataOffset + 100)),
      size: MODEL.length,
    });
    await fails(half.readBytes("output.weight"), { code: "read-failed" });
  });

  test("get the signal", async () => {
    const { signal } = new AbortController();
    let given;
    await Gguf.open({ read: (start, end, options) => ((given = options.signal), read(start, end)) }, { signal });
    assert.equal(given, signal);
  });

  test("with impossible sizes", async () => {
    for (const size of [-1, NaN, 2 ** 53, Infinity]) {
      await fails(Gguf.open({ read, size }), { code: "invalid-source" });
    }
  });
});
