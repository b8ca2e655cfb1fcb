// `gguf-wasm rename`: renames a key, or a tensor.

import { editFile } from "./edit-file.js";
import { changeNamed } from "./missing-name.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export function run(args) {
  const [, oldName = "", newName = ""] = args.positionals;
  return editFile(args, (editor) => {
    if (args.flag("tensor")) {
      changeNamed(editor, "tensor", oldName, "leave out --tensor", () => editor.renameTensor(oldName, newName));
    } else {
      changeNamed(editor, "entry", oldName, "give --tensor", () => editor.rename(oldName, newName));
    }
  });
}
