// How the objects of the package are shown by `console.log` and written by `JSON.stringify`.
//
// The members of an object are the getters of its class, so the classes need no list of their own.

import { pointerOf } from "./instances.js";

/** How Node.js, Deno and Bun ask an object for its text. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** The most elements of an array that are shown, as of other arrays in Node.js. */
const MOST_SHOWN = 100;

/** The elements of an array that an iterator decodes at once. */
const PAGE = 4096;

/** Getters that compute for long. They are not shown. */
const COMPUTED = ["findings", "merged"];

/** @typedef {{ length: number, slice(start: number, end: number): unknown[] }} Elements a `MetadataArray` */

/** @param {Function} ofObject */
export function describeClass(ofObject) {
  const { prototype } = ofObject;
  const members = Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { get }]) =>
    get ? [name] : [],
  );
  /** @type {(object: any, names: string[]) => object} */
  const read = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]));
  const define = (/** @type {string | symbol} */ name, /** @type {Function} */ value) =>
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });

  const isArray = Symbol.iterator in prototype;
  if (!("toJSON" in prototype)) {
    define(
      "toJSON",
      /** @this {object} */
      function () {
        pointerOf(ofObject, this);
        return plain(isArray ? [.../** @type {Iterable<unknown>} */ (this)] : read(this, members));
      },
    );
  }
  define(
    INSPECT,
    /**
     * @this {object}
     * @param {number | null} depth
     * @param {object} options
     * @param {(value: unknown, options: object) => string} inspect
     */
    function (depth, options, inspect) {
      const { name } = this.constructor;
      try {
        const title = isArray ? `${name}(${/** @type {Elements} */ (this).length})` : name;
        if (depth !== null && depth < 0) return `[${title}]`;
        if (isArray)
          return `${title} ${inspect(firstElements(/** @type {any} */ (this)), { ...options, maxArrayLength: null })}`;
        const shown = members.filter((member) => !COMPUTED.includes(member));
        return `${title} ${inspect(read(this, shown), { ...options, depth: 0 })}`;
      } catch (error) {
        return `${name} { ${String(/** @type {any} */ (error).code ?? error)} }`;
      }
    },
  );
}

/** @param {Elements} array */
function firstElements(array) {
  const elements = array.slice(0, MOST_SHOWN);
  const rest = array.length - elements.length;
  return rest > 0 ? [...elements, { [INSPECT]: () => `... ${rest} more items` }] : elements;
}

/**
 * The elements of an array, decoded page by page.
 *
 * @param {Elements} array
 */
export function* elementsOf(array) {
  for (let start = 0; start < array.length; start += PAGE) yield* array.slice(start, start + PAGE);
}

/** The classes of typed arrays by the types of their elements. A `BOOL` is its stored byte. */
const NUMBERS = {
  INT8: Int8Array,
  UINT16: Uint16Array,
  INT16: Int16Array,
  UINT32: Uint32Array,
  INT32: Int32Array,
  FLOAT32: Float32Array,
  UINT64: BigUint64Array,
  INT64: BigInt64Array,
  FLOAT64: Float64Array,
};

/**
 * The typed array of stored numbers.
 *
 * @param {keyof typeof NUMBERS | "UINT8" | "BOOL"} type
 * @param {Uint8Array<ArrayBuffer>} bytes all bytes of a buffer, which becomes that of the result
 * @param {boolean} isSwapped whether the numbers are big-endian
 */
export function numbersOf(type, bytes, isSwapped) {
  if (type === "UINT8" || type === "BOOL") return bytes;
  // To reverse all bytes, and then the elements, reverses the bytes of each element.
  if (isSwapped) bytes.reverse();
  const numbers = new NUMBERS[type](bytes.buffer);
  return isSwapped ? numbers.reverse() : numbers;
}

/**
 * A value as `JSON.stringify` can write it: integers of 64 bits, NaN and infinities become strings.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
function plain(value) {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  if (typeof value !== "object" || value === null) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return value.toJSON();
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return Array.from(/** @type {Iterable<unknown>} */ (/** @type {unknown} */ (value)), plain);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
