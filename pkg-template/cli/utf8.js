// Text that must be UTF-8.

import { constants } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { CommandError } from "./errors.js";

/** The most bytes of a text: Node.js has no longer strings. */
const MOST_BYTES = constants.MAX_STRING_LENGTH;

/** The byte order marks of UTF-16, as the first two bytes. */
const UTF_16 = ["fffe", "feff"];

/**
 * Reads a file of text.
 *
 * @param {string} path
 * @returns {Promise<Buffer>}
 * @throws {CommandError} `too-large` before it is read, if no string has room for it.
 */
export async function readTextFile(path) {
  checkTextSize((await stat(path)).size, path);
  return readFile(path);
}

/**
 * The bytes of a stream of text.
 *
 * @param {AsyncIterable<Buffer>} stream
 * @param {string} name Where they come from.
 * @throws {CommandError} `too-large` as soon as no string has room for them.
 */
export async function readTextStream(stream, name) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    checkTextSize(size, name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @param {number} size @param {string} name */
function checkTextSize(size, name) {
  if (size > MOST_BYTES)
    throw new CommandError(
      "too-large",
      `${name}: the text has more than ${MOST_BYTES} bytes, the most that Node.js can read at once. Divide the text into several files.`,
    );
}

/**
 * The text of bytes.
 *
 * @param {Buffer} bytes
 * @param {string} name Where they come from.
 * @throws {CommandError} `invalid-utf8` with the offset of the first byte that is not UTF-8.
 */
export function textOfUtf8(bytes, name) {
  const text = bytes.toString("utf8");
  const offset = invalidOffset(bytes, text);
  if (offset === undefined) return text;
  const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const encoding = UTF_16.includes(bytes.toString("hex", 0, 2)) ? "UTF-16" : "WINDOWS-1252";
  const error = new CommandError(
    "invalid-utf8",
    `${name}: the text is not UTF-8: found the byte 0x${byte} at offset ${offset}, expected the bytes of a character. ` +
      `Save the text as UTF-8, or convert it, for example with \`iconv -f ${encoding} -t UTF-8 OLD > NEW\`.`,
  );
  throw Object.assign(error, { offset });
}

/**
 * The offset of the first byte that is not UTF-8.
 *
 * @param {Buffer} bytes
 * @param {string} text The bytes as text, in which U+FFFD stands for those that are not UTF-8, or for itself.
 */
function invalidOffset(bytes, text) {
  let offset = 0;
  let start = 0;
  for (;;) {
    const found = text.indexOf("\uFFFD", start);
    if (found < 0) return undefined;
    offset += Buffer.byteLength(text.slice(start, found));
    if (bytes.toString("hex", offset, offset + 3) !== "efbfbd") return offset;
    offset += 3;
    start = found + 1;
  }
}
