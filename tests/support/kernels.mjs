// The kernels alone, scalar and simd128: the modules that xtask/src/kernels.rs builds.

import { readFile } from "node:fs/promises";

/** Where xtask puts the modules. */
export const KERNELS = new URL("../../target/kernels/", import.meta.url);

/** An instance of `scalar` or `simd128`, its memory with it. */
export async function kernels(name) {
  const { instance } = await WebAssembly.instantiate(await readFile(new URL(`${name}.wasm`, KERNELS)), {});
  return instance.exports;
}

/** The bits of the floats that an instance makes of blocks; whatever was in their place before is gone. */
export function toFloat(instance, { id, blockSize, typeSize }, blocks) {
  const length = (blocks.length / typeSize) * blockSize;
  const [from, to] = [instance.blocks(blocks.length), instance.out(length)];
  new Uint8Array(instance.memory.buffer, from, blocks.length).set(blocks);
  new Uint32Array(instance.memory.buffer, to, length).fill(0x7b7b7b7b);
  if (!instance.to_float(id)) throw new Error(`type ${id} has no kernel`);
  return new Uint32Array(instance.memory.buffer, to, length).slice();
}

/** The first place where floats differ as bits, any NaN being like any other; -1 if they don't. */
export function firstDifference(bits, expected) {
  if (bits.length !== expected.length) return Math.min(bits.length, expected.length);
  const isNaN = (bits) => (bits & 0x7fffffff) > 0x7f800000;
  return bits.findIndex((bits, i) => bits !== expected[i] && !(isNaN(bits) && isNaN(expected[i])));
}
