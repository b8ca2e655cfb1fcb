// What a command prints, and the line of its progress. Only this module writes to the standard output and the standard error.

import { Progress } from "./progress.js";
import { printableLines, safe } from "./safe-text.js";

/** @import { SafeText } from "./safe-text.js" */

/** Characters that are written at once. */
const CHUNK_LENGTH = 1 << 16;

/** @type {Progress | undefined} */
let current;

/**
 * Begins to show a progress. Only one is shown at a time.
 *
 * @param {string} title
 * @param {string} [server] The server that is waited for, if there is one.
 */
export function currentProgress(title, server) {
  current?.clear();
  const advice = "Requests are repeated before the command fails";
  const onSilence = () =>
    note(safe`gguf-wasm: waiting for ${server ?? ""}, which does not answer, or only slowly. ${advice}.\n`);
  current = new Progress(title, process.stderr, server === undefined ? undefined : onSilence);
  return current;
}

/** Removes the line of the progress, before something else is written. */
export function clearProgress() {
  current?.hide();
}

/** Whether the standard output is a terminal. */
export function isTerminal() {
  return process.stdout.isTTY === true;
}

/**
 * Prints a text for people.
 *
 * @param {SafeText} text
 */
export function print(text) {
  return write(text);
}

/**
 * Prints JSON. Its pieces must have escapes in place of unsafe characters.
 *
 * @param {Iterable<string>} pieces
 */
export function printJsonPieces(pieces) {
  return write(pieces);
}

/**
 * Prints text that a file contains. A program gets it as it is. A terminal must not obey the control characters of a file, so
 * they become escapes there.
 *
 * @param {string | Iterable<string>} text A text, or its pieces. No piece ends in the middle of a character.
 */
export function printRaw(text) {
  const pieces = typeof text === "string" ? [text] : text;
  return write(isTerminal() ? escapedPieces(pieces) : pieces);
}

/** @param {Iterable<string>} pieces */
function* escapedPieces(pieces) {
  for (const piece of pieces) yield printableLines(piece);
}

/**
 * Prints the bytes of a stream.
 *
 * @param {AsyncIterable<Uint8Array>} stream
 */
export async function printBytes(stream) {
  clearProgress();
  for await (const chunk of stream) await written(chunk);
}

/**
 * Writes to the standard error. It is no part of the result.
 *
 * @param {SafeText} text A note or a warning.
 */
export function note(text) {
  clearProgress();
  let chunk = "";
  for (const piece of text) {
    chunk += piece;
    if (chunk.length < CHUNK_LENGTH) continue;
    process.stderr.write(chunk);
    chunk = "";
  }
  if (chunk !== "") process.stderr.write(chunk);
}

/**
 * Calls a function if a stream fails. The function must end the process.
 *
 * @param {(error: NodeJS.ErrnoException) => void} failed
 */
export function onOutputError(failed) {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", failed);
}

/** Writes pieces, no faster than the reader of the output reads. @param {Iterable<string>} pieces */
async function write(pieces) {
  clearProgress();
  let chunk = "";
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_LENGTH) continue;
    await written(chunk);
    chunk = "";
  }
  if (chunk !== "") await written(chunk);
}

/** Waits until a chunk is written. If that fails, `onOutputError` ends the process. @param {string | Uint8Array} chunk */
function written(chunk) {
  return new Promise((resolve) => {
    process.stdout.write(chunk, (error) => {
      if (!error) resolve(undefined);
    });
  });
}
