// Some rows of a tensor before and after a conversion.

import { GgufError } from "../gguf-error.js";
import { checkedOptions, described, isCount } from "./given-options.js";

/** @import { ConversionTensor, GgmlTypeInfo, TriedRows } from "gguf-wasm/convert" */
/** @import { Sample } from "./tensor-trial.js" */

/** @type {import("./given-options.js").KnownOptions} */
const OPTIONS = {
  type: ["the name of a tensor type", (value) => typeof value === "string"],
  firstRow: ["a whole number from 0", (value) => value === 0 || isCount(value)],
  rowCount: ["a whole number from 1", isCount],
  signal: ["an AbortSignal", (value) => typeof value?.throwIfAborted === "function"],
};

/**
 * @param {{ _sampleRows(tensor: number, first: number, count: number, options: object): Promise<Sample> }} plan
 * @param {readonly ConversionTensor[]} tensors
 * @param {unknown} wanted
 * @param {unknown} given
 * @param {{ runJob: (job: object) => object, ggmlTypes: () => readonly GgmlTypeInfo[] }} host
 * @returns {Promise<TriedRows>}
 */
export async function tryRows(plan, tensors, wanted, given, { runJob, ggmlTypes }) {
  const options = checkedOptions(given, OPTIONS);
  const { signal, firstRow = 0, rowCount: most = 16 } = options;
  signal?.throwIfAborted();
  const position = positionOf(tensors, wanted);
  const { name, dimensions, newType } = /** @type {ConversionTensor} */ (tensors[position]);
  const types = ggmlTypes();
  const numberOf = (/** @type {string} */ type) => types.find((info) => info.name === type.toUpperCase())?.id;
  const type = options.type ?? newType;
  const target = numberOf(type) ?? types.find((info) => info.name.toLowerCase() === type.toLowerCase())?.id;
  if (target === undefined)
    throw new GgufError("invalid-argument", `options.type is ${described(type)}, expected the name of a tensor type`);
  const inMatrix = dimensions[1] ?? 1;
  const rowCount = Math.min(most, inMatrix - (firstRow % inMatrix));
  const sample = await plan._sampleRows(position, firstRow, rowCount, { signal });
  const f32 = numberOf("F32");
  const numbers = (/** @type {object} */ job) =>
    floatsOf(bytesOf(runJob({ ...job, targetType: f32, importance: undefined }), name), sample.isBigEndian);
  const original = numbers({ ...sample, rows: sample.rows.slice() });
  const rows = bytesOf(runJob({ ...sample, rows: sample.rows.slice(), targetType: target }), name);
  const converted = target === sample.sourceType ? original.slice() : numbers({ ...sample, rows, sourceType: target });
  const { name: typeName = type } = types.find(({ id }) => id === target) ?? {};
  return Object.freeze({ type: typeName, firstRow, rowCount, columns: sample.rowLength, original, converted });
}

/** @param {readonly ConversionTensor[]} tensors @param {unknown} wanted */
function positionOf(tensors, wanted) {
  if (typeof wanted === "number") {
    if (Number.isInteger(wanted) && wanted >= 0 && wanted < tensors.length) return wanted;
    throw new GgufError("out-of-range", `there is no tensor ${wanted}: the plan has ${tensors.length}`);
  }
  const name = typeof wanted === "string" ? wanted : Object(wanted).name;
  const position = tensors.findIndex((tensor) => tensor.name === name);
  if (position >= 0) return position;
  if (typeof name === "string") throw new GgufError("unknown-tensor", `the plan has no tensor ${described(name)}`);
  throw new GgufError(
    "invalid-argument",
    `the tensor is ${described(wanted)}, expected a name, a position, or an object of plan.tensors`,
  );
}

/** The bytes that a job has made. @param {any} outcome @param {string} name */
function bytesOf({ bytes, invalidBlock, isSource }, name) {
  if (invalidBlock === undefined) return bytes;
  const what = isSource ? "a row contains a NaN or an infinity" : "a row has numbers that are too large for the type";
  throw new GgufError("invalid-data", `rows of tensor ${described(name)} cannot be converted: ${what}`);
}

/**
 * Numbers of F32.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {boolean} isBigEndian
 */
function floatsOf(bytes, isBigEndian) {
  const copy = bytes.slice();
  // To reverse all bytes, and then the elements, reverses the bytes of each element.
  if (!isBigEndian) return new Float32Array(copy.buffer);
  return new Float32Array(copy.reverse().buffer).reverse();
}
