// Tensor types, what is to be reached with each, and blocks to measure them with.

import { ggmlTypes } from "gguf-wasm";
import { generator } from "../tests/support/chance.mjs";
import { golden } from "../tests/support/kernels.mjs";

/** Bytes of `f32`s that one call makes. */
export const OUTPUT = 4 << 20;

/** How many such outputs the tensor holds whose statistics the package computes. */
export const STATISTICS_CALLS = 4;

/** @typedef {{ id: number, name: string, blockSize: number, typeSize: number }} Type */

/** Every type that holds numbers. */
export const TYPES = ggmlTypes().filter(({ blockSize }) => blockSize > 0);

/**
 * What is to be reached: in WebAssembly, as a share of the store limit; through JavaScript, as a share of storing and
 * copying out.
 */
const GOALS = [
  { names: "BF16 Q4_0 Q4_1 Q8_0 Q4_K TQ2_0", wasm: 0.8, javaScript: 0.6 },
  {
    names: "F16 Q5_0 Q5_1 Q2_K Q3_K Q5_K Q6_K TQ1_0 MXFP4 NVFP4 IQ4_NL IQ4_XS Q1_0 Q2_0 IQ1_S IQ1_M",
    wasm: 0.6,
    javaScript: 0.45,
  },
  { names: "IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S", wasm: 0.4, javaScript: 0.3 },
  // Of `memory.copy` of the same bytes.
  { names: "F32", wasm: 0.9, javaScript: undefined },
];

/** @param {string} name */
export const goalOf = (name) => GOALS.find(({ names }) => names.split(" ").includes(name));

/** @param {string} name @returns {Type} */
export function typeOf(name) {
  const type = TYPES.find((type) => type.name === name);
  if (!type) throw new Error(`no type is called ${name}`);
  return type;
}

/**
 * Blocks of `count` elements: weights that ggml has quantised, drawn by chance from those of the golden vectors, so that
 * no order repeats. For types that have none: numbers between −1 and 1 as they are stored, and else any bytes.
 *
 * @param {Type} type
 * @param {number} count
 */
export async function blocksOf({ name, blockSize, typeSize }, count) {
  const random = generator(count);
  const blocks = new Uint8Array((count / blockSize) * typeSize);
  const { blocks: known } = (await golden(name)).find(({ name }) => name.includes(".quantised.")) ?? {};
  if (known) {
    for (let at = 0; at < blocks.length; at += typeSize) {
      const from = Math.floor(random() * (known.length / typeSize)) * typeSize;
      blocks.set(known.subarray(from, from + typeSize), at);
    }
    return blocks;
  }
  const numbers = { F32: Float32Array, F64: Float64Array }[name];
  if (numbers) new numbers(blocks.buffer).forEach((_, index, array) => (array[index] = random() * 2 - 1));
  else blocks.forEach((_, index) => (blocks[index] = random() * 256));
  return blocks;
}
