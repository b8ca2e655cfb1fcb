// What error messages say about values of callers. `cargo xtask build` appends this file to the script that wasm-bindgen generates.
//
// Members of callers' objects can throw. Nothing here does.

import { GgufError } from "../gguf-error.js";

/** @import { GgufErrorCode } from "gguf-wasm" */

/**
 * An error of the module, with those of the members that are known.
 *
 * @param {GgufErrorCode} code
 * @param {string} message
 * @param {number} [offset]
 * @param {number} [status]
 * @param {string} [url]
 * @param {unknown} [cause]
 */
export function errorOf(code, message, offset, status, url, cause) {
  const known = Object.entries({ offset, status, url, cause }).filter(([, value]) => value !== undefined);
  return Object.assign(new GgufError(code, message), Object.fromEntries(known));
}

/** The most characters of a text that are quoted. */
const MOST_CHARACTERS = 60;

/**
 * A short description of a value: `"text"`, `-1`, `undefined`, `an array`.
 *
 * @param {unknown} value
 */
export function describe(value) {
  if (typeof value === "string") {
    // A character has one or two units.
    const [...characters] = value.slice(0, 2 * MOST_CHARACTERS + 2);
    const isLong = characters.length > MOST_CHARACTERS;
    return `"${isLong ? `${characters.slice(0, MOST_CHARACTERS).join("")}\u2026` : value}"`;
  }
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return `${String(value)}${typeof value === "bigint" ? "n" : ""}`;
  try {
    return Array.isArray(value) ? "an array" : "an object";
  } catch {
    // A revoked `Proxy`.
    return "an object";
  }
}

/**
 * A member of a caught value; `undefined` if it has none, or if the member throws.
 *
 * @param {unknown} caught
 * @param {string} name
 */
function memberOf(caught, name) {
  try {
    return Object(caught)[name];
  } catch {
    return undefined;
  }
}

/**
 * The message of a caught value.
 *
 * @param {unknown} caught
 * @returns {string}
 */
export function reasonOf(caught) {
  // The message of Node.js is "fetch failed"; its cause says why.
  const texts = [memberOf(memberOf(caught, "cause"), "message"), memberOf(caught, "message"), caught];
  return texts.find((text) => typeof text === "string") ?? "no reason given";
}

/**
 * Whether a caught value is an error of this package.
 *
 * @param {unknown} caught
 */
export function isOwn(caught) {
  return memberOf(caught, "name") === "GgufError";
}
