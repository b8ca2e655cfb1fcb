// What an unfinished file was made from, and how far it goes: a file beside the part. Its first line is JSON; each further line has a
// position in the part and the hash of the bytes since the position before it. An incomplete line is ignored.

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { unfinishedPath } from "../unfinished-file.js";
import { MOST_BLOCKS } from "./input-evidence.js";

/** @import { Evidence } from "./input-evidence.js" */

/** The version of the layout of records. */
const FORMAT = 1;

/** The most bytes of a record. A part of 1 TB has a record of 2 MB. */
const LONGEST_RECORD = 16 << 20;

/** The fewest bytes between two positions, and the share of the file that is repeated at most. */
const LEAST_STEP = 1 << 16;
const LARGEST_SHARE = 1 / 1024;

/**
 * What an unfinished file is made from.
 *
 * @typedef {object} Origin
 * @property {string} version The version of the program.
 * @property {string} command
 * @property {Readonly<Record<string, unknown>>} options Those that decide about the bytes of the file.
 * @property {readonly Evidence[]} inputs
 * @property {{ size: number, header: string }} output The size of the complete file, and the hash of its header.
 *
 * @typedef {{ position: number, sha256: string }} Checkpoint
 */

/** The record of a part that is written. */
export class PartRecord {
  #descriptor;
  #position = 0;
  #written = 0;
  #hash = createHash("sha256");

  /** @param {number} descriptor */
  constructor(descriptor) {
    this.#descriptor = descriptor;
  }

  /**
   * Writes a new record, which replaces an older one.
   *
   * @param {string} path
   * @param {Origin} origin
   * @param {readonly Checkpoint[]} checkpoints The checkpoints of the bytes that stay.
   */
  static create(path, origin, checkpoints) {
    // A link or a pipe of somebody else may be at the path. So the record is written beside it, and moved there.
    const unfinished = unfinishedPath(path);
    const descriptor = openSync(unfinished, "wx", 0o600);
    try {
      const record = new PartRecord(descriptor);
      writeAll(descriptor, `${JSON.stringify({ format: FORMAT, ...origin })}\n`);
      for (const { position, sha256 } of checkpoints) record.#append(position, sha256);
      renameSync(unfinished, path);
      return record;
    } catch (error) {
      closeSync(descriptor);
      rmSync(unfinished, { force: true });
      throw error;
    }
  }

  /** Bytes that have been written to the part. @param {Uint8Array} bytes */
  add(bytes) {
    this.#hash.update(bytes);
    this.#written += bytes.length;
    const step = Math.max(LEAST_STEP, this.#written * LARGEST_SHARE);
    if (this.#written - this.#position >= step) this.#checkpoint();
  }

  /** Ends the record: a later run can continue after the last bytes. */
  close() {
    try {
      if (this.#written > this.#position) this.#checkpoint();
    } catch {
      // The disk is full. A later run repeats the last step.
    } finally {
      closeSync(this.#descriptor);
    }
  }

  #checkpoint() {
    this.#append(this.#written, this.#hash.digest("hex"));
    this.#hash = createHash("sha256");
  }

  /** @param {number} position @param {string} sha256 */
  #append(position, sha256) {
    writeAll(this.#descriptor, `${position} ${sha256}\n`);
    this.#position = position;
    this.#written = position;
  }
}

/** @param {number} descriptor @param {string} text */
function writeAll(descriptor, text) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
}

/**
 * Reads a record. It can be from anybody, so all of it is checked.
 *
 * @param {string} path
 * @returns {{ origin: Origin, checkpoints: Checkpoint[] } | undefined} `undefined` if there is no record that can be read.
 */
export function readRecord(path) {
  const [first = "", ...lines] = textOf(path).split("\n");
  // The last line is empty or incomplete.
  lines.pop();
  const origin = originOf(first);
  if (!origin) return undefined;
  /** @type {Checkpoint[]} */
  const checkpoints = [];
  let before = 0;
  for (const line of lines) {
    const [, digits, sha256] = /^(\d{1,16}) ([0-9a-f]{64})$/.exec(line) ?? [];
    const position = Number(digits);
    if (sha256 === undefined || position <= before || position > origin.output.size) break;
    checkpoints.push({ position, sha256 });
    before = position;
  }
  return { origin, checkpoints };
}

/** The text of a record. Empty if there is none. @param {string} path */
function textOf(path) {
  /** @type {number | undefined} */
  let descriptor;
  try {
    // A pipe without a writer would never be read to its end.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > LONGEST_RECORD) return "";
    const bytes = Buffer.alloc(stats.size);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read) {
      read = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
    }
    return bytes.toString("utf8", 0, filled);
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** @param {string} line @returns {Origin | undefined} */
function originOf(line) {
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { format, version, command, options, inputs, output } = /** @type {Record<string, unknown>} */ (value ?? {});
  const { size, header } = /** @type {Record<string, unknown>} */ (output ?? {});
  const isWhole =
    format === FORMAT &&
    typeof version === "string" &&
    typeof command === "string" &&
    typeof options === "object" &&
    options !== null &&
    Array.isArray(inputs) &&
    inputs.every(isEvidence) &&
    isSize(size) &&
    isHash(header);
  return isWhole ? /** @type {Origin} */ (value) : undefined;
}

/** @param {unknown} value */
function isEvidence(value) {
  const { name, size, blocks, sha256, ...rest } = /** @type {Record<string, unknown>} */ (value ?? {});
  const isCount = isSize(blocks) && blocks >= 1 && blocks <= MOST_BLOCKS;
  const texts = [rest["etag"], rest["time"], rest["change"]];
  const areTexts = texts.every((text) => text === undefined || typeof text === "string");
  return typeof name === "string" && isSize(size) && isCount && isHash(sha256) && areTexts;
}

/** @param {unknown} value @returns {value is number} */
const isSize = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** @param {unknown} value */
const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
