// `gguf-wasm set`: sets a value of the metadata.

import { editFile } from "./edit-file.js";
import { UsageError, aboutFile } from "./errors.js";
import { readInput } from "./inputs.js";
import { parseValue } from "./values.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  const [, key = "", value] = args.positionals;
  const from = args.text("from-file");
  if ((value === undefined) === (from === undefined)) {
    throw new UsageError("The value must be given once: as an argument, or with --from-file PATH.");
  }
  const text = from === undefined ? (value ?? "") : await aboutFile(from, () => readInput(from));
  return editFile(args, (editor) => {
    const { value, type } = parseValue(editor, key, text, args.text("type"));
    editor.set(key, value, type);
  });
}
