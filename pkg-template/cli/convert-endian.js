// `gguf-wasm convert-endian`: converts a file to the other byte order.

import { editFile } from "./edit-file.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  const to = args.choice("to", ["little", "big"]);
  return editFile(args, (editor) => {
    const byteOrder = to === "little" ? "little-endian" : "big-endian";
    if (editor.byteOrder !== byteOrder) editor.byteOrder = byteOrder;
  });
}
