// The kernels compiled to WebAssembly: scalar, simd128 and ggml give the same bits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ggmlTypes } from "gguf-wasm";
import { generator } from "../../support/chance.mjs";
import { differencesBetween, differencesFromGolden } from "../../support/kernel-checks.mjs";
import { golden, kernels } from "../../support/kernels.mjs";

const [scalar, simd128] = [await kernels("scalar"), await kernels("simd128")];

for (const type of ggmlTypes().filter((type) => type.blockSize > 0)) {
  test(`${type.name}: scalar and simd128 give the bits of ggml, and equal bits for random blocks`, async () => {
    assert.deepEqual(differencesFromGolden({ scalar, simd128 }, type, await golden(type.name)), []);
    const seed = Math.floor(Math.random() * 2 ** 32);
    assert.deepEqual(differencesBetween(scalar, simd128, type, generator(seed)), [], `seed ${seed}`);
  });
}
