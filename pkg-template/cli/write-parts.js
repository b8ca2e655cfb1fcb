// Writing new files as parts: each is written as NAME.part, and all get their names when all are complete.

import { checkSpace } from "./disk-space.js";
import { Refusal, errorDetails } from "./errors.js";
import { currentProgress, note } from "./output.js";
import { moveAllIntoPlace } from "./output-file.js";
import { safe } from "./safe-text.js";

/** @import { PartFile } from "./part-file.js" */

/**
 * A new file.
 *
 * @typedef {object} NewPart
 * @property {PartFile} file
 * @property {number} size Of the complete file, in bytes.
 * @property {() => Promise<number>} start How many bytes of an earlier part can stay.
 * @property {(start: number) => AsyncIterable<Uint8Array>} stream The bytes of the file from a position on.
 */

/**
 * Writes files. A failure leaves the parts, and says where they are.
 *
 * @param {readonly NewPart[]} parts
 * @param {object} about
 * @param {(work: () => Promise<void>) => Promise<void>} about.errors Runs the work. Its errors name the file that is read.
 * @param {string} about.title The title of the progress.
 * @param {() => Promise<void>} [about.close] Closes what is read.
 */
export async function writeParts(parts, { errors, title, close }) {
  const files = parts.map(({ file }) => file);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  try {
    for (const file of files) file.lock();
    await checkSpace(files, size);
    /** @type {number[]} */
    const starts = [];
    for (const part of parts) starts.push(await part.start());
    for (const file of files) file.removeOnInterruption();
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
  // The same data would fail again.
  const advice = code === "invalid-data" ? "" : " The same command with --resume continues with what is not complete.";
  note(safe`gguf-wasm: the work so far is in ${paths.join(", ")}.${advice}\n`);
}
