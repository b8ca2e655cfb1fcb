// Compares kernels with each other and with the output of ggml. Runs in Node.js and in browsers.

/**
 * @typedef {object} Kernels The exports of a module of `tests/kernels`.
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} blocks Allocates bytes for blocks; returns their address.
 * @property {(length: number) => number} out Allocates elements; returns their address.
 * @property {(id: number) => number} to_f32 Converts the blocks of a type; returns 0 if the type has no kernels.
 *
 * @typedef {{ id: number, name: string, blockSize: number, typeSize: number }} Type
 * @typedef {{ name: string, blocks: Uint8Array, elements: Uint32Array }} Golden Blocks, and the bits of ggml's elements.
 */

/**
 * The bits of the elements that a kernel makes of blocks.
 *
 * @param {Kernels} instance
 * @param {Type} type
 * @param {Uint8Array} blocks
 */
export function elementBits(instance, { id, blockSize, typeSize }, blocks) {
  const length = (blocks.length / typeSize) * blockSize;
  const [from, to] = [instance.blocks(blocks.length), instance.out(length)];
  new Uint8Array(instance.memory.buffer, from, blocks.length).set(blocks);
  new Uint32Array(instance.memory.buffer, to, length).fill(0x7b7b7b7b);
  if (!instance.to_f32(id)) throw new Error(`type ${id} has no kernels`);
  return new Uint32Array(instance.memory.buffer, to, length).slice();
}

/**
 * The index of the first element whose bits differ, or -1. Two NaNs are equal.
 *
 * @param {Uint32Array} bits
 * @param {Uint32Array} expected
 */
export function firstDifference(bits, expected) {
  if (bits.length !== expected.length) return Math.min(bits.length, expected.length);
  const isNaN = (/** @type {number} */ bits) => (bits & 0x7fffffff) > 0x7f800000;
  return bits.findIndex((bits, i) => bits !== expected[i] && !(isNaN(bits) && isNaN(expected[i] ?? 0)));
}

/**
 * For each instance and each golden file with another result than ggml's: a message.
 *
 * @param {Record<string, Kernels>} instances
 * @param {Type} type
 * @param {Golden[]} golden
 */
export function differencesFromGolden(instances, type, golden) {
  return golden.flatMap(({ name, blocks, elements }) =>
    Object.entries(instances).flatMap(([instance, kernels]) => {
      const index = firstDifference(elementBits(kernels, type, blocks), elements);
      return index < 0 ? [] : [`${instance}: ${name} differs from ggml at element ${index}`];
    }),
  );
}

/**
 * A message for each list of 1 to 9 random blocks that two instances convert to different bits.
 *
 * @param {Kernels} one
 * @param {Kernels} other
 * @param {Type} type
 * @param {() => number} random From 0 to 1.
 */
export function differencesBetween(one, other, type, random) {
  const messages = [];
  for (let round = 0; round < 20; round += 1) {
    for (let count = 1; count <= 9; count += 1) {
      const blocks = Uint8Array.from({ length: count * type.typeSize }, () => random() * 256);
      const index = firstDifference(elementBits(one, type, blocks), elementBits(other, type, blocks));
      if (index >= 0) messages.push(`${count} blocks of ${type.name} differ at element ${index} in round ${round}`);
    }
  }
  return messages;
}
