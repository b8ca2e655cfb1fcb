// The members that `GgufSet` has of `Gguf`. `cargo xtask build` appends this file to the script that wasm-bindgen generates, if
// the script has both classes.

/**
 * Gives a set of shards all members of an opened file that its class does not define: they are those of the merged file.
 *
 * @param {{ prototype: object }} set
 * @param {{ prototype: object }} file
 */
export function addMembersOfMerged(set, file) {
  for (const [name, { get, ...member }] of Object.entries(Object.getOwnPropertyDescriptors(file.prototype))) {
    if (Object.hasOwn(set.prototype, name)) continue;
    const own = get
      ? {
          /** @this {Merged<unknown>} */
          get() {
            return mergedOf(this)[name];
          },
        }
      : {
          ...member,
          /** @this {Merged<Function>} @param {unknown[]} args */
          value(...args) {
            return mergedOf(this)[name]?.(...args);
          },
        };
    Object.defineProperty(set.prototype, name, { configurable: true, ...own });
  }
}

/**
 * @template T
 * @typedef {{ _merged?: Record<string, T>, merged: Record<string, T> }} Merged
 */

/**
 * The merged file of a set. An object that is not a set has no hidden member: the getter of the class says so.
 *
 * @template T
 * @param {Merged<T>} set
 */
function mergedOf(set) {
  return set._merged ?? set.merged;
}
