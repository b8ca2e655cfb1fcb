// The tensor types that the kernel benchmarks measure, and their blocks.

import { ggmlTypes } from "gguf-wasm/full";
import { generator } from "../tests/support/chance.mjs";
import { golden } from "../tests/support/kernels.mjs";

/** The bytes of `f32` output of one kernel call. */
export const OUTPUT = 4 << 20;

/** The size of the tensor whose statistics the package computes, as a multiple of `OUTPUT`. */
export const STATISTICS_CALLS = 4;

/** @typedef {{ id: number, name: string, blockSize: number, typeSize: number }} Type */

/** All types that have a block layout. */
export const TYPES = ggmlTypes().filter(({ blockSize }) => blockSize > 0);

/** @param {string} name @returns {Type} */
export function typeOf(name) {
  const type = TYPES.find((type) => type.name === name);
  if (!type) throw new Error(`unknown tensor type ${name}: choose from ${TYPES.map(({ name }) => name).join(", ")}`);
  return type;
}

/**
 * Blocks of `count` elements: random blocks from the golden vectors, whose weights ggml has quantized. Types without such
 * vectors get random numbers between −1 and 1 (F32, F64) or random bytes.
 *
 * @param {Type} type
 * @param {number} count
 */
export async function blocksOf({ name, blockSize, typeSize }, count) {
  const random = generator(count);
  const blocks = new Uint8Array((count / blockSize) * typeSize);
  const { blocks: known } = (await golden(name)).find(({ name }) => name.includes(".quantized.")) ?? {};
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
