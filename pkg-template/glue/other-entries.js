// The members that only other entries of the package have.

import { GgufError } from "../gguf-error.js";
import { classOf } from "./instances.js";

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
 * @param {Record<string, Others>} others by the name of the class
 */
export function addMembersOfOthers(others) {
  for (const [owner, folders] of Object.entries(others)) {
    for (const [folder, members] of Object.entries(folders)) {
      for (const member of members.split(",")) {
        const name = member.replace("get ", "");
        const refuse = () => {
          const entry = folder && `/${folder}`;
          throw new GgufError(
            "other-entry",
            `${owner}.${name} is in gguf-wasm${entry}: open the file with that (a path with its /node), or use its Gguf.from()`,
          );
        };
        Object.defineProperty(classOf(owner)?.prototype, name, { [name === member ? "value" : "get"]: refuse });
      }
    }
  }
}
