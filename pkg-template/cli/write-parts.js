// Writing new files as parts: each is written as NAME.part, and all get their names when all are complete.

import { createHash } from "node:crypto";
import { checkSpace } from "./disk-space.js";
import { Refusal, errorDetails } from "./errors.js";
import { evidenceOf, openInputs } from "./input-evidence.js";
import { currentProgress, note } from "./output.js";
import { moveAllIntoPlace } from "./output-file.js";
import { keptOf } from "./resume.js";
import { safe } from "./safe-text.js";
import { version } from "./version.js";

/** @import { PartFile } from "./part-file.js" */

/**
 * A new file.
 *
 * @typedef {object} NewPart
 * @property {PartFile} file
 * @property {number} size Of the complete file, in bytes.
 * @property {() => Uint8Array | Promise<Uint8Array>} header The first bytes of the file, which have no data of tensors.
 * @property {(start: number) => AsyncIterable<Uint8Array>} stream The bytes of the file from a position on.
 * @property {(position: number) => number} [startBefore] The last position up to a given one from which the file can be written without
 *   repeating work. By default, it can be written from every position.
 *
 * The command that makes the files. The record of each part contains it.
 *
 * @typedef {object} Conversion
 * @property {string} command
 * @property {Readonly<Record<string, unknown>>} options The options that change the bytes of the files.
 * @property {boolean} isResumed Whether the parts of an earlier run are continued.
 */

/**
 * Writes files. A failure leaves the parts, and says where they are.
 *
 * @param {readonly NewPart[]} parts
 * @param {Conversion & {
 *   errors: (work: () => Promise<void>) => Promise<void>,
 *   title: string,
 *   close?: () => Promise<void>,
 * }} about `errors` runs the work: its errors name the file that is read. `title` is the title of the progress line. `close` closes the
 *   inputs.
 */
export async function writeParts(parts, { errors, title, close, ...conversion }) {
  const files = parts.map(({ file }) => file);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  try {
    for (const file of files) file.lock();
    await checkSpace(files, size);
    const starts = await begin(parts, conversion);
    await errors(() => writeAll(parts, starts, size, title));
    // Windows does not replace open files.
    await close?.();
    moveAllIntoPlace(files);
  } catch (error) {
    if (!(error instanceof Refusal)) noteParts(files, errorDetails(error).code);
    throw error;
  } finally {
    for (const file of files) file.unlock();
  }
}

/** A file that can be continued at every position. @param {number} position */
const anywhere = (position) => position;

/**
 * Records what the files are made from.
 *
 * @param {readonly NewPart[]} parts
 * @param {Conversion} conversion
 * @returns {Promise<number[]>} How many bytes of each file are there already.
 */
async function begin(parts, { command, options, isResumed }) {
  const inputs = await openInputs();
  try {
    const begun = [];
    for (const { file, size, header, stream, startBefore = anywhere } of parts) {
      const hash = createHash("sha256").update(await header());
      const output = { size, header: hash.digest("hex") };
      const origin = { version: version(), command, options, output };
      const kept = isResumed
        ? await keptOf(file, { origin, inputs, stream, startBefore })
        : { start: 0, checkpoints: [] };
      begun.push({ file, origin, kept });
    }
    const evidence = [];
    for (const input of inputs) evidence.push(await evidenceOf(input));
    // Done only after all parts have been checked: a part that cannot be continued stays, even after an interruption.
    for (const { file, origin, kept } of begun) {
      file.removeOnInterruption();
      file.begin({ ...origin, inputs: evidence }, kept);
    }
    return begun.map(({ kept }) => kept.start);
  } finally {
    for (const input of inputs) await input.close();
  }
}

/**
 * @param {readonly NewPart[]} parts
 * @param {readonly number[]} starts Where each file is continued.
 * @param {number} size The size of all files.
 * @param {string} title
 */
async function writeAll(parts, starts, size, title) {
  // No server is named if it is silent: converting itself can take long.
  const progress = currentProgress(title);
  let before = starts.reduce((sum, start) => sum + start, 0);
  progress.measure(before);
  try {
    for (const [i, part] of parts.entries()) {
      const start = starts[i] ?? 0;
      const done = before - start;
      await part.file.write(start, part.stream(start), (bytes) => progress.update(done + bytes, size));
      before += part.size - start;
    }
  } finally {
    progress.clear();
  }
}

/**
 * Says what a failure has left.
 *
 * @param {readonly PartFile[]} files
 * @param {string} code The code of the error.
 */
function noteParts(files, code) {
  const paths = files.filter(({ size }) => size > 0).map(({ path }) => path);
  if (paths.length === 0) return;
  const advice = ADVICE_AFTER[code] ?? " The same command with --resume continues with what is not complete.";
  note(safe`gguf-wasm: the work so far is in ${paths.join(", ")}.${advice}\n`);
}

/** What to do with the parts after errors that --resume does not help against. @type {Readonly<Record<string, string>>} */
const ADVICE_AFTER = {
  changed: " It belongs to the file as it was. The same command with --force begins anew with the file as it is.",
  // The same data would fail again.
  "invalid-data": "",
};
