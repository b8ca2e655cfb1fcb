// The bytes that a file lacks at its end.

/** @import { Gguf } from "../full/node.js" */

/**
 * The bytes that a file lacks up to the end of its last tensor; `undefined` if that is not known.
 *
 * @param {Gguf} gguf
 */
export function missingBytes({ tensors, fileSize }) {
  if (fileSize === undefined) return undefined;
  let end = 0;
  for (const { fileOffset, byteLength } of tensors) {
    if (fileOffset === undefined || byteLength === undefined) return undefined;
    end = Math.max(end, fileOffset + byteLength);
  }
  return Math.max(end - fileSize, 0);
}
