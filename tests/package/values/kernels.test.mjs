// The kernels as WebAssembly: scalar ≡ simd128 ≡ ggml's own floats, as bits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ggmlTypes } from "gguf-wasm";
import { generator } from "../../support/chance.mjs";
import { differFromEachOther, differFromGolden } from "../../support/kernel-checks.mjs";
import { golden, kernels } from "../../support/kernels.mjs";

const [scalar, simd128] = [await kernels("scalar"), await kernels("simd128")];

for (const type of ggmlTypes().filter((type) => type.blockSize > 0)) {
  test(`${type.name}: the floats of ggml, and the same of any blocks`, async () => {
    assert.deepEqual(differFromGolden({ scalar, simd128 }, type, await golden(type.name)), []);
    const seed = Math.floor(Math.random() * 2 ** 32);
    assert.deepEqual(differFromEachOther(scalar, simd128, type, generator(seed)), [], `seed ${seed}`);
  });
}
