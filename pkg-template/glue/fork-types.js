// Converts tensor types of other programs than ggml. The module that does it is loaded for the first such tensor.

import { loadForks } from "./loaded-modules.js";

/** @type {typeof import("gguf-wasm/forks").convertForkRows | undefined} */
let convertForkRows;

/** Loads the module, unless that was done before. */
export async function loadForkTypes() {
  convertForkRows ??= (await loadForks()).convertForkRows;
}

/**
 * Converts whole groups of rows.
 *
 * @param {string} type the name of the type
 * @param {number} columns the elements of a row
 * @param {Uint8Array} rows the rows as stored
 * @param {Float32Array} elements gets the elements of all rows
 */
export function convertRows(type, columns, rows, elements) {
  if (convertForkRows === undefined) throw new Error("the module of forks' tensor types was not loaded");
  elements.set(convertForkRows(type, columns, rows));
}
