// New files: whichever way they are written, they are what was asked for.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gguf as peer } from "@huggingface/gguf";
import { Gguf, GgufWriter } from "gguf-wasm";

/** @typedef {import("gguf-wasm").NewTensor & { name: string }} NamedTensor */

function bytes(/** @type {number} */ length, seed = 1) {
  const made = new Uint8Array(length);
  for (let index = 0; index < length; index++) made[index] = index * 31 + seed;
  return made;
}

/** @param {Blob | Response} whole */
const read = async (whole) => new Uint8Array(await whole.arrayBuffer());

/** @param {GgufWriter} writer */
const streamed = (writer) => read(new Response(writer.stream()));

/**
 * @param {GgufWriter} writer
 * @param {Uint8Array[]} data
 */
function metadataFirst(writer, data) {
  const file = new Uint8Array(writer.size);
  file.set(writer.headerBytes());
  for (const { index, fileOffset, byteLength } of writer.tensors) {
    const own = data[index] ?? new Uint8Array();
    assert.equal(own.length, byteLength);
    file.set(own, fileOffset);
  }
  return file;
}

/** @param {Uint8Array<ArrayBuffer>} file */
async function viaPeer(file) {
  /** @type {typeof fetch} */
  const serve = async (_, init) => {
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
    return new Response(file.slice(Number(start), Number(end) + 1), { status: 206 });
  };
  return await peer("https://example.com/model.gguf", { fetch: serve });
}

/**
 * @param {() => unknown} action
 * @param {string} code
 * @param {RegExp} message
 */
function refused(action, code, message = /./) {
  assert.throws(action, { name: "GgufError", code, message });
}

/** @type {[string, import("gguf-wasm").NewValue, import("gguf-wasm").NewType | undefined, string, unknown][]} */
const VALUES = [
  ["u8", 255, "UINT8", "UINT8", 255],
  ["i8", -128, "INT8", "INT8", -128],
  ["u16", 65_535, "UINT16", "UINT16", 65_535],
  ["i16", -32_768, "INT16", "INT16", -32_768],
  ["u32", 4_294_967_295, undefined, "UINT32", 4_294_967_295],
  ["i32", -1, undefined, "INT32", -1],
  ["u64", 2n ** 64n - 1n, undefined, "UINT64", 2n ** 64n - 1n],
  ["i64", -(2n ** 63n), undefined, "INT64", -(2n ** 63n)],
  ["f32", 0.5, "FLOAT32", "FLOAT32", 0.5],
  ["f64", 0.1, "FLOAT64", "FLOAT64", 0.1],
  ["bool", true, undefined, "BOOL", true],
  ["string", "Größe 😀", undefined, "STRING", "Größe 😀"],
  ["empty", "", undefined, "STRING", ""],
  ["__proto__", "harmless", undefined, "STRING", "harmless"],
  ["strings", ["<s>", "", "</s>"], undefined, "ARRAY", ["<s>", "", "</s>"]],
  ["no strings", [], "STRING[]", "ARRAY", []],
  ["floats", new Float32Array([0.5, -1]), undefined, "ARRAY", [0.5, -1]],
  ["bytes", Uint8Array.of(1, 2), undefined, "ARRAY", [1, 2]],
  ["flags", [true, false], undefined, "ARRAY", [true, false]],
  ["integers", [1, 2, 300], "UINT16[]", "ARRAY", [1, 2, 300]],
];

/** @param {import("gguf-wasm").MetadataValue | undefined} value */
const plain = (value) => (typeof value === "object" ? value.toArray() : value);

describe("the three ways", () => {
  const data = [bytes(16), bytes(2 * 144, 7), bytes(3, 9)];
  /** @type {NamedTensor[]} */
  const tensors = [
    { name: "output_norm.weight", dimensions: [4], type: "F32" },
    { name: "output.weight", dimensions: [256, 2], type: 12 },
    { name: "scalars", dimensions: [3, 1], type: "I8" },
  ];
  const made = (/** @type {(index: number) => import("gguf-wasm").TensorData | undefined} */ given) => {
    const writer = new GgufWriter({ alignment: 64 });
    for (const [key, value, type] of VALUES) writer.set(key, value, type);
    for (const [index, { name, dimensions, type }] of tensors.entries()) {
      const data = given(index);
      writer.addTensor(name, data === undefined ? { dimensions, type } : { dimensions, type, data });
    }
    return writer;
  };
  const whole = metadataFirst(
    made(() => undefined),
    data,
  );

  test("metadata first: what comes out is what was asked for", async () => {
    const gguf = await Gguf.open(whole);
    assert.equal(gguf.alignment, 64);
    assert.deepEqual([...gguf.metadata.keys()], ["general.alignment", ...VALUES.map(([key]) => key)]);
    for (const [key, , , type, expected] of VALUES) {
      assert.equal(gguf.entries.find((entry) => entry.key === key)?.type, type, key);
      assert.deepEqual(plain(gguf.metadata.get(key)), expected, key);
    }
    const writer = made(() => undefined);
    assert.deepEqual(writer.tensors, gguf.tensors);
    assert.equal(writer.tensors, writer.tensors);
    assert.deepEqual([writer.headerSize, writer.dataOffset], [gguf.headerSize, gguf.dataOffset]);
    assert.equal(writer.size, gguf.fileSize);
    for (const [index, tensor] of gguf.tensors.entries()) assert.deepEqual(await gguf.readBytes(tensor), data[index]);
  });

  test("all at once, of bytes, buffers, views, Blobs and what functions give", async () => {
    const given = [
      (/** @type {number} */ index) => data[index],
      (/** @type {number} */ index) => data[index]?.slice().buffer,
      (/** @type {number} */ index) => new DataView(/** @type {ArrayBuffer} */ (data[index]?.slice().buffer)),
      (/** @type {number} */ index) => new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (data[index])]),
    ];
    for (const give of given) {
      const writer = made(give);
      assert.deepEqual(await read(writer.toBlob()), whole);
      assert.deepEqual(await streamed(writer), whole);
      assert.deepEqual(await streamed(made((index) => () => /** @type {any} */ (give(index)))), whole);
      assert.deepEqual(
        await streamed(made((index) => async () => async () => /** @type {any} */ (give(index)))),
        whole,
      );
    }
    const shared = made((index) => {
      const copy = new Uint8Array(new SharedArrayBuffer(data[index]?.length ?? 0));
      copy.set(data[index] ?? []);
      return copy;
    });
    assert.deepEqual(await read(shared.toBlob()), whole);
    assert.deepEqual(await streamed(shared), whole);
  });

  test("data first: space is reserved, the metadata comes last", async () => {
    const writer = made(() => undefined);
    writer.set("u64", 0n);
    writer.set("f32", 0);
    writer.set("string", "x".repeat(12));
    writer.reserve();
    const { dataOffset } = writer;
    const file = new Uint8Array(writer.size);
    for (const { index, fileOffset } of writer.tensors) file.set(data[index] ?? [], fileOffset);
    writer.set("u64", 2n ** 64n - 1n);
    writer.set("f32", 0.5);
    writer.set("string", "Größe 😀");
    file.set(writer.headerBytes());
    assert.equal(writer.dataOffset, dataOffset);
    assert.deepEqual(file, whole);

    const before = writer.headerBytes();
    const long = "x".repeat(200);
    refused(() => writer.set("string", long), "no-room", /"string": the data is fixed at offset \d+/);
    refused(() => writer.set("another", long), "no-room", /"another"/);
    refused(() => writer.addTensor("t", { dimensions: Array(4).fill(1), type: "F32" }), "no-room", /"t"/);
    refused(() => writer.set("general.alignment", 128), "no-room", /alignment 64.*alignment 128/);
    assert.deepEqual(writer.headerBytes(), before);
  });

  test("@huggingface/gguf reads it", async () => {
    const { metadata, tensorInfos } = await viaPeer(whole);
    for (const [key, , , , expected] of VALUES.filter(([key]) => key !== "__proto__")) {
      assert.deepEqual(/** @type {Record<string, unknown>} */ (metadata)[key], expected, key);
    }
    const gguf = await Gguf.open(whole);
    assert.deepEqual(
      tensorInfos.map(({ name, shape, dtype, offset }) => [name, shape.map(Number), dtype, Number(offset)]),
      gguf.tensors.map(({ name, dimensions, typeId, offset }) => [name, dimensions, typeId, offset]),
    );
  });
});

test("version 2 and big-endian files", async () => {
  for (const version of /** @type {const} */ ([2, 3])) {
    for (const byteOrder of /** @type {const} */ (["little-endian", "big-endian"])) {
      const writer = new GgufWriter({ version, byteOrder });
      for (const [key, value, type] of VALUES) writer.set(key, value, type);
      const data = new Uint8Array(4);
      new DataView(data.buffer).setFloat32(0, 1.5, byteOrder === "little-endian");
      writer.addTensor("t", { dimensions: [1], type: "F32", data });
      const gguf = await Gguf.open(writer.toBlob());
      assert.deepEqual([gguf.version, gguf.byteOrder], [version, byteOrder]);
      for (const [key, , , , expected] of VALUES) assert.deepEqual(plain(gguf.metadata.get(key)), expected, key);
      assert.deepEqual([...(await gguf.read("t"))], [1.5]);
    }
  }
});

test("a value keeps its type until another is named", async () => {
  const writer = new GgufWriter();
  writer.set("n", 1, "UINT8");
  writer.set("n", 2);
  refused(() => writer.set("n", 256), "does-not-fit", /"n": 256 does not fit UINT8/);
  const types = async () => (await Gguf.open(writer.headerBytes())).entries.map(({ type, value }) => [type, value]);
  assert.deepEqual(await types(), [["UINT8", 2]]);
  writer.set("n", 3, "INT64");
  assert.deepEqual(await types(), [["INT64", 3n]]);
});

test("an array of another file is copied as it is", async () => {
  const first = new GgufWriter();
  first.set("tokens", ["a", "b"]);
  first.set("nested", [[1, 2], [3]], "INT32[][]");
  const { metadata } = await Gguf.open(first.headerBytes());
  const second = new GgufWriter({ byteOrder: "big-endian" });
  for (const [key, value] of metadata) second.set(key, value);
  const copy = await Gguf.open(second.headerBytes());
  assert.deepEqual(plain(copy.metadata.get("tokens")), ["a", "b"]);
  const nested = copy.metadata.get("nested");
  assert.ok(typeof nested === "object");
  assert.deepEqual(
    nested.toArray().map((row) => typeof row === "object" && row.toArray()),
    [[1, 2], [3]],
  );
});

test("files with no tensors, and tensors with no data", async () => {
  const writer = new GgufWriter();
  assert.deepEqual([writer.size, writer.headerSize, writer.dataOffset], [24, 24, 32]);
  assert.deepEqual(await streamed(writer), writer.headerBytes());
  assert.deepEqual(await read(writer.toBlob()), writer.headerBytes());
  writer.addTensor("none", { dimensions: [0, 2], type: "F32" });
  writer.addTensor("scalar", { dimensions: [], type: "F16", data: Uint8Array.of(0, 60) });
  writer.addTensor("last", { dimensions: [32, 0], type: "Q8_0" });
  const file = await read(writer.toBlob());
  assert.deepEqual(await streamed(writer), file);
  const gguf = await Gguf.open(file);
  assert.deepEqual(
    gguf.tensors.map(({ elementCount, offset }) => [elementCount, offset]),
    [
      [0, 0],
      [1, 0],
      [0, 32],
    ],
  );
  assert.deepEqual([...(await gguf.read("scalar"))], [1]);
});

test("data of many pieces is streamed in order, and progress reported", async () => {
  const data = bytes((9 << 20) + 5);
  for (const given of [data, new Blob([data]), () => new Blob([data])]) {
    const writer = new GgufWriter();
    writer.addTensor("t", { dimensions: [data.length], type: "I8", data: given });
    writer.addTensor("u", { dimensions: [32], type: "I8", data: bytes(32, 5) });
    /** @type {number[]} */
    const written = [];
    const onProgress = (/** @type {import("gguf-wasm").WriteProgress} */ { bytesWritten, totalBytes }) => {
      assert.equal(totalBytes, writer.size);
      written.push(bytesWritten);
    };
    const file = await read(new Response(writer.stream({ onProgress })));
    assert.equal(Buffer.compare(file, metadataFirst(writer, [data, bytes(32, 5)])), 0);
    assert.equal(written.at(-1), writer.size);
    assert.deepEqual(
      written.toSorted((a, b) => a - b),
      written,
    );
    assert.ok(written.length >= 5);
  }
});

test("functions are called when it is their turn, and only then", async () => {
  /** @type {string[]} */
  const called = [];
  const writer = new GgufWriter();
  for (const name of ["a", "b"]) {
    const data = async () => {
      called.push(name);
      return bytes(8 << 20);
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

test("a stream is aborted with the signal's reason, also while a function is waited for", async () => {
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

describe("what is refused", () => {
  const writer = new GgufWriter();
  writer.set("a", 1);
  writer.addTensor("t", { dimensions: [1], type: "F32", data: bytes(4) });
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
    unchanged(data(bytes(5)), "does-not-fit", /"u" has 4 bytes, its data 5/);
    unchanged(data(new Blob(["abc"])), "does-not-fit", /"u" has 4 bytes, its data 3/);
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

  test("data that is not there, or not what it has to be", async () => {
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
    lazy.addTensor("u", { dimensions: [1], type: "F32", data: () => bytes(4) });
    refused(() => lazy.toBlob(), "invalid-argument", /"u"/);
    await assert.rejects(
      late(() => bytes(3)),
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

  test("a writer that is used while it is used", () => {
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
