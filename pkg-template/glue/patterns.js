// Patterns for names of tensors. `cargo xtask build` appends this file to the script that wasm-bindgen generates.

/**
 * Whether a regular expression matches a part of a name. `undefined` if it is no regular expression. llama.cpp has the grammar of JavaScript:
 * that of ECMAScript in C++.
 *
 * @param {unknown} pattern
 * @param {string} name
 */
export function matchesName(pattern, name) {
  try {
    const isKnown = typeof pattern === "string" || pattern instanceof RegExp;
    // Such flags would continue at the end of the last match.
    const flags = pattern instanceof RegExp ? pattern.flags.replace(/[gy]/g, "") : "";
    return isKnown ? new RegExp(pattern, flags).test(name) : undefined;
  } catch {
    return undefined;
  }
}
