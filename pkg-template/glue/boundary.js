// The boundary between JavaScript and the WebAssembly module. `cargo xtask build` appends this file to the script that
// wasm-bindgen generates, and passes the module's exports through `guarded`.
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

  // Callers expect a promise, so an error rejects it.
  /** @param {Function} f */
  const guardAsync = (f) => {
    const call = guard(f);
    return async (/** @type {unknown[]} */ ...args) => {
      const caller = new Error();
      try {
        return await call(...args);
      } catch (error) {
        throw withCaller(error, caller);
      }
    };
  };

  // An allocation that fails in the middle of a call would stop the module. Asynchronous calls wait for the garbage collector
  // instead.
  /** @param {Function} f */
  const guardSync = (f) => {
    const call = guard(f);
    return (/** @type {unknown[]} */ ...args) => {
      if (!stopped && !room.hasRoom()) throw new GgufError("too-large", FULL);
      return call(...args);
    };
  };

  const guardedExport = (/** @type {string} */ name) => guard(/** @type {Function} */ (exports[name]));
  room = { hasRoom: guardedExport("hasRoom"), takenBytes: guardedExport("takenBytes") };
  // `cargo xtask build` gives the exports names whose first letter is their kind: `xtask/src/exports.rs`. Others, those of
  // wasm-bindgen, are called by functions of these kinds.
  /** @type {Readonly<Record<string, (f: Function) => Function>>} */
  const guards = { a: guardAsync, c: guardCallback, f: guardFree, s: guardSync };
  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [
      name,
      typeof value === "function" ? (guards[/** @type {string} */ (name[0])] ?? guard)(value) : value,
    ]),
  );
}

/**
 * The exports of the module that tell how much of its memory is taken.
 *
 * @type {{ hasRoom(): number, takenBytes(): number }}
 */
let room;

/**
 * A registry that frees objects of the module when they are garbage-collected.
 *
 * The garbage collector does not see the memory of the module. So a new object holds an unused `ArrayBuffer` that stands for the memory
 * taken since the previous buffer was made. Nothing is written to the buffer, so it takes no physical memory. It does not matter which
 * object holds it: the collector compares the sum of all buffers with the sum at its last run.
 *
 * @param {(pointer: number) => void} free
 */
export function collected(free) {
  /** @type {FinalizationRegistry<{ pointer: number, bytes: number }>} */
  const registry = new FinalizationRegistry(({ pointer, bytes }) => {
    shownBytes -= bytes;
    free(pointer);
  });
  return {
    /** @param {object} object @param {number} pointer */
    register(object, pointer) {
      // A copy of the members must not have the pointer: it would be used after the object is freed.
      Object.defineProperty(object, "__wbg_ptr", { enumerable: false });
      registry.register(object, { pointer, bytes: show(object) }, object);
    },
    /** @param {object} object */
    unregister(object) {
      hide(object);
      registry.unregister(object);
    },
  };
}

/**
 * The buffers that the collector sees.
 *
 * @type {WeakMap<object, ArrayBuffer>}
 */
const SHOWN = new WeakMap();

/** The bytes of the module's memory that the buffers stand for. */
let shownBytes = 0;

/**
 * The bytes of a buffer for each byte of memory that it stands for. An object may hold other JavaScript objects that hold memory: a set
 * holds its shards. Then the collector must run twice before the memory is released, so it must start early.
 */
const BYTES_SHOWN = 4;

/** Less memory than this is shown later, with another object, because a buffer takes at least a page of memory. */
const LEAST_SHOWN = 1 << 18;

/**
 * Shows the collector the memory that was taken since the last call, as memory of `object`. Returns the number of bytes shown.
 *
 * @param {object} object
 */
function show(object) {
  const bytes = (room.takenBytes() >>> 0) - shownBytes;
  if (bytes < LEAST_SHOWN) return 0;
  try {
    // Engines do not clear the memory of a buffer that can be resized.
    const byteLength = bytes * BYTES_SHOWN;
    SHOWN.set(object, new ArrayBuffer(byteLength, { maxByteLength: byteLength }));
  } catch {
    return 0;
  }
  shownBytes += bytes;
  return bytes;
}

/**
 * Called when an object is freed.
 *
 * @param {object} object
 */
function hide(object) {
  shownBytes -= (SHOWN.get(object)?.byteLength ?? 0) / BYTES_SHOWN;
  SHOWN.delete(object);
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

const FULL =
  "there is no memory for this call: the objects of this package hold it. Call free() on those that you do not need any more, or let the event loop run, so that the garbage collector releases them";

/** What a callback returns to the generated script when there is no error to throw. */
const NO_ERROR = Object.freeze([0, 0]);
