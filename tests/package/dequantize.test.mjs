// `dequantize`: ggml's floats through the package, and what it says of what it cannot take.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { describe, test } from "node:test";
import { dequantize, ggmlTypes } from "gguf-wasm";
import { firstDifference } from "../support/kernels.mjs";

const GOLDEN = new URL("../fixtures/golden/", import.meta.url);
const files = (await readdir(GOLDEN)).filter((file) => file.endsWith(".blocks.bin"));

/** @param {Float32Array} floats */
const bits = (floats) => new Uint32Array(floats.buffer, floats.byteOffset, floats.length);

/** @param {string} file */
async function golden(file) {
  const [name = ""] = file.split(".");
  const blocks = new Uint8Array(await readFile(new URL(file, GOLDEN)));
  const floats = new Uint8Array(await readFile(new URL(file.replace(".blocks.", ".f32."), GOLDEN)));
  return { name, blocks, expected: new Uint32Array(floats.buffer) };
}

describe("dequantize", () => {
  for (const file of files) {
    test(file, async () => {
      const { name, blocks, expected } = await golden(file);
      assert.equal(firstDifference(bits(dequantize(name, blocks)), expected), -1);
    });
  }

  test("takes the number of a type, and a part of a buffer", async () => {
    const { name, blocks, expected } = await golden("Q4_K.random.blocks.bin");
    const id = ggmlTypes().find((type) => type.name === name)?.id ?? -1;
    const padded = new Uint8Array(blocks.length + 3);
    padded.set(blocks, 3);
    assert.equal(firstDifference(bits(dequantize(id, padded.subarray(3))), expected), -1);
  });

  test("fills what it is given from its beginning, and gives that back", async () => {
    const { blocks, expected } = await golden("Q8_0.random.blocks.bin");
    const buffer = new Float32Array(expected.length + 20).fill(5);
    const out = buffer.subarray(10);
    assert.equal(dequantize("Q8_0", blocks, out), out);
    assert.equal(firstDifference(bits(out.subarray(0, expected.length)), expected), -1);
    assert.deepEqual([...buffer.subarray(0, 10), ...buffer.subarray(-10)], Array(20).fill(5));
  });

  test("many blocks, and none", async () => {
    const { blocks, expected } = await golden("Q6_K.random.blocks.bin");
    const many = Buffer.concat(Array.from({ length: 50 }, () => blocks));
    const floats = bits(dequantize("Q6_K", many));
    for (let i = 0; i < 50; i++) {
      assert.equal(firstDifference(floats.subarray(i * expected.length, (i + 1) * expected.length), expected), -1);
    }
    assert.equal(dequantize("Q6_K", new Uint8Array()).length, 0);
  });

  test("what is not whole, unknown or too short", () => {
    const refused = (/** @type {() => unknown} */ call, /** @type {object} */ expected) =>
      assert.throws(call, { name: "GgufError", ...expected });
    const code = "invalid-argument";
    refused(() => dequantize("Q4_0", new Uint8Array(19)), {
      code,
      message: "Q4_0: 19 bytes are not whole blocks of 18 bytes",
    });
    refused(() => dequantize("Q4_0", new Uint8Array(36), new Float32Array(63)), {
      code,
      message: "Q4_0: the blocks hold 64 elements, and out has room for 63",
    });
    const wrong = /** @type {any} */ (dequantize);
    refused(() => wrong("Q4_0", [1, 2, 3]), { code, message: "Q4_0: the blocks are not bytes" });
    refused(() => wrong("Q4_0", new Uint8Array(18), new Float64Array(32)), { code });
    for (const type of ["Q4_2", "q4_0", "", "constructor", 4, 43, -1, 0.5, 2 ** 32, NaN, null, undefined, {}]) {
      refused(() => wrong(type, new Uint8Array(18)), { code: "unknown-type" });
    }
    const moved = new Uint8Array(18);
    structuredClone(moved, { transfer: [moved.buffer] });
    refused(() => dequantize("Q4_0", moved), { code });
    const out = new Float32Array(32);
    structuredClone(out, { transfer: [out.buffer] });
    refused(() => dequantize("Q4_0", new Uint8Array(18), out), { code });
  });
});
