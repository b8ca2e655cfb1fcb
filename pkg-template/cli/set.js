// `gguf-wasm set`: sets a value of the metadata.

import { editFile } from "./edit-file.js";
import { UsageError, aboutFile } from "./errors.js";
import { readInput } from "./inputs.js";
import { setValue } from "./set-value.js";
import { isTypeName } from "./given-value.js";
import { quoted } from "./values.js";

/** @import { Editor } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  const [, key = "", value] = args.positionals;
  const from = args.text("from-file");
  if (value === undefined && from === undefined && key.includes("=")) {
    const end = key.indexOf("=");
    const [name, text] = [quoted(key.slice(0, end)), quoted(key.slice(end + 1))];
    throw new UsageError(`The key and the value are two arguments: ${name} ${text}. KEY=VALUE is for \`edit --set\`.`);
  }
  if ((value === undefined) === (from === undefined)) {
    throw new UsageError("The value must be given once: as an argument, or with --from-file PATH.");
  }
  const text = from === undefined ? (value ?? "") : await aboutFile(from, () => readInput(from));
  return editFile(args, (editor) => {
    checkKey(editor, key);
    setValue(editor, key, text, args.text("type"), (type) => `--type ${type}`);
  });
}

/**
 * Refuses a new key such as `general.name:STRING`: `edit` takes a type like this, and here it would be a part of the key.
 *
 * @param {Editor} editor
 * @param {string} key
 */
function checkKey(editor, key) {
  const type = key.slice(key.lastIndexOf(":") + 1);
  if (type === key || !isTypeName(type) || editor.metadata.has(key)) return;
  throw new UsageError(`The key ${quoted(key)} ends in the name of a type. Give the type with --type ${type}.`);
}
