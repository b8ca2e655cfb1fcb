// `gguf-wasm rename`: renames a key, or a tensor.

import { editFile } from "./edit-file.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export function run(args) {
  const [, oldName = "", newName = ""] = args.positionals;
  return editFile(args, (editor) => {
    if (args.flag("tensor")) editor.renameTensor(oldName, newName);
    else editor.rename(oldName, newName);
  });
}
