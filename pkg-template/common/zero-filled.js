// Whether the end of a file was never written: some programs reserve the space of a download, which is full of zeros until data arrives.

import { bytesOf } from "./byte-sources.js";

/** @import { ByteSource } from "./byte-sources.js" */

/** @typedef {{ readonly dimensions: readonly number[], readonly fileOffset?: number | undefined, readonly byteLength?: number | undefined }} PlacedTensor */

/** The bytes at the end of a tensor that are looked at. No matrix of a model ends with so many zeros. */
const LOOKED_AT = 4096;

/**
 * So many tensors in a row must end with zeros, and one before them must not: the matrices B of a new adapter are zeros, but those beside
 * them are not. A file of zeros only is one that somebody made so.
 */
const FEWEST = 2;

/**
 * Where the first of the tensors at the end of the file begins that hold only zeros, as far as their last bytes tell.
 *
 * @param {ByteSource} source
 * @param {readonly PlacedTensor[]} tensors
 * @returns {Promise<number | undefined>} `undefined` if the last matrices have data, or are small.
 */
export async function zerosFrom(source, tensors) {
  const matrices = tensors
    .flatMap(({ dimensions, fileOffset, byteLength = 0 }) =>
      fileOffset !== undefined && byteLength >= LOOKED_AT && dimensions.length > 1
        ? [{ start: fileOffset, end: fileOffset + byteLength }]
        : [],
    )
    .sort((a, b) => a.start - b.start);
  const isZero = async (/** @type {number} */ index) => {
    const end = matrices[index]?.end ?? 0;
    return (await bytesOf(source, end - LOOKED_AT, end)).every((byte) => byte === 0);
  };
  let [first, data] = [matrices.length, -1];
  for (; first > Math.max(0, matrices.length - FEWEST); first -= 1) if (!(await isZero(first - 1))) return undefined;
  if (matrices.length - first < FEWEST) return undefined;
  // The first matrix with zeros is between the last one that is known to have data, and the first one that is known to have none.
  while (first - data > 1) {
    const middle = (first + data) >> 1;
    if (await isZero(middle)) first = middle;
    else data = middle;
  }
  return data < 0 ? undefined : matrices[first]?.start;
}
