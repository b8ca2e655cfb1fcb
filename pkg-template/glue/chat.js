// What callers give chat templates.
//
// Members of callers' objects can throw. Nothing here does, except with errors of the package.

import { GgufError } from "../gguf-error.js";
import { describe, reasonOf } from "./errors.js";

/** @import { GgufErrorCode } from "gguf-wasm" */

/**
 * Variables as a JSON text: a text as it is, an object as `JSON.stringify` writes it.
 *
 * @param {unknown} given
 * @param {string} name what the variables are called in errors
 * @param {string} [expected]
 */
export function jsonOf(given, name, expected = "an object") {
  if (typeof given === "string") return given;
  const refused = (/** @type {string} */ reason, /** @type {ErrorOptions} */ options) =>
    new GgufError("template-context", `${name} ${reason}`, options);
  let text;
  try {
    text = typeof given === "object" && given !== null ? JSON.stringify(given) : undefined;
  } catch (error) {
    throw refused(`cannot be written as JSON: ${reasonOf(error)}`, { cause: error });
  }
  if (typeof text !== "string") throw refused(`is ${describe(given)}, expected ${expected} or a JSON text`, {});
  return text;
}

/**
 * A time as the clock of this place shows it, in seconds since 1970. NaN if it is no time.
 *
 * @param {unknown} given a `Date`, or milliseconds. Now if it is missing
 */
export function localSeconds(given) {
  try {
    const isTime = given === undefined || given === null || typeof given === "number" || given instanceof Date;
    const date = new Date(isTime ? /** @type {number} */ (given ?? Date.now()) : NaN);
    return Math.floor(date.getTime() / 1000) - date.getTimezoneOffset() * 60;
  } catch {
    return NaN;
  }
}

/**
 * An error of a chat template.
 *
 * @param {GgufErrorCode} code
 * @param {string} message
 * @param {number} [line]
 * @param {number} [column]
 */
export function templateError(code, message, line, column) {
  const place = line === undefined ? {} : { line, column };
  return Object.assign(new GgufError(code, message), place);
}
