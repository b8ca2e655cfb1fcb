// The statistics compiled to WebAssembly: scalar and simd128 give equal bits, which equal those of a simple model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { generator } from "../../support/chance.mjs";
import { kernels } from "../../support/kernels.mjs";

const [scalar, simd128] = [await kernels("scalar"), await kernels("simd128")];

/**
 * The statistics of floats that an instance gets in chunks: counts, measures (NaN if there is none), and the histogram.
 *
 * @param {any} instance
 * @param {Float32Array} floats
 * @param {number[]} sizes
 */
function statistics(instance, floats, sizes) {
  instance.statistics_clear();
  for (let start = 0, turn = 0; start < floats.length; turn++) {
    const piece = floats.subarray(start, start + (sizes[turn % sizes.length] ?? 1));
    const at = instance.out(piece.length);
    // Compared as bytes, because the bits of a NaN count.
    const bytes = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    new Uint8Array(instance.memory.buffer, at, bytes.length).set(bytes);
    instance.statistics_push();
    start += piece.length;
  }
  const at = instance.statistics_summary();
  /** @type {Iterable<any>} */
  const head = new Float64Array(instance.memory.buffer, at, 13);
  const [count, zeros, nan, positive, negative, min, max, absoluteMax, mean, deviation, low, width, bins] = head;
  const counts = [...new Float64Array(instance.memory.buffer, at + 8 * 13, bins)];
  return { count, zeros, nan, positive, negative, min, max, absoluteMax, mean, deviation, low, width, counts };
}

/** The same statistics as documented, with mean and deviation in two passes. @param {Float32Array} floats */
function model(floats) {
  const finite = [...floats].filter(Number.isFinite);
  /** @param {(x: number) => boolean} is */
  const count = (is) => floats.reduce((count, x) => count + (is(x) ? 1 : 0), 0);
  const min = finite.reduce((min, x) => Math.min(min, x), Infinity);
  const max = finite.reduce((max, x) => Math.max(max, x), -Infinity);
  /** @type {(x: number, width: number) => number} */
  const index = (x, width) => Math.floor(x / width);
  let width = 2 ** -149;
  while (index(max, width) - index(min, width) >= 64 || Math.max(max, -min) / width >= 2 ** 21) width *= 2;
  const low = index(min, width);
  const counts = new Array(index(max, width) - low + 1).fill(0);
  for (const x of finite) counts[index(x, width) - low]++;
  /** @param {(x: number) => number} of */
  const sum = (of) => finite.reduce((sum, x) => sum + of(x), 0);
  const [first = 0] = finite;
  const about = first + sum((x) => x - first) / finite.length;
  const mean = about + sum((x) => x - about) / finite.length;
  const deviation = Math.sqrt(sum((x) => (x - mean) ** 2) / finite.length);
  return {
    count: floats.length,
    zeros: count((x) => x === 0),
    nan: count(Number.isNaN),
    positive: count((x) => x === Infinity),
    negative: count((x) => x === -Infinity),
    min: min + 0,
    max: max + 0,
    absoluteMax: Math.max(max, -min) + 0,
    mean,
    deviation,
    low: low * width + 0,
    width,
    counts,
  };
}

/** @param {() => number} random */
const bell = (random) => (random() + random() + random() + random() - 2) * 0.06;
const bits = new Uint32Array(1);
/** @type {Record<string, (random: () => number, i: number) => number>} */
const KINDS = {
  weights: bell,
  "weights with outliers": (random) => (random() < 0.001 ? (random() - 0.5) * 40 : bell(random)),
  "a scale that grows": (random, i) => (random() - 0.5) * 2 ** (i / 200 - 20),
  norms: (random) => 1 + bell(random),
  "far from zero": (random) => 1e6 + random() * 2 - 1,
  integers: (random) => Math.floor(random() * 600 - 300),
  zeros: (random) => (random() < 0.5 ? 0 : -0),
  "a constant": () => 0.1,
  "subnormal numbers": (random) => (random() - 0.5) * 2 ** -130,
  "huge numbers": (random) => (random() - 0.5) * 2 ** 129,
  "huge and tiny numbers": (random) => (random() < 0.1 ? (random() - 0.5) * 2 ** 129 : -(2 ** -149)),
  "NaN and infinities": (random) => (random() < 0.001 ? (Math.floor(random() * 3) - 1) / 0 : bell(random)),
  "any bits": (random) => {
    bits[0] = random() * 2 ** 32;
    return new Float32Array(bits.buffer)[0] ?? 0;
  },
};

for (const [kind, number] of Object.entries(KINDS)) {
  test(`${kind}: scalar, simd128 and the model agree, for any chunks`, () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const random = generator(seed);
    for (const length of [1, 5, 1023, 1024, 1029, 10 * 1024, 20_000]) {
      const floats = Float32Array.from({ length }, (_, i) => number(random, i));
      if (!floats.some(Number.isFinite)) continue;
      const found = statistics(simd128, floats, [length]);
      const about = `${length} numbers of seed ${seed}`;
      for (const sizes of [[length], [1024], [1000], [2048, 1, 7], [3, 5000]]) {
        assert.deepEqual(statistics(simd128, floats, sizes), found, `simd128: ${about} in pieces of ${sizes}`);
        assert.deepEqual(statistics(scalar, floats, sizes), found, `scalar: ${about} in pieces of ${sizes}`);
      }
      const { mean, deviation, ...expected } = model(floats);
      const { mean: foundMean, deviation: foundDeviation, ...exact } = found;
      assert.deepEqual(exact, expected, about);
      assert.ok(Math.abs(foundMean - mean) <= 1e-9 * deviation, `${about}: ${foundMean} for ${mean}`);
      assert.ok(
        Math.abs(foundDeviation - deviation) <= 1e-9 * deviation,
        `${about}: ${foundDeviation} for ${deviation}`,
      );
    }
  });
}
