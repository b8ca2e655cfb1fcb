// The boundary between JavaScript and the WebAssembly module: all calls of the module's exports pass through it.
//
// Without it, a bug in the module would leave promises that never settle, throw out of timers and microtasks, where no caller
// can catch it, and let later calls run on damaged memory.

import { GgufError } from "../gguf-error.js";

/** @import { GgufErrorCode } from "gguf-wasm" */

const REPORT =
  "this is a bug in gguf-wasm, please report it with this message. The module has stopped: reload the page, or load the module again in a new worker";

/**
 * The messages of errors that wasm-bindgen's own code throws, and the code and message that callers get instead.
 *
 * @type {ReadonlyMap<string, [GgufErrorCode, string]>}
 */
const BINDGEN_ERRORS = new Map([
  ["null pointer passed to rust", ["freed", "this object was freed"]],
  [
    "recursive use of an object detected which would lead to unsafe aliasing in rust",
    ["busy", "this object is in use by a call that has not returned: wait until that call has returned"],
  ],
]);

/** The names of the exports that the host calls: closures. `xtask/src/wasm.rs` chooses the short names. */
const CALLBACK = /^c\d|^__wbindgen_destroy_closure$/;

/** The names of the exports that free objects, or what they hold. */
const FREES = /^f\d/;

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
    stopped ??= new GgufError("internal", `internal error: ${messageOf(error)} (${REPORT})`, { cause: error });
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
        throw code ? new GgufError(code, String(message)) : stop(error);
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

  const guardedExport = (/** @type {string} */ name) => guard(/** @type {Function} */ (exports[name]));
  room = { hasRoom: guardedExport("hasRoom"), takenBytes: guardedExport("takenBytes") };
  const guardOf = (/** @type {string} */ name) =>
    CALLBACK.test(name) ? guardCallback : FREES.test(name) ? guardFree : guard;
  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [name, typeof value === "function" ? guardOf(name)(value) : value]),
  );
}

/**
 * The exports of the module that tell how much of its memory is taken.
 *
 * @type {{ hasRoom(): number, takenBytes(): number }}
 */
let room;

/**
 * Throws if there is no memory for a call. An allocation that fails in the middle of a call would stop the module. Asynchronous calls wait
 * for the garbage collector instead.
 */
export function checkRoom() {
  if (!room.hasRoom()) {
    throw new GgufError(
      "too-large",
      "there is no memory for this call: the objects of this package hold it. Call free() on those that you do not need any more, or let the event loop run, so that the garbage collector releases them",
    );
  }
}

/** The bytes of the module's memory that are taken. */
export function takenBytes() {
  return room.takenBytes() >>> 0;
}

/** What a callback returns to the generated script when there is no error to throw. */
const NO_ERROR = Object.freeze([0, 0]);
