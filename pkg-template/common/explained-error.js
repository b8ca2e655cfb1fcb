// Says in the message of an error why a file cannot be opened.

import { formatText, recogniseFormat } from "./other-formats.js";
import { refusalAdvice } from "./refusals.js";

/** The codes of errors of a header. */
const OF_HEADER = ["bad-magic", "unexpected-eof", "unsupported-version", "unknown-value-type", "limit-exceeded"];

/**
 * @param {Error & { code: string, status?: number, format?: string }} error
 * @param {Uint8Array} head The bytes of the file that have arrived.
 */
export function explainError(error, head) {
  const { code, message, stack } = error;
  const format = OF_HEADER.includes(code) ? recogniseFormat(head) : undefined;
  if (format !== undefined) {
    const { what, next } = formatText(format);
    // The advice is the last sentence.
    error.message = [message.replace(/(?<=\.) [^.]*\.$/, ""), what, ...next].join(" ");
    error.format = format;
  } else {
    const advice = code === "http" ? refusalAdvice(error) : undefined;
    if (advice === undefined) return;
    error.message = `${message}. ${advice}`;
  }
  if (stack) error.stack = stack.replace(message, () => error.message);
}
