// Arguments that a writer refuses. The writer does not change.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { GgufWriter } from "gguf-wasm/full";
import { dataOf, refused, streamed } from "../../support/new-files.mjs";

describe("a writer refuses", () => {
  const writer = new GgufWriter();
  writer.set("a", 1);
  writer.addTensor("t", { dimensions: [1], type: "F32", data: dataOf(4) });
  const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
  const unchanged = (/** @type {() => unknown} */ action, /** @type {string} */ code, message = /./) => {
    const before = writer.headerBytes();
    refused(action, code, message);
    assert.deepEqual(writer.headerBytes(), before);
  };

  test("options", () => {
    for (const version of [1, 4, 2.5, "3"])
      refused(() => new GgufWriter({ version: any(version) }), "unsupported-version");
    for (const alignment of [0, 4, 48]) refused(() => new GgufWriter({ alignment }), "bad-alignment");
    for (const alignment of [-8, 2.5, 2 ** 32, "32"]) {
      refused(() => new GgufWriter({ alignment: any(alignment) }), "does-not-fit");
    }
    refused(() => new GgufWriter({ byteOrder: any("middle") }), "invalid-argument");
    for (const none of [undefined, null, 1, {}]) assert.equal(new GgufWriter(any(none)).size, 24);
  });

  test("entries", () => {
    unchanged(() => writer.set("", 1), "bad-key");
    unchanged(() => writer.set("k".repeat(65_536), 1), "bad-key");
    unchanged(() => writer.set(any(1), 1), "invalid-argument");
    unchanged(() => writer.set("b", any(undefined)), "does-not-fit");
    unchanged(() => writer.set("b", 1.5, "UINT32"), "does-not-fit", /"b": 1.5 does not fit UINT32/);
    unchanged(() => writer.set("b", [1, "2"], "INT32[]"), "does-not-fit", /"b", element 1: "2" does not fit INT32/);
    unchanged(() => writer.set("b", 1, any("UINT128")), "invalid-argument", /UINT128/);
    unchanged(() => writer.set("general.alignment", 48), "bad-alignment", /48/);
  });

  test("tensors", () => {
    const add = (/** @type {string} */ name, /** @type {unknown} */ tensor) => () =>
      writer.addTensor(name, any(tensor));
    unchanged(add("t", { dimensions: [1], type: "F32" }), "name-taken", /"t"/);
    unchanged(add("n".repeat(64), { dimensions: [1], type: "F32" }), "bad-name");
    unchanged(add("u", { dimensions: [1], type: "F33" }), "unknown-type");
    unchanged(add("u", { dimensions: [32], type: 4 }), "unknown-type");
    unchanged(add("u", { dimensions: [1], type: 137 }), "unknown-type");
    unchanged(add("u", { dimensions: [33], type: "Q8_0" }), "does-not-fit", /"u": a row has 33 elements/);
    unchanged(add("u", { dimensions: [1, 1, 1, 1, 1], type: "F32" }), "limit-exceeded");
    unchanged(add("u", { dimensions: [2 ** 52], type: "F32" }), "limit-exceeded", /"u"/);
    unchanged(add("u", { dimensions: [2 ** 40, 2 ** 40], type: "F32" }), "limit-exceeded", /"u"/);
    for (const extent of [-1, 1.5, 2 ** 53, NaN, "1", 1n]) {
      unchanged(add("u", { dimensions: [extent], type: "F32" }), "out-of-range");
    }
    for (const tensor of [undefined, 1, {}, { type: "F32" }, { dimensions: 1, type: "F32" }]) {
      unchanged(
        add("u", tensor),
        any(tensor)?.type || typeof tensor !== "object" ? "invalid-argument" : "unknown-type",
      );
    }
    const data = (/** @type {unknown} */ data) => add("u", { dimensions: [1], type: "F32", data });
    unchanged(data(dataOf(5)), "does-not-fit", /"u" has 5 bytes, expected 4 bytes/);
    unchanged(data(new Blob(["abc"])), "does-not-fit", /"u" has 3 bytes, expected 4 bytes/);
    for (const none of [null, 1, "abcd", [1, 2, 3, 4], {}]) unchanged(data(none), "invalid-argument", /"u"/);
    const thrown = new Error("mine");
    assert.throws(
      add("u", {
        dimensions: [1],
        get type() {
          throw thrown;
        },
      }),
      thrown,
    );
  });

  test("missing or wrong data", async () => {
    const late = async (/** @type {unknown} */ data) => {
      const writer = new GgufWriter();
      writer.addTensor("u", { dimensions: [1], type: "F32", data: any(data) });
      return await streamed(writer);
    };
    const missing = new GgufWriter();
    missing.addTensor("u", { dimensions: [1], type: "F32" });
    refused(() => missing.toBlob(), "truncated", /"u"/);
    refused(() => missing.stream(), "truncated", /"u"/);
    const lazy = new GgufWriter();
    lazy.addTensor("u", { dimensions: [1], type: "F32", data: () => dataOf(4) });
    refused(() => lazy.toBlob(), "invalid-argument", /"u"/);
    await assert.rejects(
      late(() => dataOf(3)),
      { code: "does-not-fit" },
    );
    await assert.rejects(
      late(() => 1),
      { code: "invalid-argument" },
    );
    const thrown = new Error("mine");
    await assert.rejects(
      late(() => Promise.reject(thrown)),
      thrown,
    );
    await assert.rejects(
      late(() => {
        throw thrown;
      }),
      thrown,
    );

    const buffer = new ArrayBuffer(4);
    const gone = new GgufWriter();
    gone.addTensor("u", { dimensions: [1], type: "F32", data: buffer });
    structuredClone(buffer, { transfer: [buffer] });
    refused(() => gone.toBlob(), "invalid-argument", /"u"/);
    refused(() => gone.stream(), "invalid-argument", /"u"/);
  });

  test("a writer that is already in use", () => {
    const writer = new GgufWriter();
    const recursive = {
      dimensions: [1],
      get type() {
        writer.set("inner", 1);
        return "F32";
      },
    };
    assert.throws(() => writer.addTensor("t", recursive), { name: "GgufError", code: "busy" });
    writer.addTensor("t", { dimensions: [1], type: "F32" });
    assert.equal(writer.tensors.length, 1);
    writer.free();
    assert.throws(() => writer.size, { name: "GgufError", code: "freed" });
  });
});
