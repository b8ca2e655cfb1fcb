// The boundary between JavaScript and the WebAssembly module. `cargo xtask build` appends this file to the script that
// wasm-bindgen generates, and passes the module's exports through `guarded`.
//
// Without it, a bug in the module would leave promises that never settle, throw out of timers and microtasks, where no caller
// can catch it, and let later calls run on damaged memory.

/** @import { GgufErrorCode } from "gguf-wasm" */

const REPORT =
  "this is a bug in gguf-wasm, please report it with this message. The module has stopped: reload the page, or load the module again in a new worker or process";

/**
 * The messages of errors that wasm-bindgen's own code throws, and the code and message that callers get instead.
 *
 * @type {ReadonlyMap<string, [GgufErrorCode, string]>}
 */
const BINDGEN_ERRORS = new Map([
  ["null pointer passed to rust", ["freed", "this object was freed, so it cannot be used any more"]],
  [
    "recursive use of an object detected which would lead to unsafe aliasing in rust",
    ["busy", "this object is in use by a call that has not returned: wait until that call has returned"],
  ],
]);

/**
 * @param {GgufErrorCode} code
 * @param {string} message
 * @param {ErrorOptions} [options]
 */
function ggufError(code, message, options) {
  return Object.assign(new Error(message, options), { name: "GgufError", code });
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The module's exports with a guard around each function.
 *
 * An error that the module did not expect stops the module: a Rust panic, a trap, or an exception of an import that is
 * not declared to throw. Then all pending promises reject, and every later call throws, a `GgufError` with the code
 * `internal`.
 *
 * @param {WebAssembly.Exports} exports
 * @returns {WebAssembly.Exports}
 */
export function guarded(exports) {
  const stackPointer = /** @type {WebAssembly.Global} */ (exports["__stack_pointer"]);
  /** @type {Error | undefined} The reason, once the module has stopped. */
  let stopped;
  /** @type {Set<(reason: unknown) => void>} The `reject` functions of all promises that have not settled. */
  const pending = new Set();

  /** @param {unknown} error */
  const stop = (error) => {
    stopped ??= ggufError("internal", `internal error: ${messageOf(error)} (${REPORT})`, { cause: error });
    for (const reject of pending) reject(stopped);
    pending.clear();
    return stopped;
  };

  /** @param {Promise<unknown>} promise */
  const track = (promise) =>
    new Promise((resolve, reject) => {
      pending.add(reject);
      void promise.then(resolve, reject).finally(() => pending.delete(reject));
    });

  /** @param {Function} f */
  const guard =
    (f) =>
    /** @param {unknown[]} args */
    (...args) => {
      if (stopped) throw stopped;
      const stack = stackPointer.value;
      let result;
      try {
        result = f(...args);
      } catch (error) {
        // An exception ends the module's functions before they restore the stack pointer.
        stackPointer.value = stack;
        const [code, message] = BINDGEN_ERRORS.get(messageOf(error)) ?? [];
        throw code ? ggufError(code, String(message)) : stop(error);
      }
      // The call may have called JavaScript, which called the module again and stopped it.
      if (stopped) throw stopped;
      return result instanceof Promise ? track(result) : result;
    };

  // The host calls these from timers, events and microtasks, where no caller could catch an error.
  /** @param {Function} f */
  const guardCallback =
    (f) =>
    /** @param {unknown[]} args */
    (...args) => {
      try {
        if (!stopped) return f(...args);
      } catch (error) {
        stop(error);
      }
      return NO_ERROR;
    };

  // Freeing an object twice, or after the module has stopped, does nothing. The garbage collector calls these too. The
  // second argument lets a call that is using the object end before the object is freed.
  /** @param {Function} f */
  const guardFree = (f) => {
    const free = guardCallback(f);
    /** @param {number} pointer */
    return (pointer) => {
      if (pointer !== 0) free(pointer, 1);
    };
  };

  // Callers expect a promise, so an error rejects it.
  /** @param {Function} f */
  const guardAsync = (f) => {
    const call = guard(f);
    return async (/** @type {unknown[]} */ ...args) => call(...args);
  };

  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => {
      if (typeof value !== "function") return [name, value];
      if (CALLBACK.test(name)) return [name, guardCallback(value)];
      if (FREE.test(name)) return [name, guardFree(value)];
      return [name, ASYNC.test(name) ? guardAsync(value) : guard(value)];
    }),
  );
}

/**
 * The error for an argument that is no instance of the class that a method expects. Each module of the package, and each
 * copy of a module, has its own classes and its own memory.
 *
 * @param {unknown} argument
 */
export function notAnInstance(argument) {
  const isOfOtherModule = typeof argument === "object" && argument !== null && "__wbg_ptr" in argument;
  return isOfOtherModule
    ? ggufError(
        "other-module",
        "this object belongs to another module or copy of gguf-wasm: open the file again with the module that you pass it to",
      )
    : ggufError("invalid-argument", "this argument is not an object of the class that the method expects");
}

/**
 * The error for `new` of a class whose objects only the package makes.
 *
 * @param {string} name
 */
export function noConstructor(name) {
  return ggufError(
    "invalid-argument",
    `${name} has no public constructor: its objects come from other functions and methods, for example Gguf.open()`,
  );
}

/** What a callback returns to the generated script when there is no error to throw. */
const NO_ERROR = Object.freeze([0, 0]);

/** The exports that closures of Rust are called through and freed with, in wasm-bindgen's naming. */
const CALLBACK = /^(wasm_bindgen__convert__closures_+invoke__\w+|__wbindgen_destroy_closure)$/;

/** The exports that free objects, in wasm-bindgen's naming. */
const FREE = /^(__wbg_\w+_free|gguf(set)?_free)$/;

/** The exports that return promises. `boundary.test.mjs` compares them with the types. */
const ASYNC =
  /^(compare|gguf_(open|read|readBytes|preview|statistics|hash)|ggufset_open|listRepository|editplan_(read|applyTo|writeTo)|chunksource_pull)$/;
