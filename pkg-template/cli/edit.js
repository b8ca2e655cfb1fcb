// `gguf-wasm edit`: makes several changes, and writes the file once.

import { editFile } from "./edit-file.js";
import { UsageError, aboutFile } from "./errors.js";
import { readInput } from "./inputs.js";
import { changeNamed } from "./missing-name.js";
import { setValue } from "./set-value.js";
import { isTypeName } from "./given-value.js";
import { quoted } from "./values.js";

/** @import { Editor } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */

/** @typedef {(editor: Editor) => void} Edit */

/**
 * What the options of this command do.
 *
 * @type {Readonly<Record<string, (text: string) => Edit | Promise<Edit>>>}
 */
const EDITS = {
  set: (text) => setter("set", text, (value) => value),
  "set-file": async (text) => {
    const [, path] = parts("set-file", text, "KEY=PATH");
    const value = await aboutFile(path, () => readInput(path));
    return setter("set-file", text, () => value);
  },
  remove: (text) => (editor) => changeNamed(editor, "entry", text, "give --remove-tensor", () => editor.remove(text)),
  rename: (text) => {
    const [from, to] = parts("rename", text, "OLD=NEW");
    return (editor) => changeNamed(editor, "entry", from, "give --rename-tensor", () => editor.rename(from, to));
  },
  "remove-tensor": (text) => (editor) =>
    changeNamed(editor, "tensor", text, "give --remove", () => editor.removeTensor(text)),
  "rename-tensor": (text) => {
    const [from, to] = parts("rename-tensor", text, "OLD=NEW");
    return (editor) => changeNamed(editor, "tensor", from, "give --rename", () => editor.renameTensor(from, to));
  },
};

/** @param {Arguments} args */
export async function run(args) {
  /** @type {Edit[]} */
  const edits = [];
  for (const { name, value } of args.inOrder(Object.keys(EDITS))) {
    const edit = await EDITS[name]?.(value);
    if (edit) edits.push(edit);
  }
  if (edits.length === 0) {
    throw new UsageError("No change is given. Give one or more of --set, --remove, --rename and the like.");
  }
  return editFile(args, (editor) => {
    for (const edit of edits) edit(editor);
  });
}

/**
 * The edit that `KEY[:TYPE]=VALUE` describes.
 *
 * @param {string} option
 * @param {string} text
 * @param {(value: string) => string} valueOf
 * @returns {Edit}
 */
function setter(option, text, valueOf) {
  const [left, right] = parts(option, text, "KEY=VALUE");
  return (editor) => {
    const [key, givenType] = keyAndType(editor, left);
    setValue(editor, key, valueOf(right), givenType, (type) => `--${option} ${key}:${type}=…`);
  };
}

/**
 * The texts before and after the first `=`.
 *
 * @param {string} option
 * @param {string} text
 * @param {string} form
 * @returns {[string, string]}
 */
function parts(option, text, form) {
  const end = text.indexOf("=");
  if (end < 1) throw new UsageError(`--${option} is ${quoted(text)}, expected ${form}.`);
  return [text.slice(0, end), text.slice(end + 1)];
}

/**
 * The key, and the type after the last colon. Keys can contain colons, too.
 *
 * @param {Editor} editor
 * @param {string} text
 * @returns {[string, string?]}
 */
function keyAndType(editor, text) {
  const colon = text.lastIndexOf(":");
  if (colon < 0 || editor.metadata.has(text)) return [text];
  const [key, type] = [text.slice(0, colon), text.slice(colon + 1)];
  if (isTypeName(type)) return [key, type];
  throw new UsageError(
    `${quoted(type)} in ${quoted(text)} is not a type. Expected one such as UINT32, FLOAT32, BOOL, STRING or STRING[]. ` +
      "A new key that contains a colon needs a type, too: my:key:STRING=text.",
  );
}
