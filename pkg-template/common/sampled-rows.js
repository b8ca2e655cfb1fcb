// Which rows of a tensor stand for all of them.

/** Rows that are read together: a server answers a request for each such run. */
const RUN = 4;

/**
 * Rows of one matrix that follow each other.
 *
 * @typedef {{ first: number, count: number, matrix: number }} Run
 */

/**
 * Rows of a tensor, spread over all of it. The same name and shape give the same rows.
 *
 * @param {string} name the name of the tensor, which seeds the choice
 * @param {readonly number[]} dimensions
 * @param {number} wanted the number of rows
 * @returns {Run[]}
 */
export function sampledRows(name, dimensions, wanted) {
  const inMatrix = dimensions[1] ?? 1;
  const total = rowCountOf(dimensions);
  if (total <= wanted) {
    const matrices = inMatrix === 0 ? 0 : total / inMatrix;
    return Array.from({ length: matrices }, (_, matrix) => ({ first: matrix * inMatrix, count: inMatrix, matrix }));
  }
  const random = randomOf(name);
  const count = Math.min(RUN, inMatrix, wanted);
  const runs = Math.ceil(wanted / count);
  const stretch = total / runs;
  return Array.from({ length: runs }, (_, i) => {
    // One run in each stretch of rows, as far as matrices allow it.
    const position = Math.floor(i * stretch + random() * Math.max(0, stretch - count));
    const matrix = Math.floor(position / inMatrix);
    return { first: Math.min(position, (matrix + 1) * inMatrix - count), count, matrix };
  });
}

/** The number of rows of a tensor. @param {readonly number[]} dimensions */
export function rowCountOf(dimensions) {
  return dimensions.slice(1).reduce((product, extent) => product * extent, 1);
}

/** Pseudo-random numbers from 0 to 1 that depend on a text alone (mulberry32). @param {string} text */
export function randomOf(text) {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
