// The members that `GgufSet` has of `Gguf`.

/**
 * Gives a set of shards all members of an opened file that its class does not define: they are those of the merged file.
 *
 * @param {{ prototype: object }} set
 * @param {{ prototype: object }} file
 */
export function addMembersOfMerged(set, file) {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(file.prototype))) {
    if (Object.hasOwn(set.prototype, name)) continue;
    // `_merged` is a hidden member, which needs no call into the module.
    const member = get
      ? {
          /** @this {any} */
          get [name]() {
            return this._merged[name];
          },
        }
      : {
          /** @this {any} @param {unknown[]} args */
          [name](...args) {
            return this._merged[name](...args);
          },
        };
    const own = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(member, name));
    Object.defineProperty(set.prototype, name, { ...own, enumerable: false });
  }
}
