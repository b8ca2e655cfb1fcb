// The error of a whole model, from those of its tensors.

/** @import { MixError, TensorErrors, TensorTypeError } from "gguf-wasm/convert" */

/** @param {TensorTypeError[]} types */
export const typesBySize = (types) =>
  Object.freeze(types.sort((a, b) => a.byteLength - b.byteLength || b.normalisedError - a.normalisedError));

/**
 * The mean of the errors of tensors with some types, each counted by its number of weights. Tensors whose errors are not known are left out.
 *
 * @param {readonly TensorErrors[]} tensors
 * @param {readonly string[]} types the type of each tensor
 * @returns {Omit<MixError, "size">}
 */
export function meanErrors(tensors, types) {
  const sums = { weights: 0, normalisedError: 0, weightedError: 0, weightedErrorWithoutImportance: 0 };
  const has = (/** @type {string} */ member) => tensors.some(({ types }) => types.some((one) => member in one));
  /** Whether a type of the model cannot be made without importance. */
  let needsImportance = false;
  for (const [i, tensor] of tensors.entries()) {
    const error = tensor.types.find(({ type }) => type === types[i]);
    if (!error) continue;
    const { normalisedError, weightedError = normalisedError } = error;
    const { weightedErrorWithoutImportance = weightedError } = error;
    needsImportance ||= "weightedError" in error && !("weightedErrorWithoutImportance" in error);
    const { elementCount } = tensor;
    sums.weights += elementCount;
    sums.normalisedError += elementCount * normalisedError;
    sums.weightedError += elementCount * weightedError;
    sums.weightedErrorWithoutImportance += elementCount * weightedErrorWithoutImportance;
  }
  const mean = (/** @type {number} */ sum) => (sums.weights > 0 ? sum / sums.weights : 0);
  return {
    normalisedError: mean(sums.normalisedError),
    ...(has("weightedError") && { weightedError: mean(sums.weightedError) }),
    ...(has("weightedErrorWithoutImportance") &&
      !needsImportance && { weightedErrorWithoutImportance: mean(sums.weightedErrorWithoutImportance) }),
    types: Object.freeze([...types]),
  };
}
