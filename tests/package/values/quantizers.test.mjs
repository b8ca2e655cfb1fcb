// The quantisers compiled to WebAssembly: scalar and simd128 give the bytes of ggml, and equal bytes for random rows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { generator } from "../../support/chance.mjs";
import { kernels } from "../../support/kernels.mjs";
import { json, missing, read } from "../corpus.mjs";

/**
 * @typedef {object} Entry The golden rows of a type.
 * @property {string} type
 * @property {number} type_id
 * @property {string} mode
 * @property {number} row_bytes
 * @property {{ file: string }} output
 * @property {number[]} portable_rows The rows whose bytes do not depend on the compiler of ggml.
 */

const FOLDER = "golden/quantize";
const ROW_LENGTH = 512;
/** @type {Entry[]} */
const entries = json(`${FOLDER}/index.json`).entries ?? [];

/** @type {[string, any][]} */
const instances = [
  ["scalar", await kernels("scalar")],
  ["simd128", await kernels("simd128")],
];

/** @param {string} file */
const floats = (file) => (missing ? new Float32Array() : new Float32Array(read(`${FOLDER}/${file}`).buffer));
const rows = floats("input.f32.bin");
const matrix = floats("imatrix.f32.bin");

/** @param {string} mode */
function importanceOf(mode) {
  if (mode === "imatrix") return matrix;
  return mode === "ones" ? new Float32Array(ROW_LENGTH).fill(1) : new Float32Array();
}

/**
 * The blocks that a module makes of rows. Empty importance is none.
 *
 * @param {any} instance
 * @param {Entry} entry
 * @param {Float32Array} rows
 * @param {Float32Array} importance
 */
function quantized(instance, entry, rows, importance) {
  const length = (rows.length / ROW_LENGTH) * entry.row_bytes;
  const [from, weights, to] = [
    instance.out(rows.length),
    instance.importance(importance.length),
    instance.blocks(length),
  ];
  new Float32Array(instance.memory.buffer, from, rows.length).set(rows);
  new Float32Array(instance.memory.buffer, weights, importance.length).set(importance);
  assert.equal(instance.quantize(ROW_LENGTH), 1);
  return new Uint8Array(instance.memory.buffer, to, length).slice();
}

/**
 * ggml does not write `bsums` of a Q8_K block of zeros. The corpus has the bytes that were there before.
 *
 * @param {Uint8Array} blocks
 */
function clearUnwrittenSums(blocks) {
  for (let block = 0; block < blocks.length; block += 292) {
    if (blocks.subarray(block, block + 4).every((byte) => byte === 0)) blocks.fill(0, block + 260, block + 292);
  }
}

/**
 * Rows with outliers, zeros and denormals.
 *
 * @param {() => number} random
 */
function randomRows(random) {
  return Float32Array.from({ length: 4 * ROW_LENGTH }, () => {
    const [kind, number] = [random(), random() - 0.5];
    if (kind < 0.1) return 0;
    if (kind < 0.15) return number * 1e-40;
    return kind < 0.17 ? number * 100 : number;
  });
}

for (const entry of entries) {
  test(`${entry.type}, ${entry.mode}: scalar and simd128 give the bytes of ggml, and equal bytes for random rows`, () => {
    const expected = read(`${FOLDER}/${entry.output.file}`);
    if (entry.type === "Q8_K") clearUnwrittenSums(expected);
    const importance = importanceOf(entry.mode);
    const seed = Math.floor(Math.random() * 2 ** 32);
    const random = randomRows(generator(seed));
    const ofRandom = instances.map(([name, instance]) => {
      assert.equal(instance.quantizer_of(entry.type_id), 1);
      const found = quantized(instance, entry, rows, importance);
      const different = entry.portable_rows.filter((row) => {
        const [start, end] = [row * entry.row_bytes, (row + 1) * entry.row_bytes];
        return Buffer.compare(found.subarray(start, end), expected.subarray(start, end)) !== 0;
      });
      assert.deepEqual(different, [], name);
      return quantized(instance, entry, random, importance);
    });
    assert.deepEqual(ofRandom[0], ofRandom[1], `seed ${seed}`);
  });
}

test("the corpus has rows of every type", { skip: missing }, () => {
  assert.equal(new Set(entries.map((entry) => entry.type)).size, 29);
});
