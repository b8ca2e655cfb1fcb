// `read`: the same floats from any source, for any range of elements, in both byte orders.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf, dequantize, ggmlTypes } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { generator } from "../../support/chance.mjs";
import { serveFile } from "../../support/file-server.mjs";
import { LAYOUTS, layoutOf } from "../../support/ggml-layout.mjs";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { firstDifference } from "../../support/kernel-checks.mjs";
import { virtualFile } from "../../support/virtual-file.mjs";

const TYPES = ggmlTypes().filter((type) => type.blockSize > 0);
const BLOCKS = 5;
const random = generator(7);
const tensors = TYPES.map((type) => ({
  name: type.name,
  dimensions: [type.blockSize * BLOCKS],
  type: type.id,
  bytes: type.typeSize * BLOCKS,
  data: Uint8Array.from({ length: type.typeSize * BLOCKS }, () => random() * 256),
}));

/** @param {boolean} bigEndian */
async function model(bigEndian) {
  const file = ggufBytes([], [...tensors, { name: "strange", dimensions: [64], type: 137, bytes: 96 }], 3, bigEndian);
  const gguf = await Gguf.open(file);
  for (const { name, type, data } of tensors) {
    const stored = bigEndian ? layoutOf(type)?.swapped(data) : data;
    assert.ok(stored, `${name} has no row in ggml-layout.mjs`);
    file.set(stored, gguf.tensor(name)?.fileOffset);
  }
  return file;
}

const [little, big] = [await model(false), await model(true)];
/** @param {Float32Array} floats */
const bits = (floats) => new Uint32Array(floats.buffer, floats.byteOffset, floats.length);

test("the types have the names and the sizes of ggml's structs", () => {
  assert.deepEqual(
    TYPES.map(({ id, name, blockSize, typeSize }) => ({ id, name, blockSize, typeSize })),
    LAYOUTS.map(({ id, name, blockSize, typeSize }) => ({ id, name, blockSize, typeSize })),
  );
});

describe("read", () => {
  for (const [order, file] of Object.entries({ "little-endian": little, "big-endian": big })) {
    test(`any elements of any type, ${order}, by URL, Blob and bytes`, async (t) => {
      const { url } = await serveFile(t, file);
      for (const source of [url, new Blob([file]), file]) {
        const gguf = await Gguf.open(source);
        assert.equal(gguf.byteOrder, order);
        for (const { name, data, dimensions } of tensors) {
          const all = bits(dequantize(name, data));
          const [count = 0] = dimensions;
          assert.equal(firstDifference(bits(await gguf.read(name)), all), -1, name);
          for (let round = 0; round < 4; round++) {
            const [a, b] = [Math.floor(random() * (count + 1)), Math.floor(random() * (count + 1))];
            const [start, end] = [Math.min(a, b), Math.max(a, b)];
            const part = bits(await gguf.read(name, { start, end }));
            assert.equal(firstDifference(part, all.subarray(start, end)), -1, `${name} ${start}..${end}`);
          }
        }
      }
    });
  }

  test("requests only the blocks that contain the elements", async (t) => {
    const { url, requests } = await serveFile(t, little);
    const gguf = await Gguf.open(url, { header: await (await Gguf.open(little)).headerBytes() });
    const { fileOffset = 0 } = gguf.tensor("Q4_K") ?? {};
    const floats = await gguf.read("Q4_K", { start: 300, end: 600 });
    assert.equal(floats.length, 300);
    assert.deepEqual(
      requests.map((request) => request.range),
      [`bytes=${fileOffset + 144}-${fileOffset + 3 * 144 - 1}`],
    );
    assert.equal((await gguf.read("Q4_K", { start: 300, end: 300 })).length, 0);
    assert.equal(requests.length, 1);
  });

  test("more elements than one step reads", async () => {
    const byte = (/** @type {number} */ at) => (at * 7 + (at >> 9)) & 255;
    const { source, dataOffset } = virtualFile({ type: 24, dimensions: [4096, 4096], bytes: 2 ** 24, byte });
    const gguf = await Gguf.open(source);
    assert.equal(gguf.dataOffset, dataOffset);
    const start = 12_345;
    const floats = await gguf.read("large", { start, end: start + 10_000_000 });
    assert.equal(
      floats.findIndex((float, i) => float !== (byte(start + i) << 24) >> 24),
      -1,
    );
  });

  test("as doubles and as integers, without rounding", async () => {
    const file = ggufBytes(
      [],
      [
        { name: "I64", dimensions: [3], type: 27, bytes: 24 },
        { name: "F64", dimensions: [3], type: 28, bytes: 24 },
        { name: "I32", dimensions: [2], type: 26, bytes: 8 },
        { name: "I8", dimensions: [2], type: 24, bytes: 2 },
        { name: "F16", dimensions: [2], type: 1, bytes: 4 },
      ],
    );
    const gguf = await Gguf.open(file);
    const at = (/** @type {string} */ name) => gguf.tensor(name)?.fileOffset ?? 0;
    const data = new DataView(file.buffer);
    const integers = [2n ** 63n - 1n, -(2n ** 53n) - 1n, -1n];
    integers.forEach((value, i) => data.setBigInt64(at("I64") + 8 * i, value, true));
    const doubles = [Math.PI, -5e-324, 1e300];
    doubles.forEach((value, i) => data.setFloat64(at("F64") + 8 * i, value, true));
    [2 ** 31 - 1, -(2 ** 24) - 1].forEach((value, i) => data.setInt32(at("I32") + 4 * i, value, true));
    file.set([127, 128], at("I8"));
    file.set([1, 0, 0, 0x3c], at("F16"));

    assert.deepEqual(await gguf.read("I64", { as: "bigint64" }), BigInt64Array.from(integers));
    assert.deepEqual(await gguf.read("I64", { as: "bigint64", start: 1, end: 2 }), BigInt64Array.of(-(2n ** 53n) - 1n));
    assert.deepEqual(await gguf.read("I64", { as: "float64" }), Float64Array.from(integers, Number));
    assert.deepEqual(await gguf.read("F64", { as: "float64" }), Float64Array.from(doubles));
    assert.deepEqual(await gguf.read("F64"), Float32Array.from(doubles));
    assert.deepEqual(await gguf.read("I32", { as: "float64" }), Float64Array.of(2 ** 31 - 1, -(2 ** 24) - 1));
    assert.deepEqual(await gguf.read("I32", { as: "bigint64" }), BigInt64Array.of(2n ** 31n - 1n, -(2n ** 24n) - 1n));
    assert.deepEqual(await gguf.read("I8", { as: "bigint64" }), BigInt64Array.of(127n, -128n));
    assert.deepEqual(await gguf.read("I8", { as: "float64" }), Float64Array.of(127, -128));
    assert.deepEqual(await gguf.read("F16", { as: "float64" }), Float64Array.of(2 ** -24, 1));
    assert.deepEqual(await gguf.read("F16", { as: "float32" }), Float32Array.of(2 ** -24, 1));
    await fails(gguf.read("F16", { as: "bigint64" }), { code: "invalid-argument" });
    await fails(gguf.read("F16", { as: /** @type {any} */ ("float16") }), { code: "invalid-argument" });
  });

  test("ranges and tensors that do not exist", async () => {
    const gguf = await Gguf.open(little);
    await fails(gguf.read("nothing"), { code: "unknown-tensor", message: /"nothing"/ });
    await fails(gguf.read("strange"), { code: "unknown-type", message: /"strange".*unknown\(137\)/ });
    await fails(gguf.preview("strange"), { code: "unknown-type", message: /"strange"/ });
    await fails(gguf.statistics("strange"), { code: "unknown-type", message: /"strange"/ });
    for (const range of [{ end: 1281 }, { start: -1 }, { start: 5, end: 4 }, { start: 0.5 }, { start: NaN }]) {
      await fails(gguf.read("Q4_K", range), { code: "out-of-range", message: /"Q4_K".*1280/ });
    }
    const rows = await Gguf.open(ggufBytes([], [{ name: "odd", dimensions: [100], type: 12, bytes: 144 }]));
    await fails(rows.read("odd"), { code: "unknown-type", message: /"odd".*whole blocks/ });
    const cut = await Gguf.open(little.subarray(0, little.length - 200));
    await fails(cut.read("Q2_0"), { code: "unexpected-eof", message: /"Q2_0"/ });
    const huge = virtualFile({ type: 42, dimensions: [2 ** 50], bytes: (2 ** 50 / 64) * 18 });
    await fails((await Gguf.open(huge.source)).read("large"), { code: "too-large" });
  });
});
