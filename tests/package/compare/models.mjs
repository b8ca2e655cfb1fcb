// Models for comparing, whose tensors have data that can be told apart, and sources that count what is read.

import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { generator } from "../../support/chance.mjs";

export const [F32, F16, I8, BF16, UNKNOWN] = [0, 1, 24, 30, 137];

/**
 * @typedef {object} TensorOf
 * @property {string} name
 * @property {number} [type] Default: I8.
 * @property {number[]} [dimensions] Default: one dimension with as many elements as bytes.
 * @property {Uint8Array} data
 */

/**
 * A file with these tensors.
 *
 * @param {readonly TensorOf[]} tensors
 * @param {{ template?: string, bigEndian?: boolean, entries?: Parameters<typeof ggufBytes>[0] }} [options]
 */
export function modelOf(tensors, { template = "{{ a }}", bigEndian = false, entries = [] } = {}) {
  const file = ggufBytes(
    [["general.architecture", text("llama")], ["tokenizer.chat_template", text(template)], ...entries],
    tensors.map(({ name, type = I8, dimensions, data }) => ({
      name,
      dimensions: dimensions ?? [data.length],
      type,
      bytes: data.length,
    })),
    3,
    bigEndian,
  );
  const padded = tensors.map(({ data }) => Math.ceil(data.length / 32) * 32);
  let at = file.length - padded.reduce((sum, bytes) => sum + bytes, 0);
  for (const [index, { data }] of tensors.entries()) {
    file.set(data, at);
    at += padded[index] ?? 0;
  }
  return file;
}

/** Random bytes. @param {number} length @param {number} seed */
export function randomBytes(length, seed) {
  const random = generator(seed);
  return Uint8Array.from({ length }, () => random() * 256);
}

/** Random numbers around zero, as F32. @param {number} count @param {number} seed */
export function randomFloats(count, seed) {
  const random = generator(seed);
  return Float32Array.from({ length: count }, () => random() * 4 - 2);
}

/** The bytes of numbers. @param {ArrayBufferView} numbers */
export const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** A source that counts what is read of a file. @param {Uint8Array} file */
export function counting(file) {
  /** @type {[number, number][]} */
  const ranges = [];
  return {
    size: file.length,
    ranges,
    /** Bytes that were read since the last call. */
    taken() {
      const bytes = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
      ranges.length = 0;
      return bytes;
    },
    /** @param {number} start @param {number} end */
    read(start, end) {
      ranges.push([start, end]);
      return Promise.resolve(file.slice(start, end));
    },
  };
}
