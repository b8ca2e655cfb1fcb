// Continuing an unfinished file: whether it is one of this conversion, and how much of it stays.

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { Refusal, aboutFile } from "./errors.js";
import { differenceOf, isWeak } from "./input-evidence.js";
import { currentProgress, note } from "./output.js";
import { readRecord } from "./part-record.js";
import { safe } from "./safe-text.js";
import { counted } from "./text.js";

/** @import { FileHandle } from "node:fs/promises" */
/** @import { ConversionPlan } from "gguf-wasm/convert" */
/** @import { Evidence, OpenedInput } from "./input-evidence.js" */
/** @import { PartFile } from "./part-file.js" */
/** @import { Checkpoint, Origin } from "./part-record.js" */

/** The bytes of a part that are read at once. */
const READ = 1 << 20;

/** At how many places a part is compared with the new file, and how many bytes there, if little is recorded of an input. */
const PLACES = 64;
const COMPARED = 1 << 16;

/** The most characters of a text of a record in a message. */
const LONGEST = 100;

/** What stays of a part. @typedef {{ start: number, checkpoints: Checkpoint[] }} Kept */

/**
 * The last position up to which a converted file can stay: the beginning of the tensor that contains `position`.
 *
 * @param {ConversionPlan} plan
 * @param {number} file The number of the file in the plan.
 * @param {number} position
 */
export function tensorStart(plan, file, position) {
  if (position >= (plan.files[file]?.size ?? 0)) return position;
  return plan.layout(file).findLast((tensor) => tensor.position <= position)?.position ?? 0;
}

/**
 * What stays of a part.
 *
 * @param {PartFile} part
 * @param {object} conversion
 * @param {Omit<Origin, "inputs">} conversion.origin
 * @param {readonly OpenedInput[]} conversion.inputs
 * @param {(start: number) => AsyncIterable<Uint8Array>} conversion.stream The bytes of the new file from a position on.
 * @param {(position: number) => number} conversion.startBefore The last position up to which the file can stay.
 * @returns {Promise<Kept>} With `start` 0 if there is no part.
 * @throws {Refusal} `foreign-part` if the part is not known to be the beginning of this file.
 */
export async function keptOf(part, { origin, inputs, stream, startBefore }) {
  const { size } = part;
  if (size === 0) return { start: 0, checkpoints: [] };
  const record = readRecord(part.recordPath);
  if (!record) throw hasNoRecord(part);
  const reason =
    programDifference(record.origin, origin) ??
    (await inputDifference(record.origin.inputs, inputs)) ??
    outputDifference(record.origin, origin);
  if (reason !== undefined) throw isForeign(part, reason);
  return aboutFile(part.path, async () => {
    const progress = currentProgress(`Checking ${part.path}`);
    const handle = await open(part.path);
    try {
      const kept = await keptBytes({ part, handle, progress }, record.checkpoints, startBefore);
      if (record.origin.inputs.some(isWeak)) await comparePlaces({ part, handle }, kept.start, stream, startBefore);
      return kept;
    } finally {
      await handle.close();
      progress.clear();
    }
  });
}

/**
 * How this run differs from the run that began the part: version, command, options.
 *
 * @param {Origin} recorded
 * @param {Omit<Origin, "inputs">} origin
 */
function programDifference({ version, command, options }, origin) {
  if (version !== origin.version) {
    return `the version ${short(version)} of gguf-wasm has begun it, and this is ${origin.version}`;
  }
  if (command !== origin.command) return `the command ${short(command)} has begun it`;
  for (const name of new Set([...Object.keys(options), ...Object.keys(origin.options)])) {
    const [then, now] = [textOf(options[name]), textOf(origin.options[name])];
    if (then !== now) return `${name} was ${short(then)}, and is ${short(now)}`;
  }
  return undefined;
}

/**
 * How the new file differs from the file that the part belongs to.
 *
 * @param {Origin} recorded
 * @param {Omit<Origin, "inputs">} origin
 */
function outputDifference({ output }, { output: { size, header } }) {
  if (output.size !== size) return `the new file has ${size} bytes, not ${output.size}`;
  return output.header === header ? undefined : "the new file has another header";
}

/**
 * How the inputs differ from the inputs that the part was made from.
 *
 * @param {readonly Evidence[]} recorded
 * @param {readonly OpenedInput[]} inputs
 */
async function inputDifference(recorded, inputs) {
  if (recorded.length !== inputs.length) {
    const names = inputs.map(({ name }) => name).join(", ");
    return `it is made from ${counted(recorded.length, "file")}, and the command reads ${inputs.length}: ${names}`;
  }
  for (const [i, input] of inputs.entries()) {
    const then = recorded[i];
    const difference = then && (await differenceOf(then, input));
    if (difference === undefined) continue;
    return `it is made from another ${input.name}: ${difference}`;
  }
  const weak = recorded.filter(isWeak).map(({ name }) => short(name));
  if (weak.length > 0) {
    const what = "only its size, its first bytes and some places of the new file are compared";
    note(safe`gguf-wasm: the server gave no ETag and no date for ${weak.join(", ")}: ${what}.\n`);
  }
  return undefined;
}

/**
 * Compares the bytes of a part with the hashes of its record.
 *
 * @param {{ part: PartFile, handle: FileHandle, progress: { update(bytes: number, total: number): void } }} opened
 * @param {readonly Checkpoint[]} checkpoints
 * @param {(position: number) => number} startBefore
 * @returns {Promise<Kept>}
 */
async function keptBytes({ part, handle, progress }, checkpoints, startBefore) {
  const { size } = part;
  /** @type {Checkpoint[]} */
  const kept = [];
  let end = 0;
  // After a crash of the system, the part can be shorter than its record says.
  const written = checkpoints.filter(({ position }) => position <= size);
  for (const checkpoint of written) {
    if ((await hashOf(handle, end, checkpoint.position)) !== checkpoint.sha256) break;
    kept.push(checkpoint);
    end = checkpoint.position;
    progress.update(end, size);
  }
  if (end === 0 && written.length > 0) throw isForeign(part, "its bytes are not those that were written");
  const start = startBefore(end);
  const before = kept.filter(({ position }) => position <= start);
  const last = before.at(-1)?.position ?? 0;
  if (start > last) before.push({ position: start, sha256: await hashOf(handle, last, start) });
  return { start, checkpoints: before };
}

/**
 * Compares a part with the new file at some places.
 *
 * @param {{ part: PartFile, handle: FileHandle }} opened
 * @param {number} end How many bytes of the part stay.
 * @param {(start: number) => AsyncIterable<Uint8Array>} stream
 * @param {(position: number) => number} startBefore
 */
async function comparePlaces({ part, handle }, end, stream, startBefore) {
  const places = new Set(Array.from({ length: PLACES }, (_, i) => startBefore(Math.floor((end * i) / PLACES))));
  for (const place of places) {
    const last = Math.min(end, place + COMPARED);
    const hash = createHash("sha256");
    let position = place;
    for await (const chunk of stream(place)) {
      const expected = chunk.subarray(0, last - position);
      hash.update(expected);
      position += expected.length;
      if (position >= last) break;
    }
    if (hash.digest("hex") !== (await hashOf(handle, place, last))) {
      throw isForeign(part, `it has other data after offset ${place}`);
    }
  }
}

/**
 * @param {FileHandle} handle
 * @param {number} start
 * @param {number} end
 * @returns {Promise<string>} Empty if the part has fewer bytes.
 */
async function hashOf(handle, start, end) {
  const hash = createHash("sha256");
  const bytes = Buffer.alloc(Math.min(READ, end - start));
  for (let position = start; position < end;) {
    const { bytesRead } = await handle.read(bytes, 0, Math.min(bytes.length, end - position), position);
    if (bytesRead === 0) return "";
    hash.update(bytes.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest("hex");
}

/** The value of an option in a message. @param {unknown} value */
const textOf = (value) => JSON.stringify(value) ?? "not given";

/** @param {string} text */
const short = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/**
 * @param {PartFile} part
 * @param {string} reason
 */
function isForeign({ path }, reason) {
  const advice =
    "Give the same files, arguments and options as at its beginning, or begin anew: --force without --resume.";
  return new Refusal("foreign-part", `${path}: it is no part of this conversion: ${reason}. ${advice}`);
}

/** @param {PartFile} part */
function hasNoRecord({ path, recordPath }) {
  return new Refusal(
    "foreign-part",
    `${path}: nothing shows that it is a part of this conversion, because its record ${recordPath} is missing or damaged. ` +
      "Begin anew: --force without --resume.",
  );
}
