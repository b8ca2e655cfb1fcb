// Data for the tensors of new files, and the file from each way to write it.

import assert from "node:assert/strict";

/** @typedef {import("gguf-wasm/full").GgufWriter} GgufWriter */

/** Bytes of this length whose neighbours differ. @param {number} length */
export function dataOf(length, seed = 1) {
  const made = new Uint8Array(length);
  for (let index = 0; index < length; index++) made[index] = index * 31 + seed;
  return made;
}

/** @param {Blob | Response} whole */
export const bytesOf = async (whole) => new Uint8Array(await whole.arrayBuffer());

/** The file from `stream()`. @param {GgufWriter} writer */
export const streamed = (writer) => bytesOf(new Response(writer.stream()));

/**
 * The file from `headerBytes()`, with the data of each tensor at the offset that the writer reports.
 *
 * @param {GgufWriter} writer
 * @param {Uint8Array[]} data
 */
export function metadataFirst(writer, data) {
  const file = new Uint8Array(writer.size);
  file.set(writer.headerBytes());
  for (const { index, fileOffset, byteLength } of writer.tensors) {
    const own = data[index] ?? new Uint8Array();
    assert.equal(own.length, byteLength);
    file.set(own, fileOffset);
  }
  return file;
}

/**
 * Expects an action to throw a GgufError.
 *
 * @param {() => unknown} action
 * @param {string} code
 * @param {RegExp} message
 */
export function refused(action, code, message = /./) {
  assert.throws(action, { name: "GgufError", code, message });
}
