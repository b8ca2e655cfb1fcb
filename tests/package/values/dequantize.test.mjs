// `dequantize`: the same bits as ggml, and errors for invalid arguments.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dequantize, ggmlTypes } from "gguf-wasm/full";
import { firstDifference } from "../../support/kernel-checks.mjs";
import { golden } from "../../support/kernels.mjs";

const types = ggmlTypes().filter((type) => type.blockSize > 0);

/** @param {Float32Array} floats */
const bits = (floats) => new Uint32Array(floats.buffer, floats.byteOffset, floats.length);

/** The golden blocks of one kind. @param {string} name @param {string} kind */
async function goldenOf(name, kind) {
  const found = (await golden(name)).find((golden) => golden.name === `${name}.${kind}.blocks.bin`);
  assert.ok(found);
  return found;
}

describe("dequantize", () => {
  for (const { name } of types) {
    test(`${name}: the bits of ggml`, async () => {
      for (const { name: file, blocks, elements } of await golden(name)) {
        assert.equal(firstDifference(bits(dequantize(name, blocks)), elements), -1, file);
      }
    });
  }

  test("accepts the number of a type, and a part of a buffer", async () => {
    const { blocks, elements } = await goldenOf("Q4_K", "random");
    const id = types.find((type) => type.name === "Q4_K")?.id ?? -1;
    const padded = new Uint8Array(blocks.length + 3);
    padded.set(blocks, 3);
    assert.equal(firstDifference(bits(dequantize(id, padded.subarray(3))), elements), -1);
  });

  test("fills the given array from its start, and returns that part", async () => {
    const { blocks, elements } = await goldenOf("Q8_0", "random");
    const buffer = new Float32Array(elements.length + 20).fill(5);
    const out = buffer.subarray(10);
    assert.equal(dequantize("Q8_0", blocks, out), out);
    assert.equal(firstDifference(bits(out.subarray(0, elements.length)), elements), -1);
    assert.deepEqual([...buffer.subarray(0, 10), ...buffer.subarray(-10)], Array(20).fill(5));
  });

  test("many blocks, and no blocks", async () => {
    const { blocks, elements } = await goldenOf("Q6_K", "random");
    const many = bits(dequantize("Q6_K", Buffer.concat(Array.from({ length: 50 }, () => blocks))));
    for (let i = 0; i < 50; i++) {
      assert.equal(firstDifference(many.subarray(i * elements.length, (i + 1) * elements.length), elements), -1);
    }
    assert.equal(dequantize("Q6_K", new Uint8Array()).length, 0);
  });

  test("incomplete blocks, unknown types and arrays that are too short", () => {
    const refused = (/** @type {() => unknown} */ call, /** @type {object} */ expected) =>
      assert.throws(call, { name: "GgufError", ...expected });
    const code = "invalid-argument";
    refused(() => dequantize("Q4_0", new Uint8Array(19)), {
      code,
      message: "the blocks of type Q4_0 cannot be dequantized: they have 19 bytes, expected a multiple of 18",
    });
    refused(() => dequantize("Q4_0", new Uint8Array(36), new Float32Array(63)), {
      code,
      message:
        "the blocks of type Q4_0 cannot be dequantized: they hold 64 elements, but the argument out has room for 63",
    });
    const wrong = /** @type {any} */ (dequantize);
    refused(() => wrong("Q4_0", [1, 2, 3]), {
      code,
      message: "the blocks of type Q4_0 cannot be dequantized: they are given as an array, expected a Uint8Array",
    });
    refused(() => wrong("Q4_0", new Uint8Array(18), new Float64Array(32)), { code });
    for (const type of ["Q4_2", "q4_0", "", "constructor", 4, 2 ** 31, -1, 0.5, 2 ** 32, NaN, null, undefined, {}]) {
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
