// The API: the functions and classes that wasm-bindgen generates, with what its script lacks. `xtask/bundle.mjs` writes the calls of these
// functions.

import { GgufError } from "../gguf-error.js";
import { checkRoom } from "./boundary.js";
import { describeClass } from "./classes.js";
import { explained } from "./explain.js";
import { addClass, noConstructor, pointerOf, refusedArgument } from "./instances.js";

/** @typedef {Function & { prototype: any }} Class */

/** Members of wasm-bindgen's own, which only its script calls. */
const OF_BINDINGS = ["constructor", "__destroy_into_raw", "__wrap", "__unwrap"];

/**
 * A function of the API. An error of a function that returns a promise rejects, also if an argument is wrong.
 *
 * @param {string} name
 * @param {Function} f
 * @param {boolean} isPromise whether it returns a promise
 * @param {Class} [owner] the class of the objects that it is called on
 * @returns {any}
 */
export function publishedFunction(name, f, isPromise, owner) {
  // As methods: stacks show their names, and they cannot be constructed.
  const { [name]: published } = isPromise
    ? {
        /** @this {unknown} @param {unknown[]} args */
        async [name](...args) {
          const caller = new Error();
          try {
            if (owner) pointerOf(owner, this);
            return await f.apply(this, args);
          } catch (error) {
            throw withCaller(await explained(refusedArgument(error, args)), caller);
          }
        },
      }
    : {
        /** @this {unknown} @param {unknown[]} args */
        [name](...args) {
          if (owner) pointerOf(owner, this);
          checkRoom();
          try {
            return f.apply(this, args);
          } catch (error) {
            throw refusedArgument(error, args);
          }
        },
      };
  return published;
}

/**
 * A class of the API. Its members check the object that they are called on.
 *
 * @param {string} name
 * @param {any} ofObject
 * @param {readonly string[]} promises the members that return promises
 * @param {boolean} hasConstructor whether callers may construct objects
 * @returns {any}
 */
export function publishedClass(name, ofObject, promises, hasConstructor) {
  const { prototype } = ofObject;
  const { free, _release: release } = prototype;
  // A minifier may have changed it.
  Object.defineProperty(ofObject, "name", { value: name });
  delete prototype._release;
  publishMembers(prototype, promises, ofObject);
  publishMembers(ofObject, promises);
  const define = (/** @type {string | symbol} */ name, /** @type {unknown} */ value) =>
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  /** @this {unknown} */
  const freeObject = function () {
    // An object that was freed has no address.
    if (pointerOf(ofObject, this)) release?.call(this);
    free.call(this);
  };
  define("free", freeObject);
  if (Symbol.dispose) define(Symbol.dispose, freeObject);
  describeClass(ofObject);
  addClass(ofObject);
  const construct = publishedFunction(name, Reflect.construct, false);
  /** @this {unknown} @param {unknown[]} args */
  const published = function (...args) {
    if (hasConstructor) return construct(ofObject, args, new.target);
    throw noConstructor(name);
  };
  Object.defineProperties(published, Object.getOwnPropertyDescriptors(ofObject));
  define("constructor", published);
  return published;
}

/**
 * @param {any} owner a class or its prototype
 * @param {readonly string[]} promises
 * @param {Class} [expected]
 */
function publishMembers(owner, promises, expected) {
  for (const name of Reflect.ownKeys(owner)) {
    if (OF_BINDINGS.includes(String(name))) continue;
    const member = /** @type {any} */ (Object.getOwnPropertyDescriptor(owner, name));
    for (const kind of ["get", "set", "value"]) {
      const f = member[kind];
      if (typeof f === "function")
        member[kind] = publishedFunction(f.name, f, promises.includes(String(name)), expected);
    }
    Object.defineProperty(owner, name, member);
  }
}

/** The errors that have the stack of a caller. An error can reject several promises. */
const HAS_CALLER = new WeakSet();

/**
 * Adds the stack of an asynchronous call to an error of the package: without it, the stack ends in the module.
 *
 * @param {unknown} error
 * @param {Error} caller an error that was made when the call began
 */
function withCaller(error, caller) {
  if (error instanceof GgufError && caller.stack && !HAS_CALLER.has(error)) {
    HAS_CALLER.add(error);
    error.stack = `${error.stack}\n${caller.stack.replace(/^Error\n/, "")}`;
  }
  return error;
}
