// What a name is probably meant for that the file does not have: another name, or one of the other kind.

import { explain } from "./errors.js";
import { nearest } from "./spelling.js";
import { quoted } from "./values.js";

/** @import { Editor } from "../full/node.js" */

/**
 * Makes a change of an entry or a tensor. If the file does not have it, the error says what is probably meant.
 *
 * @param {Editor} editor
 * @param {"entry" | "tensor"} kind
 * @param {string} name
 * @param {string} otherOption The option for names of the other kind.
 * @param {() => void} change
 */
export function changeNamed(editor, kind, name, otherOption, change) {
  try {
    change();
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && (error.code === "unknown-key" || error.code === "unknown-tensor");
    const advice = isMissing ? adviceFor(editor, kind, name, otherOption) : undefined;
    if (error instanceof Error && advice !== undefined) explain(error, advice);
    throw error;
  }
}

/**
 * @param {Editor} editor
 * @param {"entry" | "tensor"} kind
 * @param {string} name
 * @param {string} otherOption
 */
function adviceFor(editor, kind, name, otherOption) {
  const keys = editor.entries.map(({ key }) => key);
  const tensors = editor.tensors.map(({ name }) => name);
  const [own, other] = kind === "entry" ? [keys, tensors] : [tensors, keys];
  const otherKind = kind === "entry" ? "a tensor" : "an entry";
  if (other.includes(name)) return `. It is the name of ${otherKind}: ${otherOption}.`;
  const similar = nearest(name, own);
  if (similar !== undefined) return `. Did you mean ${quoted(similar)}?`;
  const similarOther = nearest(name, other);
  return similarOther && `. Did you mean ${otherKind}, ${quoted(similarOther)}? For it, ${otherOption}.`;
}
