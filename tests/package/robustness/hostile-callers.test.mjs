// Invalid and hostile arguments: each one is an error, and the module is still usable.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, dequantize } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

const FILE = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["n", uint32(1)],
  ],
  [{ name: "t", dimensions: [4], type: 0, bytes: 16 }],
);
/** @param {unknown} source @param {unknown} [options] */
const open = (source, options) => Gguf.open(/** @type {any} */ (source), /** @type {any} */ (options));

const mine = new Error("mine");
const throws = () => {
  throw mine;
};
/** @param {string} name */
const getter = (name) => Object.defineProperty({}, name, { get: throws });
const detached = () => {
  const bytes = FILE.slice();
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
};
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
/** @param {unknown} result */
const streamOf = (result) => ({
  getReader: () => ({ read: () => result, cancel: () => result, releaseLock: () => undefined }),
});

/** Fails if the promise never settles. @param {Promise<unknown>} promise */
function soon(promise) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("nothing happened")), 60_000);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Runs `wrong` beside other openings in the same tick and after it. Neither may be disturbed. @param {() => Promise<unknown>} wrong */
async function survives(wrong) {
  const before = open(FILE);
  const failed = soon(wrong());
  const error = await failed.then(
    () => assert.fail("it was accepted"),
    (error) => error,
  );
  assert.equal(/** @type {Gguf} */ (await soon(before)).metadata.get("n"), 1);
  assert.equal(/** @type {Gguf} */ (await soon(open(FILE))).metadata.get("n"), 1);
  assert.ok(!(error instanceof WebAssembly.RuntimeError), error);
  return error;
}

/** @type {Record<string, [source: () => unknown, options: () => unknown, code: string | undefined]>} */
const OPENINGS = {
  "a detached array": [detached, () => undefined, "invalid-source"],
  "a detached buffer": [() => detached().buffer, () => undefined, "invalid-source"],
  "a custom source that gives a detached array": [() => ({ read: detached }), () => undefined, "read-failed"],
  "a custom source without an answer": [() => ({ read: () => undefined }), () => undefined, "read-failed"],
  "a custom source with a size that is text": [
    () => ({ read: () => FILE, size: "5" }),
    () => undefined,
    "invalid-source",
  ],
  "a custom source with a size that is a bigint": [
    () => ({ read: () => FILE, size: 5n }),
    () => undefined,
    "invalid-source",
  ],
  "a source whose members throw": [() => getter("href"), () => undefined, undefined],
  "a source whose read throws when it is looked at": [() => getter("read"), () => undefined, undefined],
  "a stream whose read gives undefined": [() => streamOf(undefined), () => undefined, "read-failed"],
  "a stream whose read gives a number": [() => streamOf(5), () => undefined, "read-failed"],
  "a stream whose result throws": [() => streamOf(getter("done")), () => undefined, "read-failed"],
  "a revoked proxy": [revoked, () => undefined, undefined],
  "a signal that is none": [() => FILE, () => ({ signal: {} }), "invalid-argument"],
  "a signal that is a number": [() => FILE, () => ({ signal: 5 }), "invalid-argument"],
  "options whose signal throws": [() => FILE, () => getter("signal"), undefined],
  "options whose limits throw": [() => FILE, () => getter("limits"), undefined],
  "limits that throw": [
    () => FILE,
    () => ({ limits: Object.defineProperty({}, "headerBytes", { get: throws, enumerable: true }) }),
    undefined,
  ],
  "limits that are a number": [() => FILE, () => ({ limits: 5 }), "invalid-argument"],
  "options whose onProgress throws when it is looked at": [() => FILE, () => getter("onProgress"), undefined],
  "options that are a revoked proxy": [() => FILE, revoked, undefined],
  "a fetch without an answer": [() => "http://localhost/", () => ({ retries: 0, fetch: () => undefined }), "network"],
  "a fetch that gives null": [() => "http://localhost/", () => ({ retries: 0, fetch: async () => null }), "network"],
  "a fetch that throws": [() => "http://localhost/", () => ({ retries: 0, fetch: throws }), "network"],
  "headers that are none": [() => "http://localhost/", () => ({ headers: { "not a name": "x" } }), "invalid-argument"],
  "retries that are none": [() => "http://localhost/", () => ({ retries: "many" }), "invalid-argument"],
};

describe("Gguf.open", () => {
  for (const [name, [source, options, code]] of Object.entries(OPENINGS)) {
    test(name, async () => {
      const error = await survives(() => open(source(), options()));
      if (code) assert.deepEqual([error.name, error.code], ["GgufError", code], String(error.stack));
    });
  }

  for (const options of [null, undefined, {}, [], 5, "options", () => 5]) {
    test(`options without an effect: ${typeof options} ${options}`, async () => {
      assert.equal((await open(FILE, options)).metadata.get("n"), 1);
    });
  }
});

describe("methods", () => {
  test("with arguments that throw do not change the Gguf", async () => {
    const gguf = await Gguf.open(FILE);
    const wrong = /** @type {any} */ (getter("index"));
    assert.throws(() => gguf.keyBytes(wrong), mine);
    assert.throws(() => gguf.valueBytes(wrong), mine);
    assert.throws(() => gguf.stringBytes(wrong), mine);
    await assert.rejects(soon(gguf.readBytes(wrong)), mine);
    await assert.rejects(soon(gguf.readBytes("t", /** @type {any} */ (getter("signal")))), mine);
    await assert.rejects(soon(gguf.readBytes("t", /** @type {any} */ (getter("start")))), mine);
    assert.equal(gguf.metadata.get("n"), 1);
    gguf.free();
    gguf.free();
  });

  for (const method of /** @type {const} */ (["read", "preview", "statistics"])) {
    test(`${method} with invalid options`, async () => {
      const gguf = await Gguf.open(FILE);
      const call = (/** @type {unknown} */ options) => soon(gguf[method]("t", /** @type {any} */ (options)));
      for (const name of method === "read" ? ["signal", "as", "start"] : ["signal", "onProgress"]) {
        await assert.rejects(call(getter(name)), mine);
      }
      await assert.rejects(call(revoked()), TypeError);
      if (method !== "read") await assert.rejects(call({ onProgress: throws }), mine);
      for (const options of [null, undefined, {}, [], method === "read" ? { as: undefined } : { onProgress: 5 }]) {
        await call(options);
      }
      await assert.rejects(soon(gguf[method](/** @type {any} */ (getter("index")))), mine);
      await assert.rejects(soon(gguf[method](/** @type {any} */ (revoked()))), TypeError);
      gguf.free();
    });

    test(`${method} of a Gguf that is freed before it ends`, async () => {
      const source = {
        size: FILE.length,
        read: async (/** @type {number} */ start, /** @type {number} */ end) => {
          await new Promise((passed) => setTimeout(passed, 5));
          return FILE.slice(start, end);
        },
      };
      const gguf = await Gguf.open(source);
      const result = gguf[method]("t");
      gguf.free();
      await soon(result);
      assert.equal((await Gguf.open(FILE)).metadata.get("n"), 1);
    });
  }

  test("dequantize with objects that are not memory, or are detached", () => {
    const blocks = new Uint8Array(8);
    const call = (/** @type {unknown[]} */ ...args) => Reflect.apply(dequantize, undefined, args);
    const refused = (/** @type {unknown[]} */ ...args) =>
      assert.throws(() => call(...args), { name: "GgufError", code: "invalid-argument" });
    class Mine extends Float32Array {}
    const mine = new Mine(2);
    assert.equal(call("F32", blocks, mine), mine);
    refused("F32", blocks, new Proxy(new Float32Array(2), {}));
    refused("F32", blocks, Object.create(Float32Array.prototype));
    refused("F32", Object.create(Uint8Array.prototype), new Float32Array(2));
    refused("F32", new Proxy(blocks, {}));
    refused("F32", blocks, new Float32Array(1));
    refused("F32", "12345678");
    // The bytes of any typed array are valid input.
    call("F32", blocks, Object.setPrototypeOf(new Uint8Array(8), Float32Array.prototype));
    const shrinks = new /** @type {any} */ (ArrayBuffer)(8, { maxByteLength: 8 });
    const out = new Float32Array(shrinks);
    shrinks.resize(4);
    refused("F32", blocks, out);
    // Input and output in one buffer: the input must not be overwritten before it is read.
    const both = new Float32Array([1, 2]);
    assert.deepEqual(call("F32", new Uint8Array(both.buffer), both), new Float32Array([1, 2]));
    assert.deepEqual(call("F32", new Uint8Array(new SharedArrayBuffer(8))), new Float32Array(2));
    assert.deepEqual(call("F32", new ArrayBuffer(8)), new Float32Array(2));
    assert.deepEqual(call("F32", new DataView(new ArrayBuffer(8))), new Float32Array(2));
    assert.deepEqual(call("F32", blocks, null), new Float32Array(2));
  });

  test("arrays with own members, however often", async () => {
    const refused = (/** @type {unknown[]} */ ...args) =>
      assert.throws(() => Reflect.apply(dequantize, undefined, args), { name: "GgufError", code: "invalid-argument" });
    // A call that ends with an exception through Rust does not restore the stack pointer. Some hundreds would exhaust the stack.
    for (let i = 0; i < 2000; i++) {
      refused("F32", Object.defineProperty(new Uint8Array(8), "byteLength", { get: throws }));
      refused("F32", new Uint8Array(8), Object.defineProperty(new Float32Array(2), "byteOffset", { get: throws }));
    }
    refused("F32", new Uint8Array(8), Object.setPrototypeOf(new DataView(new ArrayBuffer(8)), Float32Array.prototype));
    const read = async (/** @type {number} */ start, /** @type {number} */ end) =>
      Object.defineProperty(FILE.slice(start, end), "buffer", { get: throws });
    await assert.rejects(soon(Gguf.open({ read, size: FILE.length })), { name: "GgufError", code: "read-failed" });
    assert.deepEqual(dequantize("F32", new Uint8Array(8)), new Float32Array(2));
  });

  test("a buffer that was transferred", async () => {
    const bytes = FILE.slice();
    const gguf = await Gguf.open(bytes);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    assert.equal(gguf.metadata.get("n"), 1);
    await assert.rejects(gguf.readBytes("t"), { name: "GgufError", code: "read-failed" });
  });

  test("a file in memory that shrinks", async () => {
    const buffer = /** @type {any} */ (
      new /** @type {any} */ (ArrayBuffer)(FILE.length, { maxByteLength: FILE.length })
    );
    const bytes = new Uint8Array(buffer);
    bytes.set(FILE);
    const gguf = await Gguf.open(bytes);
    buffer.resize(10);
    await assert.rejects(gguf.readBytes("t"), { name: "GgufError", code: "read-failed" });
  });
});

process.on("unhandledRejection", (reason) => {
  throw reason;
});
