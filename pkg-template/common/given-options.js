// The options that callers give to functions whose code is loaded when they are called.

import { GgufError } from "../gguf-error.js";

/** What each option is, and whether a value is right. @typedef {Readonly<Record<string, readonly [expected: string, isRight: (value: any) => boolean]>>} KnownOptions */

/** Whether a value is a whole number from 1. @param {unknown} value */
export const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 1;

/**
 * @param {unknown} given
 * @param {KnownOptions} known
 * @returns {any}
 */
export function checkedOptions(given, known) {
  if (given === undefined || given === null) return {};
  if (typeof given !== "object") throw wrong(`the options are ${described(given)}, expected an object`);
  for (const [name, value] of Object.entries(given)) {
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!option)
      throw wrong(`options.${name.slice(0, 100)} is not known; the options are ${Object.keys(known).join(", ")}`);
    if (value !== undefined && !option[1](value))
      throw wrong(`options.${name} is ${described(value)}, expected ${option[0]}`);
  }
  return given;
}

/** @param {string} message */
const wrong = (message) => new GgufError("invalid-argument", message);

/** A short description of a value. @param {unknown} value */
export function described(value) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 100));
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return typeof value === "function" ? "a function" : String(value);
}
