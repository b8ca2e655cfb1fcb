// The members that `GgufSet` has of `Gguf`. `cargo xtask build` appends this file to the script that wasm-bindgen generates, if
// the script has both classes.

import { pointerOf } from "./instances.js";

/**
 * Gives a set of shards all members of an opened file that its class does not define: they are those of the merged file.
 *
 * @param {Function & { prototype: object }} set
 * @param {{ prototype: object }} file
 * @param {readonly string[]} promises the methods of the file that return promises: their errors reject
 */
export function addMembersOfMerged(set, file, promises) {
  /**
   * The merged file of a set: a hidden member, which needs no call into the module.
   *
   * @param {any} object
   */
  const mergedOf = (object) => {
    pointerOf(set, object);
    return object._merged;
  };
  for (const [name, { get, ...member }] of Object.entries(Object.getOwnPropertyDescriptors(file.prototype))) {
    if (Object.hasOwn(set.prototype, name)) continue;
    /** @this {unknown} @param {unknown[]} args */
    function call(...args) {
      return mergedOf(this)[name](...args);
    }
    /** @this {unknown} @param {unknown[]} args */
    async function promise(...args) {
      return call.apply(this, args);
    }
    const own = get
      ? {
          /** @this {unknown} */
          get() {
            return mergedOf(this)[name];
          },
        }
      : { ...member, value: promises.includes(name) ? promise : call };
    Object.defineProperty(set.prototype, name, { configurable: true, ...own });
  }
}
