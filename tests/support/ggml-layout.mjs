// The block layouts of ggml's tensor types, apart from the table of the crate, so that an error in that table is found.

/** Tools define the blocks of the type in the other byte order: plain numbers, and the types that gguf-py can convert. */
const CONVERTIBLE = true;

/**
 * Each row: id, name, elements of a block, and ggml's struct of a block: the width of each number in bytes, and `x` with the
 * number of such numbers.
 *
 * @type {[id: number, name: string, blockSize: number, struct: string, isConvertible?: boolean][]}
 */
const ROWS = [
  [0, "F32", 1, "4", CONVERTIBLE],
  [1, "F16", 1, "2", CONVERTIBLE],
  [2, "Q4_0", 32, "2 1x16", CONVERTIBLE],
  [3, "Q4_1", 32, "2 2 1x16"],
  [6, "Q5_0", 32, "2 4 1x16"],
  [7, "Q5_1", 32, "2 2 4 1x16"],
  [8, "Q8_0", 32, "2 1x32", CONVERTIBLE],
  [9, "Q8_1", 32, "2 2 1x32"],
  [10, "Q2_K", 256, "1x16 1x64 2 2"],
  [11, "Q3_K", 256, "1x32 1x64 1x12 2"],
  [12, "Q4_K", 256, "2 2 1x12 1x128", CONVERTIBLE],
  [13, "Q5_K", 256, "2 2 1x12 1x32 1x128"],
  [14, "Q6_K", 256, "1x128 1x64 1x16 2", CONVERTIBLE],
  [15, "Q8_K", 256, "4 1x256 2x16"],
  [16, "IQ2_XXS", 256, `2${" 1x4 4".repeat(8)}`],
  [17, "IQ2_XS", 256, "2 2x32 1x8"],
  [18, "IQ3_XXS", 256, "2 1x64 4x8"],
  [19, "IQ1_S", 256, "2 1x32 2x8"],
  [20, "IQ4_NL", 32, "2 1x16"],
  [21, "IQ3_S", 256, "2 1x64 1x8 1x32 1x4"],
  [22, "IQ2_S", 256, "2 1x64 1x8 1x8"],
  [23, "IQ4_XS", 256, "2 2 1x4 1x128"],
  [24, "I8", 1, "1", CONVERTIBLE],
  [25, "I16", 1, "2", CONVERTIBLE],
  [26, "I32", 1, "4", CONVERTIBLE],
  [27, "I64", 1, "8", CONVERTIBLE],
  [28, "F64", 1, "8", CONVERTIBLE],
  [29, "IQ1_M", 256, "1x32 1x16 2x4"],
  [30, "BF16", 1, "2", CONVERTIBLE],
  [34, "TQ1_0", 256, "1x48 1x4 2"],
  [35, "TQ2_0", 256, "1x64 2", CONVERTIBLE],
  [39, "MXFP4", 32, "1 1x16", CONVERTIBLE],
  [40, "NVFP4", 64, "1x4 1x32", CONVERTIBLE],
  [41, "Q1_0", 128, "2 1x16", CONVERTIBLE],
  [42, "Q2_0", 64, "2 1x16"],
];

/**
 * @typedef {object} GgmlLayout
 * @property {number} id
 * @property {string} name
 * @property {number} blockSize
 * @property {number} typeSize
 * @property {boolean} isConvertible Whether a tool defines the blocks in the other byte order.
 * @property {(dimensions: bigint[]) => number | undefined} byteLength The bytes of a tensor. Undefined if a row is not a multiple of the block size.
 * @property {(blocks: Uint8Array) => Uint8Array} swapped A copy of blocks, with the bytes of each number in reverse.
 */

/** All types that have blocks, by id. @type {readonly GgmlLayout[]} */
export const LAYOUTS = ROWS.map(([id, name, blockSize, struct, isConvertible = false]) => {
  const widths = struct.split(" ").flatMap((field) => {
    const [width = 0, times = 1] = field.split("x").map(Number);
    return Array(times).fill(width);
  });
  const typeSize = widths.reduce((sum, width) => sum + width);
  return {
    id,
    name,
    blockSize,
    typeSize,
    isConvertible,
    byteLength(dimensions) {
      if ((dimensions[0] ?? 1n) % BigInt(blockSize) !== 0n) return undefined;
      const elements = dimensions.reduce((product, extent) => product * extent, 1n);
      return Number(elements / BigInt(blockSize)) * typeSize;
    },
    swapped(blocks) {
      const bytes = Uint8Array.from(blocks);
      for (let at = 0; at < bytes.length;) {
        for (const width of widths) {
          if (width > 1) bytes.subarray(at, at + width).reverse();
          at += width;
        }
      }
      return bytes;
    },
  };
});

/** @param {number} type */
export const layoutOf = (type) => LAYOUTS.find(({ id }) => id === type);
