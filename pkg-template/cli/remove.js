// `gguf-wasm remove`: removes entries of the metadata, or tensors.

import { editFile } from "./edit-file.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export function run(args) {
  return editFile(args, (editor) => {
    for (const name of args.positionals.slice(1)) {
      if (args.flag("tensor")) editor.removeTensor(name);
      else editor.remove(name);
    }
  });
}
