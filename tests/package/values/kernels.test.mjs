// The kernels compiled to WebAssembly: scalar, simd128 and ggml give the same bits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ggmlTypes } from "gguf-wasm/full";
import { generator } from "../../support/chance.mjs";
import {
  differencesBetween,
  differencesFromGolden,
  elementBits,
  firstDifference,
} from "../../support/kernel-checks.mjs";
import { golden, kernels } from "../../support/kernels.mjs";

const [scalar, simd128] = [await kernels("scalar"), await kernels("simd128")];

for (const type of ggmlTypes().filter((type) => type.blockSize > 0)) {
  test(`${type.name}: scalar and simd128 give the bits of ggml, and equal bits for random blocks`, async () => {
    assert.deepEqual(differencesFromGolden({ scalar, simd128 }, type, await golden(type.name)), []);
    const seed = Math.floor(Math.random() * 2 ** 32);
    assert.deepEqual(differencesBetween(scalar, simd128, type, generator(seed)), [], `seed ${seed}`);
  });
}

for (const name of ["F16", "Q4_0", "Q8_0"]) {
  test(`${name}: scalar and simd128 convert every f16 to equal bits`, () => {
    const type = ggmlTypes().find((type) => type.name === name);
    assert.ok(type);
    // The f16 is the number, or the scale at the start of a block whose quants are not zero.
    const blocks = new Uint8Array(2 ** 16 * type.typeSize).fill(1);
    const view = new DataView(blocks.buffer);
    for (let bits = 0; bits < 2 ** 16; bits += 1) view.setUint16(bits * type.typeSize, bits, true);
    assert.equal(firstDifference(elementBits(simd128, type, blocks), elementBits(scalar, type, blocks)), -1);
  });
}
