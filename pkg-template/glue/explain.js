// Says why a file cannot be opened, from what is known of it. The texts are loaded only for an error.

import { GgufError } from "../gguf-error.js";

/** The first bytes of the files that errors are about. @type {WeakMap<object, Uint8Array>} */
const heads = new WeakMap();

/**
 * Remembers the first bytes of a file whose header could not be read. It never throws.
 *
 * @param {unknown} error
 * @param {Uint8Array} head a view of the memory of the module
 */
export function keepHead(error, head) {
  try {
    if (error instanceof GgufError) heads.set(error, head.slice(0, 1 << 16));
  } catch {
    // There is no memory for the bytes. The error is right without them.
  }
}

/** An error of reading a header, whose message says what has happened. @param {unknown} error */
export async function explained(error) {
  const head = error instanceof GgufError && heads.get(error);
  try {
    if (head) (await import("../common/explained-error.js")).explainError(error, head);
  } catch {
    // The texts could not be loaded. The error is right without them.
  }
  return error;
}
