// The members that only other entries of the package have.

import { GgufError } from "../gguf-error.js";

/**
 * Members by the folder of the smallest entry that has them: `{ explain: "validate,get findings" }`. The folder of the main entry is
 * empty.
 *
 * @typedef {Record<string, string>} Others
 */

/**
 * Gives classes the members that only other entries have. Each of them throws, and names the entry: `undefined` would say nothing.
 *
 * They cannot be enumerated, so that a copy of an object's members is made as before.
 *
 * @param {Record<string, { prototype: object }>} classes
 * @param {Record<string, Others>} others by the name of the class
 */
export function addMembersOfOthers(classes, others) {
  for (const [owner, folders] of Object.entries(others)) {
    for (const [folder, members] of Object.entries(folders)) {
      for (const member of members.split(",")) {
        const name = member.replace("get ", "");
        const refuse = () => {
          const entry = `gguf-wasm${folder && "/"}${folder}`;
          const call = name === member ? "()" : "";
          throw new GgufError(
            "other-entry",
            `${owner}.${name}${call} is in the entry ${entry}: open the file with it, or use Gguf.from() of it`,
          );
        };
        const value = name === member ? { value: refuse, writable: true } : { get: refuse };
        Object.defineProperty(classes[owner]?.prototype, name, { ...value, configurable: true });
      }
    }
  }
}
