// Kernels held against each other and against ggml's floats, in any environment.

/**
 * @typedef {object} Kernels An instance of a module of `tests/kernels`.
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} blocks
 * @property {(length: number) => number} out
 * @property {(id: number) => number} to_float
 *
 * @typedef {{ id: number, name: string, blockSize: number, typeSize: number }} Type
 * @typedef {{ name: string, blocks: Uint8Array, floats: Uint32Array }} Golden
 */

/**
 * The bits of the floats that an instance makes of blocks.
 *
 * @param {Kernels} instance
 * @param {Type} type
 * @param {Uint8Array} blocks
 */
export function toFloat(instance, { id, blockSize, typeSize }, blocks) {
  const length = (blocks.length / typeSize) * blockSize;
  const [from, to] = [instance.blocks(blocks.length), instance.out(length)];
  new Uint8Array(instance.memory.buffer, from, blocks.length).set(blocks);
  new Uint32Array(instance.memory.buffer, to, length).fill(0x7b7b7b7b);
  if (!instance.to_float(id)) throw new Error(`type ${id} has no kernel`);
  return new Uint32Array(instance.memory.buffer, to, length).slice();
}

/**
 * The first place where floats differ as bits, any NaN being like any other; -1 if they don't.
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
 * What instances make of golden blocks that ggml does not.
 *
 * @param {Record<string, Kernels>} instances
 * @param {Type} type
 * @param {Golden[]} golden
 */
export function differFromGolden(instances, type, golden) {
  return golden.flatMap(({ name, blocks, floats }) =>
    Object.entries(instances).flatMap(([instance, kernels]) => {
      const at = firstDifference(toFloat(kernels, type, blocks), floats);
      return at < 0 ? [] : [`${instance}: ${name} differs at element ${at}`];
    }),
  );
}

/**
 * Where two instances make different floats of the same blocks: of 1 to 9 of them, by chance.
 *
 * @param {Kernels} one
 * @param {Kernels} other
 * @param {Type} type
 * @param {() => number} random From 0 to 1.
 */
export function differFromEachOther(one, other, type, random) {
  const found = [];
  for (let round = 0; round < 20; round += 1) {
    for (let count = 1; count <= 9; count += 1) {
      const blocks = Uint8Array.from({ length: count * type.typeSize }, () => random() * 256);
      const at = firstDifference(toFloat(one, type, blocks), toFloat(other, type, blocks));
      if (at >= 0) found.push(`${count} blocks of ${type.name} differ at element ${at} in round ${round}`);
    }
  }
  return found;
}
