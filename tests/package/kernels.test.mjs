// The kernels as WebAssembly: scalar ≡ simd128 ≡ ggml's own floats, as bits.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { ggmlTypes } from "gguf-wasm";
import { generator } from "../support/chance.mjs";
import { firstDifference, kernels, toFloat } from "../support/kernels.mjs";

const GOLDEN = new URL("../fixtures/golden/", import.meta.url);
const TYPES = ggmlTypes().filter((type) => type.blockSize > 0);
const files = await readdir(GOLDEN);
const [scalar, simd128] = [await kernels("scalar"), await kernels("simd128")];

for (const type of TYPES) {
  const golden = files.filter((file) => file.startsWith(`${type.name}.`) && file.endsWith(".blocks.bin"));

  test(`${type.name}: the floats of ggml`, { skip: golden.length === 0 && "by rule: tests/numbers.rs" }, async () => {
    for (const file of golden) {
      const blocks = await readFile(new URL(file, GOLDEN));
      const floats = await readFile(new URL(file.replace(".blocks.", ".f32."), GOLDEN));
      const expected = new Uint32Array(new Uint8Array(floats).buffer);
      for (const [name, instance] of Object.entries({ scalar, simd128 })) {
        const at = firstDifference(toFloat(instance, type, blocks), expected);
        assert.equal(at, -1, `${name}: ${file} differs at element ${at}`);
      }
    }
  });

  test(`${type.name}: scalar and simd128 make the same of any blocks`, () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const random = generator(seed);
    for (let round = 0; round < 20; round++) {
      for (let count = 1; count <= 9; count++) {
        const blocks = Uint8Array.from({ length: count * type.typeSize }, () => random() * 256);
        const expected = toFloat(scalar, type, blocks);
        const at = firstDifference(toFloat(simd128, type, blocks), expected);
        assert.equal(at, -1, `${count} blocks of seed ${seed} differ at element ${at}`);
      }
    }
  });
}
