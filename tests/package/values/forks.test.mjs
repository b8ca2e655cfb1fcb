// Rows of tensor types that other programs write: `gguf-wasm/forks` and the kernels, scalar and simd128, give the bits of these programs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { convertForkRows, GgufError } from "gguf-wasm/forks";
import { generator } from "../../support/chance.mjs";
import { firstDifference } from "../../support/kernel-checks.mjs";
import { kernels } from "../../support/kernels.mjs";
import { json, missing, read } from "../corpus.mjs";

const [scalar, simd128] = [await kernels("scalar"), await kernels("simd128")];

/** The types in the order of `FORK_KERNELS`. @type {string[]} */
const NAMES = [];
for (let length; (length = scalar.fork_name_length(NAMES.length)) > 0;) {
  const name = new Uint8Array(scalar.memory.buffer, scalar.fork_name(NAMES.length), length);
  NAMES.push(new TextDecoder().decode(name));
}

/**
 * The bits of the elements of rows.
 *
 * @param {any} instance
 * @param {number} index of the type
 * @param {number} columns
 * @param {Uint8Array} groups
 * @param {number} rows
 */
function elementBits(instance, index, columns, groups, rows) {
  const [from, to] = [instance.blocks(groups.length), instance.out(rows * columns)];
  new Uint8Array(instance.memory.buffer, from, groups.length).set(groups);
  new Uint32Array(instance.memory.buffer, to, rows * columns).fill(0x7b7b7b7b);
  instance.fork_to_f32(index, columns);
  return new Uint32Array(instance.memory.buffer, to, rows * columns).slice();
}

/** The bytes and the rows of a group. */
function groupOf(/** @type {number} */ index, /** @type {number} */ columns) {
  scalar.blocks(0);
  scalar.out(0);
  const group = BigInt.asUintN(64, scalar.fork_to_f32(index, columns));
  return { bytes: Number(group & 0xffffffffn), rows: Number(group >> 32n) };
}

test("the entry and both builds of the kernels give the bits of the other programs", { skip: missing }, () => {
  const differences = [];
  const names = new Set();
  for (const { type, row_elements: columns, rows, blocks, f32 } of json("golden-forks/index.json").entries) {
    const groups = read(`golden-forks/${blocks}`);
    const expected = new Uint32Array(read(`golden-forks/${f32}`).buffer);
    const index = NAMES.indexOf(type);
    const found = {
      entry: new Uint32Array(convertForkRows(type, columns, groups).buffer),
      scalar: elementBits(scalar, index, columns, groups, rows),
      simd128: elementBits(simd128, index, columns, groups, rows),
    };
    for (const [build, bits] of Object.entries(found)) {
      const element = firstDifference(bits, expected);
      if (element >= 0) differences.push(`${build}: ${blocks} differs at element ${element}`);
    }
    names.add(type);
  }
  assert.deepEqual(differences, []);
  // PQ2_0 is a later name of Q2_0_G128.
  assert.deepEqual([...names, "PQ2_0"].sort(), NAMES.toSorted());
});

for (const [index, name] of NAMES.entries())
  test(`${name}: scalar and simd128 give equal bits for random rows`, () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const random = generator(seed);
    for (const columns of [256, 768]) {
      const { bytes, rows } = groupOf(index, columns);
      for (let round = 0; round < 20; round += 1) {
        const groups = Uint8Array.from({ length: 3 * bytes }, () => random() * 256);
        const expected = elementBits(scalar, index, columns, groups, 3 * rows);
        const element = firstDifference(elementBits(simd128, index, columns, groups, 3 * rows), expected);
        assert.equal(element, -1, `${columns} columns, round ${round}, seed ${seed}`);
        const ofEntry = new Uint32Array(convertForkRows(name, columns, groups).buffer);
        assert.equal(firstDifference(ofEntry, expected), -1, `${columns} columns, round ${round}, seed ${seed}`);
      }
    }
  });

test("rows of more than a megabyte are converted part by part", () => {
  const row = Uint8Array.from({ length: 144 }, (_, i) => 7 * i);
  const [rows, expected] = [20_000, convertForkRows("IQ4_K", 256, row)];
  const bytes = new Uint8Array(rows * row.length);
  for (let at = 0; at < bytes.length; at += row.length) bytes.set(row, at);
  const elements = convertForkRows("IQ4_K", 256, bytes);
  assert.equal(elements.length, rows * 256);
  for (let at = 0; at < elements.length; at += 256)
    assert.ok(
      elements.subarray(at, at + 256).every((element, i) => Object.is(element, expected[i])),
      `element ${at}`,
    );
});

test("bytes are taken from any view, and none give no elements", () => {
  const bytes = Uint8Array.from({ length: 80 }, (_, i) => i);
  const expected = convertForkRows("Q8_KV", 32, bytes.slice(40));
  assert.deepEqual(convertForkRows("Q8_KV", 32, bytes.subarray(40)), expected);
  assert.deepEqual(convertForkRows("Q8_KV", 32, Buffer.from(bytes.buffer, 40, 40)), expected);
  assert.equal(convertForkRows("Q8_KV", 32, new Uint8Array()).length, 0);
});

test("other arguments are refused", () => {
  const refused = (/** @type {string} */ code, /** @type {RegExp} */ message, /** @type {any[]} */ ...given) =>
    assert.throws(
      () => convertForkRows(.../** @type {[any, any, any]} */ (given)),
      (error) => {
        assert.ok(error instanceof GgufError);
        assert.equal(error.code, code);
        assert.match(error.message, message);
        return true;
      },
    );
  const bytes = new Uint8Array(144);
  refused("unknown-type", /"IQ6_K" is not a type of another program/, "IQ6_K", 256, bytes);
  refused("unknown-type", /"Q4_K" is not/, "Q4_K", 256, bytes);
  refused("invalid-argument", /type is 139, expected a string/, 139, 256, bytes);
  for (const columns of [0, 255, -256, 256.5, NaN, Infinity, 2 ** 40, 2 ** 53])
    refused("out-of-range", /cannot have .* columns, expected a whole number of blocks/, "IQ4_K", columns, bytes);
  refused("invalid-argument", /columns is "256", expected a number/, "IQ4_K", "256", bytes);
  refused("invalid-argument", /bytes is undefined, expected a Uint8Array/, "IQ4_K", 256);
  refused("out-of-range", /have 143 bytes, expected a multiple of 144/, "IQ4_K", 256, bytes.subarray(1));
  refused("out-of-range", /have 144 bytes, expected a multiple of 576: 4 rows/, "IQ4_K_R4", 256, bytes);
});
