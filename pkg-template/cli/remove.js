// `gguf-wasm remove`: removes entries of the metadata, or tensors.

import { editFile } from "./edit-file.js";
import { changeNamed } from "./missing-name.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export function run(args) {
  return editFile(args, (editor) => {
    for (const name of args.positionals.slice(1)) {
      if (args.flag("tensor")) {
        changeNamed(editor, "tensor", name, "leave out --tensor", () => editor.removeTensor(name));
      } else {
        changeNamed(editor, "entry", name, "give --tensor", () => editor.remove(name));
      }
    }
  });
}
