// `gguf-wasm set`: sets a value of the metadata.

import { readFile } from "node:fs/promises";
import { editFile } from "./edit-file.js";
import { UsageError, aboutFile } from "./errors.js";
import { parseValue } from "./values.js";

/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  const [, key = "", value] = args.positionals;
  const from = args.text("from-file");
  if ((value === undefined) === (from === undefined)) {
    throw new UsageError("The value must be given once: as an argument, or with --from-file PATH.");
  }
  const text = from === undefined ? (value ?? "") : await aboutFile(from, () => readFile(from, "utf8"));
  return editFile(args, (editor, gguf) => {
    const { value, type } = parseValue(gguf, key, text, args.text("type"));
    editor.set(key, value, type);
  });
}
