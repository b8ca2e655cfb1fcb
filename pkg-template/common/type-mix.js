// The mix of tensor types with the smallest error under a limit, and the rules of `llama-quantize` that give it.

import { GgufError } from "../gguf-error.js";
import { described } from "./given-options.js";
import { meanErrors } from "./mean-errors.js";

/** @import { ConversionTensor, ErrorEstimate, TensorTypeError, TypeMix } from "gguf-wasm/convert" */

/** The error of a type that counts: by importance, if there is any. @param {TensorTypeError} error */
const errorOf = ({ normalisedError, weightedError = normalisedError }) => weightedError;

/**
 * A step to a larger type of a tensor.
 *
 * @typedef {{ tensor: number, type: TensorTypeError, bytes: number, gain: number }} Step
 */

/**
 * @param {{ size: number, tensors: readonly ConversionTensor[] }} plan
 * @param {unknown} given
 * @param {unknown} bytes
 * @returns {TypeMix | undefined}
 */
export function proposeMix(plan, given, bytes) {
  const estimate = checkedEstimate(given, plan.tensors);
  if (typeof bytes !== "number" || !(bytes > 0))
    throw new GgufError("invalid-argument", `bytes is ${described(bytes)}, expected a number of bytes above 0`);
  const { tensors } = estimate;
  const others = plan.size - plan.tensors.reduce((sum, { newByteLength }) => sum + newByteLength, 0);
  /** @type {(TensorTypeError | undefined)[]} */
  const chosen = tensors.map(({ types }) => types[0]);
  let size =
    others + plan.tensors.reduce((sum, { oldByteLength }, i) => sum + (chosen[i]?.byteLength ?? oldByteLength), 0);
  if (size > bytes) return undefined;
  const steps = tensors.flatMap(({ types, elementCount }, tensor) => stepsOf(types, elementCount, tensor));
  // A step is only taken after those before it of the same tensor: they save more error for each byte.
  const stopped = new Set();
  for (const { tensor, type, bytes: more } of steps.sort((a, b) => b.gain - a.gain)) {
    if (stopped.has(tensor)) continue;
    if (size + more > bytes) {
      stopped.add(tensor);
      continue;
    }
    chosen[tensor] = type;
    size += more;
  }
  const types = plan.tensors.map(({ oldType }, i) => chosen[i]?.type ?? oldType);
  const mean = meanErrors(tensors, types);
  return Object.freeze({
    size,
    ...mean,
    fileType: closestFileType(estimate, types),
    tensorTypes: Object.freeze(rulesOf(tensors, types)),
  });
}

/** @param {unknown} given @param {readonly ConversionTensor[]} tensors */
function checkedEstimate(given, tensors) {
  const { tensors: known, fileTypes } = /** @type {Partial<ErrorEstimate>} */ (Object(given));
  const isSame =
    Array.isArray(known) &&
    Array.isArray(fileTypes) &&
    known.length === tensors.length &&
    known.every(({ name }, i) => name === tensors[i]?.name);
  if (!isSame)
    throw new GgufError(
      "invalid-argument",
      `the estimate is ${described(given)}, expected a result of estimateError of this plan`,
    );
  return /** @type {ErrorEstimate} */ (given);
}

/**
 * The steps from the smallest type of a tensor to larger ones. Types that are worse than a line between two others are left out, so that
 * each step saves less error for a byte than the step before it.
 *
 * @param {readonly TensorTypeError[]} types by size
 * @param {number} weights
 * @param {number} tensor
 * @returns {Step[]}
 */
function stepsOf(types, weights, tensor) {
  /** @type {TensorTypeError[]} */
  const hull = [];
  const gain = (/** @type {TensorTypeError} */ from, /** @type {TensorTypeError} */ to) =>
    (errorOf(from) - errorOf(to)) / (to.byteLength - from.byteLength);
  for (const type of types) {
    const last = hull.at(-1);
    if (last && errorOf(type) >= errorOf(last)) continue;
    // Of several types with one size, only the best remains.
    if (last && last.byteLength === type.byteLength) hull.pop();
    while (hull.length > 1) {
      const [before, middle] = /** @type {[TensorTypeError, TensorTypeError]} */ (hull.slice(-2));
      if (gain(before, middle) > gain(middle, type)) break;
      hull.pop();
    }
    hull.push(type);
  }
  const [smallest] = types;
  return hull.flatMap((type, i) => {
    const from = hull[i - 1] ?? (smallest === type ? undefined : smallest);
    if (!from) return [];
    const bytes = type.byteLength - from.byteLength;
    return [{ tensor, type, bytes, gain: bytes > 0 ? gain(from, type) * weights : Infinity }];
  });
}

/** The file type that gives most weights the types of a mix. @param {ErrorEstimate} estimate @param {readonly string[]} types */
function closestFileType({ fileTypes, tensors }, types) {
  const agreeing = (/** @type {readonly string[]} */ own) =>
    tensors.reduce((sum, { elementCount }, i) => sum + (own[i] === types[i] ? elementCount : 0), 0);
  const isQuantized = ({ name = "" }) => !/^(?:ALL_F32|B?F\d+)$/.test(name);
  const [best] = fileTypes
    .filter(isQuantized)
    .map(({ name, types: own }) => ({ name, agrees: agreeing(own) }))
    .sort((a, b) => b.agrees - a.agrees);
  return best?.name ?? "";
}

/** A tensor of a block. */
const OF_BLOCK = /^blk\.(\d+)\.(.+)$/;

/**
 * Rules for all tensors that get another type than they have, or could get one: those of a kind that few blocks have, and then one for all
 * other blocks. No tensor is left to the rules of the file type, because these depend on the tensors before.
 *
 * @param {ErrorEstimate["tensors"]} tensors
 * @param {readonly string[]} types
 */
function rulesOf(tensors, types) {
  /** @type {Map<string, Map<string, string[]>>} */
  const kinds = new Map();
  for (const [i, { name, types: tried }] of tensors.entries()) {
    if (tried.length < 2) continue;
    const [, block = "", kind = name] = OF_BLOCK.exec(name) ?? [];
    const ofKind = kinds.get(kind) ?? new Map();
    kinds.set(kind, ofKind);
    const type = types[i] ?? "";
    ofKind.set(type, [...(ofKind.get(type) ?? []), block]);
  }
  return [...kinds].flatMap(([kind, byType]) => {
    const sorted = [...byType].sort(([, a], [, b]) => a.length - b.length);
    const most = sorted.at(-1)?.[0];
    return sorted.map(([type, blocks]) => {
      if (blocks[0] === "") return `^${escaped(kind)}$=${type.toLowerCase()}`;
      const places = type === most ? "\\d+" : blocks.length === 1 ? blocks[0] : `(${blocks.join("|")})`;
      return `^blk\\.${places}\\.${escaped(kind)}$=${type.toLowerCase()}`;
    });
  });
}

/** @param {string} text */
const escaped = (text) => text.replace(/[^\w]/g, "\\$&");
