// Compares quantizers with each other and with the blocks of ggml. Runs in Node.js and in browsers.

/**
 * @typedef {object} Quantizers The exports of a module of `tests/kernels`.
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} blocks Allocates bytes for blocks; returns their address.
 * @property {(length: number) => number} out Allocates elements; returns their address.
 * @property {(length: number) => number} importance Allocates numbers; returns their address.
 * @property {(id: number) => number} quantizer_of Makes the quantizer of a type; returns 0 if there is none.
 * @property {(rowLength: number) => number} quantize Quantizes the elements; returns 0 if the quantizer refuses.
 *
 * @typedef {object} GoldenRows The blocks that ggml makes of the rows of the reference corpus.
 * @property {string} type
 * @property {number} id
 * @property {string} mode
 * @property {number} blockSize
 * @property {number} rowBytes
 * @property {number[]} portableRows The rows whose bytes do not depend on the compiler of ggml.
 * @property {Float32Array} importance Empty if there is none.
 * @property {Uint8Array} blocks
 */

/** The elements of a row of the corpus. */
export const ROW_LENGTH = 512;

/**
 * Makes the quantizer of a type, which may take a tenth of a second.
 *
 * @param {Quantizers} instance
 * @param {GoldenRows} golden
 */
function prepare(instance, { type, id }) {
  if (!instance.quantizer_of(id)) throw new Error(`${type} has no quantizer`);
}

/**
 * The blocks that the prepared quantizer makes of rows. Empty importance is none.
 *
 * @param {Quantizers} instance
 * @param {GoldenRows} golden
 * @param {Float32Array} rows
 * @param {Float32Array} importance
 * @param {number} [rowLength]
 */
function quantized(instance, { type, rowBytes }, rows, importance, rowLength = ROW_LENGTH) {
  const length = (rows.length / ROW_LENGTH) * rowBytes;
  const from = instance.out(rows.length);
  const weights = instance.importance(importance.length);
  const to = instance.blocks(length);
  new Float32Array(instance.memory.buffer, from, rows.length).set(rows);
  new Float32Array(instance.memory.buffer, weights, importance.length).set(importance);
  if (!instance.quantize(rowLength)) throw new Error(`the quantizer of ${type} refuses the rows`);
  return new Uint8Array(instance.memory.buffer, to, length).slice();
}

/**
 * For each instance and each portable row with other bytes than ggml's: a message.
 *
 * @param {Record<string, Quantizers>} instances
 * @param {GoldenRows} golden
 * @param {Float32Array} rows
 */
export function differencesFromGolden(instances, golden, rows) {
  const { type, mode, rowBytes, portableRows, importance, blocks } = golden;
  return Object.entries(instances).flatMap(([name, instance]) => {
    prepare(instance, golden);
    const found = quantized(instance, golden, rows, importance);
    const isDifferent = (/** @type {number} */ row) => {
      const start = row * rowBytes;
      return found.subarray(start, start + rowBytes).some((byte, i) => byte !== blocks[start + i]);
    };
    return portableRows.filter(isDifferent).map((row) => `${name}: ${type}, ${mode}: row ${row} differs from ggml`);
  });
}

/** @typedef {() => number} Random From 0 to 1. */

/** @param {Random} random */
const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Elements of random rows, by what the rows have. All are finite. @type {Record<string, (random: Random) => number>} */
const ROWS = {
  "normal elements": (random) => normal(random) * 0.02,
  "many zeros": (random) => (random() < 0.7 ? 0 : normal(random)),
  "zeros of both signs": (random) => (random() < 0.3 ? -0 : random() < 0.5 ? 0 : normal(random)),
  "zeros of both signs only": (random) => (random() < 0.5 ? -0 : 0),
  "one magnitude": (random) => (random() < 0.5 ? -1 : 1),
  "one element": () => 0.3,
  "positive elements": (random) => Math.abs(normal(random)),
  "negative elements": (random) => -Math.abs(normal(random)),
  integers: (random) => Math.round(normal(random) * 5),
  halves: (random) => Math.round(normal(random) * 20) / 2,
  outliers: (random) => normal(random) * (random() < 0.02 ? 100 : 1),
  "denormals and others": (random) => normal(random) * (random() < 0.9 ? 1e-39 : 1),
  denormals: (random) => normal(random) * 1e-40,
  "elements near the least that count": (random) => normal(random) * 1e-15,
  "squares that are denormals": (random) => normal(random) * 1e-20,
  "negative elements of all magnitudes": (random) => -(10 ** (random() * -12)),
  "huge elements": (random) => normal(random) * 1e15,
  "squares that overflow": (random) => normal(random) * 3e37,
  "all exponents": (random) => normal(random) * 2 ** Math.floor(random() * 120 - 60),
};

/** Importance of columns, by what it has. @type {Record<string, (random: Random) => number>} */
const IMPORTANCE = {
  "squares of normal numbers": (random) => normal(random) ** 2,
  zeros: (random) => (random() < 0.5 ? 0 : random()),
  "all magnitudes": (random) => 10 ** (random() * 20 - 10),
  "zeros and all magnitudes": (random) => (random() < 0.8 ? 0 : 10 ** (random() * -10)),
};

/**
 * A message for each random row of which two instances make different blocks. Without importance too, unless `mode` is `ones`:
 * then the type requires it.
 *
 * @param {Quantizers} one
 * @param {Quantizers} other
 * @param {GoldenRows} golden
 * @param {Random} random
 */
export function differencesBetween(one, other, golden, random) {
  prepare(one, golden);
  prepare(other, golden);
  // Quantizers with vectors work on 16 numbers, or on four blocks of 32 elements, at once. The row has a rest.
  const blocks = { 1: 103, 256: 3 }[golden.blockSize] ?? 7;
  const length = blocks * golden.blockSize;
  const importances = Object.entries(IMPORTANCE).map(([name, number]) => ({
    name,
    importance: Float32Array.from({ length }, () => number(random)),
  }));
  if (golden.mode !== "ones") importances.push({ name: "none", importance: new Float32Array() });
  return Object.entries(ROWS).flatMap(([what, element]) => {
    const row = Float32Array.from({ length }, () => element(random));
    return importances.flatMap(({ name, importance }) => {
      const [a, b] = [one, other].map((instance) => quantized(instance, golden, row, importance, length));
      const byte = a?.findIndex((byte, i) => byte !== b?.[i]) ?? -1;
      return byte < 0 ? [] : [`${golden.type}: ${what}, importance: ${name}: byte ${byte} differs`];
    });
  });
}
