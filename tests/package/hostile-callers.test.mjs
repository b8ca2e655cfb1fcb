// What callers can pass in by mistake or on purpose: each is an error, and the module goes on.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm";
import { ggufBytes, text, uint32 } from "../support/gguf-bytes.mjs";

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

/** Fails if nothing happens for a second. @param {Promise<unknown>} promise */
function soon(promise) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("nothing happened")), 1000);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Another opening, begun in the same tick and one after: neither may be disturbed. @param {() => Promise<unknown>} wrong */
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
    test(`options that say nothing: ${typeof options} ${options}`, async () => {
      assert.equal((await open(FILE, options)).metadata.get("n"), 1);
    });
  }
});

describe("methods", () => {
  test("whose arguments throw leave the Gguf as it was", async () => {
    const gguf = await Gguf.open(FILE);
    const wrong = /** @type {any} */ (getter("index"));
    assert.throws(() => gguf.keyBytes(wrong), mine);
    assert.throws(() => gguf.valueBytes(wrong), mine);
    await assert.rejects(soon(gguf.readBytes(wrong)), mine);
    await assert.rejects(soon(gguf.readBytes("t", /** @type {any} */ (getter("signal")))), mine);
    await assert.rejects(soon(gguf.readBytes("t", /** @type {any} */ (getter("start")))), mine);
    assert.equal(gguf.metadata.get("n"), 1);
    gguf.free();
    assert.throws(() => gguf.free());
  });

  test("after the bytes were transferred away", async () => {
    const bytes = FILE.slice();
    const gguf = await Gguf.open(bytes);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    assert.equal(gguf.metadata.get("n"), 1);
    await assert.rejects(gguf.readBytes("t"), { name: "GgufError", code: "read-failed" });
  });

  test("of a file in memory that shrinks", async () => {
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
