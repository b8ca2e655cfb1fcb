// What shows later that a command reads the same files again: their sizes, their times, what servers say, and their content.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { hasChanged } from "./changed-file.js";
import { commandInputs } from "./inputs.js";
import { openRemoteInput } from "./remote-input.js";

/** @import { LocalInput } from "./inputs.js" */

/** The bytes of a block that is compared. */
export const BLOCK = 1 << 16;

/** The most blocks that are compared. A file that has no more bytes is compared whole. */
export const MOST_BLOCKS = 512;

/** The fewest blocks of a local file. Many large files share the time that the blocks of one take. */
const LEAST_BLOCKS = 32;

/**
 * An input that is open.
 *
 * @typedef {object} OpenedInput
 * @property {string} name
 * @property {number} size
 * @property {number} blocks How many blocks are recorded.
 * @property {string} [etag] What the server calls this version.
 * @property {string} [time] When the file was written.
 * @property {string} [change] The file on its disk, and its last change, which no program can set back.
 * @property {(start: number, end: number) => Promise<Uint8Array>} read
 * @property {() => Promise<void>} close
 *
 * What is recorded of an input.
 *
 * @typedef {Omit<OpenedInput, "read" | "close"> & { sha256: string }} Evidence
 */

/** Opens the files that the command has read so far. @returns {Promise<OpenedInput[]>} In the order in which it has read them. */
export async function openInputs() {
  const inputs = commandInputs();
  const large = inputs.filter(({ stats }) => stats && stats.size > MOST_BLOCKS * BLOCK).length;
  const blocks = Math.max(LEAST_BLOCKS, Math.floor(MOST_BLOCKS / large));
  /** @type {OpenedInput[]} */
  const opened = [];
  for (const input of inputs) {
    const file = input.stats ? await openLocalInput(input, blocks) : await openRemoteInput(input);
    // An optional file can be missing on a server.
    if (file) opened.push(file);
  }
  return opened;
}

/**
 * @param {LocalInput} input
 * @param {number} blocks How many are recorded of a large file.
 * @returns {Promise<OpenedInput>}
 */
async function openLocalInput({ name, path, stats }, blocks) {
  const handle = await open(path);
  const { size, mtimeNs } = stats;
  return {
    name,
    size: Number(size),
    blocks: size > MOST_BLOCKS * BLOCK ? blocks : MOST_BLOCKS,
    time: `file ${mtimeNs}`,
    change: `${stats.dev}:${stats.ino} ${stats.ctimeNs}`,
    async read(start, end) {
      const bytes = Buffer.alloc(end - start);
      for (let done = 0; done < bytes.length;) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done);
        if (bytesRead === 0) throw hasChanged(name);
        done += bytesRead;
      }
      const now = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (now?.size !== size || now.mtimeNs !== mtimeNs) throw hasChanged(name);
      return bytes;
    },
    close: () => handle.close(),
  };
}

/** What is recorded of an input. @param {OpenedInput} input @returns {Promise<Evidence>} */
export async function evidenceOf(input) {
  const { name, size, blocks, etag, time, change } = input;
  const sha256 = await hashOf(input, blocks);
  return { name, size, blocks, sha256, ...(etag && { etag }), ...(time && { time }), ...(change && { change }) };
}

/**
 * The hash of some blocks of a file, or of all of it if it is small.
 *
 * @param {OpenedInput} input
 * @param {number} blocks
 */
async function hashOf(input, blocks) {
  const hash = createHash("sha256");
  for (const [start, end] of rangesOf(input.size, blocks)) hash.update(await input.read(start, end));
  return hash.digest("hex");
}

/** Whether this number of blocks is the whole file. @param {{ size: number }} file @param {number} blocks */
const isWhole = ({ size }, blocks) => size <= blocks * BLOCK;

/**
 * The ranges that are compared: blocks at equal distances, the first at the start and the last at the end.
 *
 * @param {number} size
 * @param {number} blocks
 * @returns {Iterable<[number, number]>}
 */
function* rangesOf(size, blocks) {
  if (size <= blocks * BLOCK) {
    if (size > 0) yield [0, size];
    return;
  }
  for (let i = 0; i < blocks; i++) {
    const start = blocks === 1 ? 0 : Math.floor(((size - BLOCK) * i) / (blocks - 1));
    yield [start, start + BLOCK];
  }
}

/**
 * How an input differs from the one that was recorded.
 *
 * @param {Evidence} recorded
 * @param {OpenedInput} input
 * @returns {Promise<string | undefined>} A part of a sentence about the input, or `undefined` if it is the same.
 */
export async function differenceOf(recorded, input) {
  const { size, blocks, etag, time, change, sha256 } = recorded;
  if (input.size !== size) return `it has ${input.size} bytes, not ${size}`;
  const hasSameContent = async () => (await hashOf(input, blocks)) === sha256;
  if (isWhole(input, blocks)) return (await hasSameContent()) ? undefined : "its content is different";
  if (etag && input.etag) {
    if (etag !== input.etag) return `the server says that it is another version: ETag ${input.etag}, not ${etag}`;
  } else if (time && input.time && kindOf(time) === kindOf(input.time)) {
    if (time !== input.time || isChangedAgain(change, input.change)) {
      return "it has been written to, or has another time. If its content is the same, nothing shows that";
    }
  } else if (etag || time) {
    return "it is in another place, and nothing shows that it is the same file";
  }
  return (await hasSameContent()) ? undefined : "its content is different";
}

/**
 * Whether little is recorded of an input, because its server says nothing about its version.
 *
 * @param {Evidence} recorded
 */
export const isWeak = ({ size, blocks, etag, time }) => !etag && !time && !isWhole({ size }, blocks);

/** Whether a time is that of a file or of a server. @param {string} time */
const kindOf = (time) => time.split(" ")[0];

/** Whether a file at its old place was changed after its time was set back. @param {string} [recorded] @param {string} [now] */
function isChangedAgain(recorded, now) {
  return recorded !== undefined && now !== undefined && recorded !== now && kindOf(recorded) === kindOf(now);
}
