// Continuing a conversion: how much of a part can stay.

import { open } from "node:fs/promises";
import { Refusal, aboutFile } from "./errors.js";

/** @import { FileHandle } from "node:fs/promises" */
/** @import { ConversionPlan } from "gguf-wasm/convert" */
/** @import { PartFile } from "./part-file.js" */

/** The most bytes of a converted tensor that are compared. */
const MOST_COMPARED = 1 << 20;

/**
 * The position at which a conversion continues a part: the beginning of the first tensor that is not complete.
 *
 * @param {PartFile} part
 * @param {ConversionPlan} plan
 * @param {number} file The number of the file in the plan.
 * @returns {Promise<number>} 0 if nothing of the part can stay.
 * @throws {Refusal} `foreign-part` if the part is not the beginning of this file.
 */
export async function resumePosition(part, plan, file) {
  const { size } = part;
  if (size === 0) return 0;
  return aboutFile(part.path, async () => {
    const handle = await open(part.path);
    try {
      return await checkedPosition({ part, handle, size }, plan, file);
    } finally {
      await handle.close();
    }
  });
}

/**
 * The position at which a file that is computed when it is read continues a part: its end.
 *
 * @param {PartFile} part
 * @param {{ readonly size: number, read(start: number, end: number): Promise<Uint8Array> }} plan
 * @returns {Promise<number>} 0 if there is no part.
 * @throws {Refusal} `foreign-part` if the part is not the beginning of this file.
 */
export async function computedPosition(part, plan) {
  const { size } = part;
  if (size === 0) return 0;
  if (size > plan.size) throw isForeign(part, `it has ${size} bytes, expected at most ${plan.size}`);
  return aboutFile(part.path, async () => {
    const handle = await open(part.path);
    try {
      // The beginning has the header, and so the answers. The end has the data that was written last.
      for (const start of [0, Math.max(0, size - MOST_COMPARED)]) {
        const expected = await plan.read(start, Math.min(size, start + MOST_COMPARED));
        if (!(await hasBytes(handle, start, expected)))
          throw isForeign(part, `it has other data after offset ${start}`);
      }
    } finally {
      await handle.close();
    }
    return size;
  });
}

/**
 * @param {{ part: PartFile, handle: FileHandle, size: number }} opened
 * @param {ConversionPlan} plan
 * @param {number} file
 */
async function checkedPosition({ part, handle, size }, plan, file) {
  const header = plan.headerBytes(file);
  const total = plan.files[file]?.size ?? 0;
  const start = header.subarray(0, size);
  if (size > total) throw isForeign(part, `it has ${size} bytes, expected at most ${total}`);
  if (!(await hasBytes(handle, 0, start))) throw isForeign(part, "it has another header");
  if (size < header.length) return 0;
  const tensors = plan.layout(file);
  // A tensor is complete if its padding is.
  const ends = tensors.map((_, i) => tensors[i + 1]?.position ?? total);
  const complete = tensors.filter((_, i) => (ends[i] ?? total) <= size);
  // Models with equal headers can have different data, and importance matrices with equal names different numbers.
  const isConverted = (/** @type {{ row: number }} */ { row }) =>
    plan.tensors[row]?.oldType !== plan.tensors[row]?.newType;
  const checked = complete.findLast(isConverted) ?? complete.at(-1);
  if (checked && !(await hasData(handle, plan, file, checked))) {
    const { name = "" } = plan.tensors[checked.row] ?? {};
    throw isForeign(part, `its tensor "${name}" has other data`);
  }
  return tensors[complete.length]?.position ?? total;
}

/**
 * Whether the part has the data of a tensor. The beginning of the tensor is converted once more.
 *
 * @param {FileHandle} handle
 * @param {ConversionPlan} plan
 * @param {number} file
 * @param {{ position: number, byteLength: number }} tensor
 */
async function hasData(handle, plan, file, { position, byteLength }) {
  const end = position + Math.min(byteLength, MOST_COMPARED);
  let compared = position;
  for await (const chunk of plan.stream({ file, start: position })) {
    const expected = chunk.subarray(0, end - compared);
    if (!(await hasBytes(handle, compared, expected))) return false;
    compared += expected.length;
    if (compared >= end) break;
  }
  return true;
}

/**
 * @param {FileHandle} handle
 * @param {number} position
 * @param {Uint8Array} expected
 */
async function hasBytes(handle, position, expected) {
  const found = Buffer.alloc(expected.length);
  for (let done = 0; done < found.length;) {
    const { bytesRead } = await handle.read(found, done, found.length - done, position + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return found.equals(expected);
}

/**
 * @param {PartFile} part
 * @param {string} reason
 */
function isForeign({ path }, reason) {
  const advice = "Give the same arguments and options as at its beginning, or begin anew: --force without --resume.";
  return new Refusal("foreign-part", `${path}: it is no part of this conversion: ${reason}. ${advice}`);
}
