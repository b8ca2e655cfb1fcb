// Changes that are made twice: with the editor of the package, and in the model.

import { ARRAY, STRING, hex } from "./gguf-model.mjs";
import { layoutOf } from "./ggml-layout.mjs";

/**
 * @typedef {import("gguf-wasm/full").Editor} Editor
 * @typedef {import("./gguf-model.mjs").Model} Model
 *
 * @typedef {object} EditOf
 * @property {string} name
 * @property {(editor: Editor, draft: Model) => boolean} make Makes the change in both. Returns false if the file has nothing to change.
 */

const ALIGNMENT = hex("general.alignment");
const UINT32 = 4;
const INT32 = 5;

/** An item for which `is` holds, if possible neither the first nor the last such item. @template T @param {readonly T[]} items @param {(item: T) => boolean} is */
function middle(items, is) {
  const found = [...items.keys()].filter((index) => is(/** @type {T} */ (items[index])));
  return found[Math.floor(found.length / 2)] ?? -1;
}

/** @param {Model} draft @param {number} index @param {Partial<import("./gguf-model.mjs").Entry>} to */
function changeEntry({ entries }, index, to) {
  entries[index] = { .../** @type {import("./gguf-model.mjs").Entry} */ (entries[index]), ...to };
}

/** @param {number} value */
const u32 = (value) => value.toString(16).padStart(8, "0");

/** @type {EditOf} */
const string = {
  name: "a string",
  make(editor, draft) {
    const index = middle(draft.entries, ({ type }) => type === STRING);
    if (index < 0) return false;
    const text = "Longer, or shorter; 🦙";
    editor.set(index, text);
    changeEntry(draft, index, { value: hex(text) });
    return true;
  },
};

/** @type {EditOf} */
const add = {
  name: "two more entries",
  make(editor, draft) {
    editor.add("interop.first", "first", undefined, 0);
    editor.add("interop.last", [1, -2, 3], "INT32[]");
    draft.entries.unshift({ key: hex("interop.first"), type: STRING, value: hex("first") });
    const elements = [u32(1), u32(0xfffffffe), u32(3)];
    draft.entries.push({ key: hex("interop.last"), type: ARRAY, value: { elementType: INT32, elements } });
    return true;
  },
};

/** @type {EditOf} */
const remove = {
  name: "an entry less",
  make(editor, draft) {
    const index = middle(draft.entries, ({ key }) => key !== ALIGNMENT);
    if (index < 0) return false;
    editor.remove(index);
    draft.entries.splice(index, 1);
    return true;
  },
};

/** @type {EditOf} */
const rename = {
  name: "another key",
  make(editor, draft) {
    const index = draft.entries.findLastIndex(({ key }) => key !== ALIGNMENT);
    if (index < 0) return false;
    editor.rename(index, "interop.renamed");
    changeEntry(draft, index, { key: hex("interop.renamed") });
    return true;
  },
};

/** @type {EditOf} */
const element = {
  name: "an element of another length",
  make(editor, draft) {
    const index = middle(
      draft.entries,
      ({ value }) => typeof value === "object" && value.elementType === STRING && value.elements.length > 0,
    );
    const array = draft.entries[index]?.value;
    if (typeof array !== "object") return false;
    const at = Math.floor(array.elements.length / 2);
    editor.setElement(index, at, "an element of another length");
    const elements = array.elements.with(at, hex("an element of another length"));
    changeEntry(draft, index, { value: { ...array, elements } });
    return true;
  },
};

/** @type {EditOf} */
const elements = {
  name: "elements more and less",
  make(editor, draft) {
    const index = middle(
      draft.entries,
      ({ value }) => typeof value === "object" && value.elementType === INT32 && value.elements.length > 1,
    );
    const array = draft.entries[index]?.value;
    if (typeof array !== "object") return false;
    editor.insertElements(index, 1, [7, -7, 70]);
    editor.removeElements(index, 0);
    const elements = [u32(7), u32(0xfffffff9), u32(70), ...array.elements.slice(1)];
    changeEntry(draft, index, { value: { ...array, elements } });
    return true;
  },
};

/** @type {EditOf} */
const renameTensor = {
  name: "another name for a tensor",
  make(editor, draft) {
    const index = middle(draft.tensors, () => true);
    const tensor = draft.tensors[index];
    if (!tensor) return false;
    editor.renameTensor(index, "interop.renamed");
    draft.tensors[index] = { ...tensor, name: hex("interop.renamed") };
    return true;
  },
};

/** @type {EditOf} */
const removeTensor = {
  name: "a tensor less",
  make(editor, draft) {
    const index = middle(draft.tensors, () => true);
    if (index < 0) return false;
    editor.removeTensor(index);
    draft.tensors.splice(index, 1);
    return true;
  },
};

/** @param {number} alignment @returns {EditOf} */
const align = (alignment) => ({
  name: `alignment ${alignment}`,
  make(editor, draft) {
    editor.alignment = alignment;
    const index = draft.entries.findIndex(({ key }) => key === ALIGNMENT);
    const entry = { key: ALIGNMENT, type: UINT32, value: u32(alignment) };
    draft.entries.splice(index < 0 ? draft.entries.length : index, 1, entry);
    return true;
  },
});

/** @type {EditOf} */
const version = {
  name: "version 3",
  make(editor, draft) {
    if (draft.version === 3) return false;
    editor.version = 3;
    draft.version = 3;
    return true;
  },
};

/** @type {EditOf} */
export const byteOrder = {
  name: "the other byte order",
  make(editor, draft) {
    editor.byteOrder = draft.bigEndian ? "little-endian" : "big-endian";
    draft.bigEndian = !draft.bigEndian;
    return true;
  },
};

/** Whether all tensors can be converted to the other byte order. @param {Model} model */
export const isConvertible = ({ tensors }) => tensors.every(({ type }) => layoutOf(type)?.isConvertible);

/** Several changes, one after another. @param {string} name @param {EditOf[]} edits @returns {EditOf} */
const all = (name, edits) => ({
  name,
  make(editor, draft) {
    for (const { make } of edits) make(editor, draft);
    return true;
  },
});

const SINGLE = [string, add, remove, rename, element, elements, renameTensor, removeTensor];

/** @type {EditOf[]} */
export const EDITS = [
  ...SINGLE,
  align(64),
  align(128),
  align(256),
  version,
  byteOrder,
  all("the data stays where it is", [string, add, remove, rename, element, elements, renameTensor]),
];

/** All changes except of the byte order. */
export const everything = all("everything", [...SINGLE, align(128), version]);
