// The recorded runs of llama-quantize, and how their options are called in JavaScript.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { json, read } from "../corpus.mjs";

/** @import { RequantizeOptions } from "gguf-wasm/convert" */

/**
 * A run of llama-quantize.
 *
 * @typedef {object} Run
 * @property {string} id
 * @property {string} source
 * @property {string} target
 * @property {string[]} options
 * @property {number} exit
 * @property {number} [size]
 * @property {string} [sha256]
 * @property {{ size: number, sha256: string }[]} [outputs] With `--keep-split`.
 */

/**
 * A run of the corpus.
 *
 * @param {string} index
 * @param {string} id
 * @returns {Run}
 */
export function run(index, id) {
  const found = json(`quantize/index-${index}.json`).runs.find((/** @type {Run} */ run) => run.id === id);
  assert.ok(found, `${index} has no run ${id}`);
  return found;
}

/** A file of the runs. @param {string} name */
export const file = (name) => read(`quantize/${name}`);

/** The shards of the small model, in their order. */
export const SHARDS = [1, 2, 3].map((number) => `tiny-split-0000${number}-of-00003.gguf`);

/** The options of `llama-quantize` without a value. @type {Record<string, keyof RequantizeOptions>} */
const FLAGS = { "--pure": "pure", "--leave-output-tensor": "leaveOutputTensor", "--keep-split": "keepSplit" };

/**
 * The options of a run, as `requantize` takes them.
 *
 * @param {Run} run
 * @returns {RequantizeOptions}
 */
export function optionsOf({ target, options }) {
  /** @type {RequantizeOptions & { tensorTypes: string[] }} */
  const given = { type: target, tensorTypes: [] };
  const rest = [...options];
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    const flag = FLAGS[option];
    if (flag) {
      Object.assign(given, { [flag]: true });
      continue;
    }
    const value = String(rest.shift());
    if (option === "--imatrix") Object.assign(given, { imatrix: file(value), imatrixFileName: value });
    else if (option === "--output-tensor-type") given.outputTensorType = value;
    else if (option === "--token-embedding-type") given.tokenEmbeddingType = value;
    else if (option === "--tensor-type") given.tensorTypes.push(value);
    else assert.fail(`option ${option}`);
  }
  return given;
}

/** @param {Uint8Array} bytes */
export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** All bytes of a stream. @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream */
export const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());
