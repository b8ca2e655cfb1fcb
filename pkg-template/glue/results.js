// Results that the module has made, as callers get them.

/**
 * Freezes a value of the module, and all plain objects and arrays in it.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function deepFrozen(value) {
  const isPlain =
    Array.isArray(value) || (Object(value) === value && Object.getPrototypeOf(value) === Object.prototype);
  if (!isPlain || Object.isFrozen(value)) return value;
  Object.values(/** @type {object} */ (value)).forEach(deepFrozen);
  return Object.freeze(value);
}

/**
 * The values of entries by their keys, frozen. If several have the same key, the first one counts.
 *
 * @param {readonly { key: string, value: unknown }[]} entries
 */
export function metadataOf(entries) {
  const metadata = new Map();
  for (const { key, value } of entries) if (!metadata.has(key)) metadata.set(key, value);
  // `Object.freeze` does not stop `Map.prototype.set`. So `set`, `delete` and `clear` are overwritten with `undefined`.
  for (const method of ["set", "delete", "clear"]) Object.defineProperty(metadata, method, {});
  return Object.freeze(metadata);
}
