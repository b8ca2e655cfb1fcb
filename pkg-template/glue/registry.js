// The registry that frees objects of the module when they are garbage-collected. The build puts it in the place of
// `FinalizationRegistry` in the script that wasm-bindgen generates.
//
// The garbage collector does not see the memory of the module. So a new object holds an unused `ArrayBuffer` that stands for the memory
// taken since the previous buffer was made. Nothing is written to the buffer, so it takes no physical memory. It does not matter which
// object holds it: the collector compares the sum of all buffers with the sum at its last run.

import { takenBytes } from "./boundary.js";

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
 * Frees objects, whose held value is their address, and closures, whose held value is an object.
 *
 * @template {number | object} T
 */
export class Registry {
  /** @param {(held: T) => void} free */
  constructor(free) {
    /** @type {FinalizationRegistry<{ held: T, bytes: number }>} */
    this.registry = new globalThis.FinalizationRegistry(({ held, bytes }) => {
      shownBytes -= bytes;
      free(held);
    });
  }

  /** @param {object} object @param {T} held @param {object} token */
  register(object, held, token) {
    const isAddress = typeof held === "number";
    // A copy of the members must not have the address: it would be used after the object is freed.
    if (isAddress) Object.defineProperty(object, "__wbg_ptr", { enumerable: false });
    this.registry.register(object, { held, bytes: isAddress ? show(object) : 0 }, token);
  }

  /** @param {object} token */
  unregister(token) {
    hide(token);
    this.registry.unregister(token);
  }
}

/**
 * Shows the collector the memory that was taken since the last call, as memory of `object`. Returns the number of bytes shown.
 *
 * @param {object} object
 */
function show(object) {
  const bytes = takenBytes() - shownBytes;
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
