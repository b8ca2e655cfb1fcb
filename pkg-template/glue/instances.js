// Which objects functions and methods accept.

import { GgufError } from "../gguf-error.js";
import { describe } from "./errors.js";

/**
 * The address in the module of the object that a method is called on.
 *
 * A method can be called on any value: `Gguf.prototype.read.call(plan)`. Without a check, the module would use the address of a plan as the
 * address of a file.
 *
 * @param {Function} expected the class of the method
 * @param {any} object
 * @returns {number}
 */
export function pointerOf(expected, object) {
  const pointer = object instanceof expected ? /** @type {any} */ (object).__wbg_ptr : undefined;
  if (typeof pointer === "number") return pointer;
  const { name } = expected;
  throw new TypeError(`a member of ${name} was called on ${describe(object)}, which is no ${name}`);
}

/** The classes of this copy of the module. @type {Function[]} */
const CLASSES = [];

/** Remembers a class of the module. @param {Function} ofObject */
export function addClass(ofObject) {
  CLASSES.push(ofObject);
}

/** @param {string} name of a class of the module */
export const classOf = (name) => CLASSES.find((ofObject) => ofObject.name === name);

/**
 * Whether a value is an object of another module. Each module of the package, and each copy of a module, has its own classes and its own
 * memory.
 *
 * @param {unknown} value
 */
function isOfOtherModule(value) {
  const isObject = typeof value === "object" && value !== null && "__wbg_ptr" in value;
  return isObject && !CLASSES.some((ofObject) => value instanceof ofObject);
}

/**
 * The error that a caller gets for an error of a call: another one if an argument is no instance of the class that the function expects.
 *
 * @param {unknown} error
 * @param {unknown[]} args
 */
export function refusedArgument(error, args) {
  const isRefusal = error instanceof Error && error.message.startsWith("expected instance of ");
  return isRefusal ? notAnInstance(args.find(isOfOtherModule)) : error;
}

/**
 * The error for an argument that is no instance of the class that a method expects.
 *
 * @param {unknown} argument
 */
export function notAnInstance(argument) {
  return isOfOtherModule(argument)
    ? new GgufError(
        "other-module",
        "this object belongs to another module or copy of gguf-wasm: open the file again with the module that you pass it to",
      )
    : new GgufError("invalid-argument", "an argument is an object of another class than the function expects");
}

/**
 * The error for `new` of a class whose objects only the package makes.
 *
 * @param {string} name
 */
export function noConstructor(name) {
  return new GgufError(
    "invalid-argument",
    `${name} has no public constructor: its objects come from functions such as Gguf.open()`,
  );
}
