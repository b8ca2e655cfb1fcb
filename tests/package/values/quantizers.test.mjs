// The quantizers compiled to WebAssembly: scalar and simd128 give the bytes of ggml, and equal bytes for random rows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { generator } from "../../support/chance.mjs";
import { kernels } from "../../support/kernels.mjs";
import { differencesBetween, differencesFromGolden } from "../../support/quantizer-checks.mjs";
import { goldenRows } from "../../support/quantizer-rows.mjs";
import { missing } from "../corpus.mjs";

const [scalar, simd128] = [await kernels("scalar"), await kernels("simd128")];
const { rows, golden } = goldenRows();

for (const entry of golden) {
  test(`${entry.type}, ${entry.mode}: scalar and simd128 give the bytes of ggml`, () => {
    assert.deepEqual(differencesFromGolden({ scalar, simd128 }, entry, rows), []);
  });
}

// The mode `imatrix` of a type has the same random rows as the others.
for (const entry of golden.filter(({ mode }) => mode !== "imatrix")) {
  test(`${entry.type}: scalar and simd128 give equal bytes for random rows`, () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    assert.deepEqual(differencesBetween(scalar, simd128, entry, generator(seed)), [], `seed ${seed}`);
  });
}

test("the corpus has rows of every type", { skip: missing }, () => {
  assert.equal(new Set(golden.map((entry) => entry.type)).size, 29);
});
