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
          /** @this {{ _merged: Record<string, unknown> }} */
          get() {
            return this._merged[name];
          },
        }
      : {
          ...member,
          /** @this {{ _merged: Record<string, Function> }} @param {unknown[]} args */
          value(...args) {
            return this._merged[name]?.(...args);
          },
        };
    Object.defineProperty(set.prototype, name, { configurable: true, ...own });
  }
}
