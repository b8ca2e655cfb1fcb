// Measures the memory that opening a header takes, and prints it as JSON. memory.test.mjs runs it in its own process, with
// --expose-gc. The argument is the kind of source: `bytes`, `blob` or `stream`.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Gguf, initSync } from "gguf-wasm/full/init";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { llama3 } from "../../support/llama3.mjs";
import { ofRun } from "../../support/long.mjs";

/**
 * @typedef {object} MemoryUse sizes in bytes
 * @property {number} header
 * @property {number} wasm the WebAssembly memory after the header was opened
 * @property {number} heap the growth of the JavaScript heap by opening, after a garbage collection
 * @property {number} wasmAfterFew the WebAssembly memory after 10 openings, each freed
 * @property {number} wasmAfterMany the WebAssembly memory after many more of the same header, and of a small one
 */

function collectedHeap() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const file = llama3();
const SMALL = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["tokens", { type: "strings", count: 2, at: (index) => `token ${index}` }],
  ],
  [{ name: "t", dimensions: [4], type: 0, bytes: 16 }],
);
/** @type {Record<string, (bytes?: Uint8Array<ArrayBuffer>) => Uint8Array | Blob | ReadableStream<Uint8Array>>} */
const sources = {
  bytes: (bytes = file) => bytes,
  blob: (bytes = file) => new Blob([bytes]),
  stream: (bytes = file) => new Blob([bytes]).stream(),
};
const give = sources[process.argv[2] ?? ""];
if (!give) throw new Error(`how is the header given? ${Object.keys(sources).join(", ")}`);
const { memory } = initSync(readFileSync(fileURLToPath(import.meta.resolve("gguf-wasm/full/gguf_wasm_full_bg.wasm"))));

const heapBefore = collectedHeap();
const gguf = await Gguf.open(give());
const heap = collectedHeap() - heapBefore;
const wasm = memory.buffer.byteLength;
const header = gguf.headerSize;
gguf.free();

/** @param {number} count @param {Uint8Array<ArrayBuffer>} [bytes] */
const afterOpening = async (count, bytes) => {
  for (let opened = 0; opened < count; opened += 1) (await Gguf.open(give(bytes))).free();
  return memory.buffer.byteLength;
};
const wasmAfterFew = await afterOpening(10);
await afterOpening(ofRun(90, 490));
// What an opening keeps of any header, however little, adds up.
const wasmAfterMany = await afterOpening(ofRun(2000, 10_000), SMALL);
/** @type {MemoryUse} */
const use = { header, wasm, heap, wasmAfterFew, wasmAfterMany };
console.log(JSON.stringify(use));
