// Says what a file is that cannot be opened as GGUF.

import { GgufError } from "../gguf-error.js";

/** The codes of errors of a header. */
const CODES = ["bad-magic", "unexpected-eof", "unsupported-version", "unknown-value-type", "limit-exceeded"];

/** `HEAD_SIZE` of `other-formats.js`, which is not loaded yet. */
const HEAD_SIZE = 1 << 16;

/** The first bytes of the files that errors are about. @type {WeakMap<object, Uint8Array>} */
const heads = new WeakMap();

/**
 * Remembers the first bytes of a file whose header could not be read.
 *
 * @param {unknown} error
 * @param {Uint8Array} head a view of the memory of the module
 */
export function keepHead(error, head) {
  if (error instanceof GgufError && CODES.includes(error.code)) heads.set(error, head.slice(0, HEAD_SIZE));
}

/**
 * An error whose message says what the file is, in place of general advice, if its first bytes tell. The texts are loaded only now.
 *
 * @param {unknown} error
 */
export async function explained(error) {
  const head = error instanceof GgufError && heads.get(error);
  if (!head) return error;
  heads.delete(error);
  try {
    const { formatText, recogniseFormat } = await import("../common/other-formats.js");
    const format = recogniseFormat(head);
    if (format === undefined) return error;
    const { message, stack } = error;
    const { what, next } = formatText(format);
    // The advice is the last sentence.
    error.message = [message.replace(/(?<=\.) [^.]*\.$/, ""), what, ...next].join(" ");
    if (stack) error.stack = stack.replace(message, () => error.message);
    Object.assign(error, { format });
  } catch {
    // The script with the texts could not be loaded. The error is right without them.
  }
  return error;
}
