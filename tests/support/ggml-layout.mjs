// The block layouts of ggml's tensor types, for the model of a file.

/**
 * Each row: type, elements of a block, bytes of a block, and the numbers in a block that are wider than a byte: their
 * position, width and count. Only types of plain numbers and types that gguf-py can convert have such numbers. No tool
 * converts blocks of the other types to the other byte order.
 *
 * @type {[number, number, number, [number, number, number]?][]}
 */
const TYPES = [
  [0, 1, 4, [0, 4, 1]],
  [1, 1, 2, [0, 2, 1]],
  [2, 32, 18, [0, 2, 1]],
  [3, 32, 20],
  [6, 32, 22],
  [7, 32, 24],
  [8, 32, 34, [0, 2, 1]],
  [9, 32, 36],
  [10, 256, 84],
  [11, 256, 110],
  [12, 256, 144, [0, 2, 2]],
  [13, 256, 176],
  [14, 256, 210, [208, 2, 1]],
  [15, 256, 292],
  [16, 256, 66],
  [17, 256, 74],
  [18, 256, 98],
  [19, 256, 50],
  [20, 32, 18],
  [21, 256, 110],
  [22, 256, 82],
  [23, 256, 136],
  [24, 1, 1, [0, 1, 0]],
  [25, 1, 2, [0, 2, 1]],
  [26, 1, 4, [0, 4, 1]],
  [27, 1, 8, [0, 8, 1]],
  [28, 1, 8, [0, 8, 1]],
  [29, 256, 56],
  [30, 1, 2, [0, 2, 1]],
  [34, 256, 54],
  [35, 256, 66, [64, 2, 1]],
  [39, 32, 17, [0, 1, 0]],
  [40, 64, 36, [0, 1, 0]],
  [41, 128, 18, [0, 2, 1]],
  [42, 64, 18],
];

/**
 * @typedef {object} GgmlLayout
 * @property {(dimensions: bigint[]) => number | undefined} byteLength The bytes of a tensor. Undefined if a row is not a multiple of the block size.
 * @property {((blocks: Buffer) => Buffer) | undefined} swap Converts blocks to the other byte order.
 */

/** @param {number} type @returns {GgmlLayout | undefined} */
export function layoutOf(type) {
  const row = TYPES.find(([id]) => id === type);
  if (!row) return undefined;
  const [, blockSize, typeSize, wide] = row;
  return {
    byteLength(dimensions) {
      if ((dimensions[0] ?? 1n) % BigInt(blockSize) !== 0n) return undefined;
      const elements = dimensions.reduce((product, extent) => product * extent, 1n);
      return Number(elements / BigInt(blockSize)) * typeSize;
    },
    swap: wide && ((blocks) => swap(blocks, typeSize, wide)),
  };
}

/** @param {Buffer} blocks @param {number} typeSize @param {[number, number, number]} wide */
function swap(blocks, typeSize, [offset, width, count]) {
  const swapped = Buffer.from(blocks);
  for (let block = 0; block < swapped.length; block += typeSize) {
    for (let index = 0; index < count; index += 1) {
      const start = block + offset + index * width;
      swapped.subarray(start, start + width).reverse();
    }
  }
  return swapped;
}
