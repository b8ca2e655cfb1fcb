// Sets an entry to a value that is given as text.

import { configuredTemplates } from "./chat-templates.js";
import { parseValue } from "./given-value.js";

/** @import { Editor } from "../full/node.js" */

/**
 * Sets the value of an entry, or adds one.
 *
 * @param {Editor} editor
 * @param {string} key
 * @param {string} text The value, or a file of Hugging Face with chat templates.
 * @param {string | undefined} chosenType The type that the user asks for.
 * @param {(type: string) => string} typeOption How the user gives a type.
 */
export function setValue(editor, key, text, chosenType, typeOption) {
  const setTemplates = chosenType === undefined ? configuredTemplates(key, text) : undefined;
  if (setTemplates) return setTemplates(editor);
  const { value, type } = parseValue(editor, key, text, chosenType, typeOption);
  editor.set(key, value, type);
}
