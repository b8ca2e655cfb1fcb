// New files contain the given entries and tensors, in each of the three ways to write them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gguf as peer } from "@huggingface/gguf";
import { Gguf, GgufWriter } from "gguf-wasm/full";
import { bytesOf, dataOf, metadataFirst, refused, streamed } from "../../support/new-files.mjs";

/** @typedef {import("gguf-wasm/full").NewTensor & { name: string }} NamedTensor */

/** @param {Uint8Array<ArrayBuffer>} file */
async function viaPeer(file) {
  /** @type {typeof fetch} */
  const serve = async (_, init) => {
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
    return new Response(file.slice(Number(start), Number(end) + 1), { status: 206 });
  };
  return await peer("https://example.com/model.gguf", { fetch: serve });
}

/** @type {[string, import("gguf-wasm/full").NewValue, import("gguf-wasm/full").NewType | undefined, string, unknown][]} */
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

/** @param {import("gguf-wasm/full").MetadataValue | undefined} value */
const plain = (value) => (typeof value === "object" ? value.toArray() : value);

describe("the three ways", () => {
  const data = [dataOf(16), dataOf(2 * 144, 7), dataOf(3, 9)];
  /** @type {NamedTensor[]} */
  const tensors = [
    { name: "output_norm.weight", dimensions: [4], type: "F32" },
    { name: "output.weight", dimensions: [256, 2], type: 12 },
    { name: "scalars", dimensions: [3, 1], type: "I8" },
  ];
  const made = (/** @type {(index: number) => import("gguf-wasm/full").TensorData | undefined} */ given) => {
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

  test("metadata first: the file contains the given entries and tensors", async () => {
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

  test("all at once, from bytes, buffers, views, Blobs and functions", async () => {
    const given = [
      (/** @type {number} */ index) => data[index],
      (/** @type {number} */ index) => data[index]?.slice().buffer,
      (/** @type {number} */ index) => new DataView(/** @type {ArrayBuffer} */ (data[index]?.slice().buffer)),
      (/** @type {number} */ index) => new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (data[index])]),
    ];
    for (const give of given) {
      const writer = made(give);
      assert.deepEqual(await bytesOf(writer.toBlob()), whole);
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
    assert.deepEqual(await bytesOf(shared.toBlob()), whole);
    assert.deepEqual(await streamed(shared), whole);
  });

  test("data first: space is reserved, and the metadata is written last", async () => {
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

test("a value keeps its type unless another is given", async () => {
  const writer = new GgufWriter();
  writer.set("n", 1, "UINT8");
  writer.set("n", 2);
  refused(() => writer.set("n", 256), "does-not-fit", /"n": 256 does not fit UINT8/);
  const types = async () => (await Gguf.open(writer.headerBytes())).entries.map(({ type, value }) => [type, value]);
  assert.deepEqual(await types(), [["UINT8", 2]]);
  writer.set("n", 3, "INT64");
  assert.deepEqual(await types(), [["INT64", 3n]]);
});

test("the findings are those of the file as it is", () => {
  const writer = new GgufWriter();
  const codes = () => writer.findings.filter(({ severity }) => severity === "error").map(({ code }) => code);
  writer.set("general.architecture", "llama");
  writer.set("tokenizer.ggml.model", "llama");
  writer.set("tokenizer.ggml.tokens", ["a", "a"]);
  assert.ok(codes().includes("duplicate-token"));
  writer.set("tokenizer.ggml.tokens", ["a", "b"]);
  assert.ok(!codes().includes("duplicate-token"));
});

test("an array of another file is copied unchanged", async () => {
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

test("files without tensors, and tensors without data", async () => {
  const writer = new GgufWriter();
  assert.deepEqual([writer.size, writer.headerSize, writer.dataOffset], [24, 24, 32]);
  assert.deepEqual(await streamed(writer), writer.headerBytes());
  assert.deepEqual(await bytesOf(writer.toBlob()), writer.headerBytes());
  writer.addTensor("none", { dimensions: [0, 2], type: "F32" });
  writer.addTensor("scalar", { dimensions: [], type: "F16", data: Uint8Array.of(0, 60) });
  writer.addTensor("last", { dimensions: [32, 0], type: "Q8_0" });
  const file = await bytesOf(writer.toBlob());
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
