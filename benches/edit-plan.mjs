// Planning edits of a header: what it takes, as JSON. Run in a process of its own.

import { readFileSync } from "node:fs";
import { Gguf } from "gguf-wasm";

/**
 * @typedef {object} Planned
 * @property {string} name
 * @property {number} first in milliseconds, the first such edit of a file that has been opened only
 * @property {number[]} again
 */

const REPEATS = 20;

/** @type {Record<string, (editor: import("gguf-wasm").Editor) => void>} */
const EDITS = {
  "a string": (editor) => editor.set("general.architecture", "an architecture with a longer name"),
  "one of the tokens": (editor) => editor.setElement("tokenizer.ggml.tokens", 100_000, "a longer token"),
  "a tensor's name": (editor) => editor.renameTensor("output.weight", "output.renamed"),
  "a tensor less": (editor) => editor.removeTensor(100),
  "the alignment": (editor) => (editor.alignment = 64),
};

const [file = "", size = ""] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(file));
const read = async (/** @type {number} */ start, /** @type {number} */ end) => {
  const part = new Uint8Array(end - start);
  part.set(bytes.subarray(start, end));
  return part;
};

/** @param {Gguf} gguf @param {(editor: import("gguf-wasm").Editor) => void} edit */
function timed(gguf, edit) {
  const start = performance.now();
  const editor = gguf.edit();
  edit(editor);
  const plan = editor.plan();
  const time = performance.now() - start;
  plan.free();
  editor.free();
  return time;
}

/** @type {Planned[]} */
const planned = [];
for (const [name, edit] of Object.entries(EDITS)) {
  const gguf = await Gguf.open({ size: Number(size), read });
  const first = timed(gguf, edit);
  planned.push({ name, first, again: Array.from({ length: REPEATS }, () => timed(gguf, edit)) });
  gguf.free();
}
console.log(JSON.stringify(planned));
