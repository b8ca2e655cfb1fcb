// Measures the planning of edits of a header and prints the times as JSON. It runs in its own process.

import { readFileSync } from "node:fs";
import { Gguf } from "gguf-wasm/full";

/**
 * @typedef {object} Planned
 * @property {string} name
 * @property {number} first the time of the first edit after the file was opened, in milliseconds
 * @property {number[]} again the times of later edits
 */

const REPEATS = 20;

/** @type {Record<string, (editor: import("gguf-wasm/full").Editor) => void>} */
const EDITS = {
  "change a string": (editor) => editor.set("general.architecture", "an architecture with a longer name"),
  "change one token": (editor) => editor.setElement("tokenizer.ggml.tokens", 100_000, "a longer token"),
  "rename a tensor": (editor) => editor.renameTensor("output.weight", "output.renamed"),
  "remove a tensor": (editor) => editor.removeTensor(100),
  "change the alignment": (editor) => (editor.alignment = 64),
};

const [file = "", size = ""] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(file));
const read = async (/** @type {number} */ start, /** @type {number} */ end) => {
  const part = new Uint8Array(end - start);
  part.set(bytes.subarray(start, end));
  return part;
};

/** @param {Gguf} gguf @param {(editor: import("gguf-wasm/full").Editor) => void} edit */
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
