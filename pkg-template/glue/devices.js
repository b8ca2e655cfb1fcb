// What callers say about the devices of an estimate.
//
// Members of callers' objects can throw. Nothing here does.

/** @import { MemoryEstimate, TensorOverride } from "gguf-wasm/full" */

/**
 * Numbers from 0 on, alone or in an array. `undefined` in it is NaN. `undefined` if there is something else.
 *
 * @param {unknown} given
 */
export function givenNumbers(given) {
  try {
    const list = typeof given === "number" ? [given] : given;
    const isKnown = (/** @type {unknown} */ number) =>
      number === undefined || (typeof number === "number" && number >= 0);
    return Array.isArray(list) && list.every(isKnown) ? Float64Array.from(list, (number) => number ?? NaN) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The parts of the GPU and of the CPU of several estimates: weights, cache, state, output, and the range of the compute buffer. `undefined`
 * if the list contains anything but estimates, or an estimate with several GPUs.
 *
 * @param {readonly MemoryEstimate[]} estimates
 */
export function devicePartsOf(estimates) {
  try {
    /** @type {unknown[]} */
    const parts = estimates.flatMap(({ devices: [gpu, cpu, more] }) =>
      [gpu, cpu].flatMap(
        /** @returns {unknown[]} */ ({ name, weights, cache, state, output, compute }) =>
          // All other members can be unknown.
          typeof name === "string" && !more ? [weights, cache, state, output, compute?.low, compute?.high] : [name],
      ),
    );
    return parts.length === 12 * estimates.length ? givenNumbers(parts) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where the first pattern that matches a tensor puts it: the number of a card, -1 for the CPU, -2 if no pattern matches. NaN if there is
 * something else than patterns with devices. llama.cpp has the grammar of JavaScript: that of ECMAScript in C++.
 *
 * @param {readonly TensorOverride[]} overrides
 * @param {string} name
 */
export function deviceOf(overrides, name) {
  try {
    let found = -2;
    for (const { pattern, device } of overrides) {
      const isPattern = typeof pattern === "string" || pattern instanceof RegExp;
      const isDevice = device === "CPU" || (Number.isInteger(device) && device >= 0);
      if (!isPattern || !isDevice) return NaN;
      // The flags `g` and `y` would continue at the end of the last match.
      const flags = typeof pattern === "string" ? "" : pattern.flags.replace(/[gy]/g, "");
      const matches = new RegExp(pattern, flags).test(name);
      if (found === -2 && matches) found = device === "CPU" ? -1 : device;
    }
    return found;
  } catch {
    return NaN;
  }
}
