// Measures the memory that opening a header takes, and prints it as JSON. memory.test.mjs runs it in its own process, with
// --expose-gc. The argument is the kind of source: `bytes`, `blob` or `stream`.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Gguf, initSync } from "gguf-wasm/init";
import { llama3 } from "../../support/llama3.mjs";

/**
 * @typedef {object} MemoryUse sizes in bytes
 * @property {number} header
 * @property {number} wasm the WebAssembly memory after the header was opened
 * @property {number} heap the growth of the JavaScript heap by opening, after a garbage collection
 * @property {number} wasmAfterFew the WebAssembly memory after 10 openings, each freed
 * @property {number} wasmAfterMany the WebAssembly memory after 500 openings
 */

function collectedHeap() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const file = llama3();
/** @type {Record<string, () => Uint8Array | Blob | ReadableStream<Uint8Array>>} */
const sources = {
  bytes: () => file,
  blob: () => new Blob([file]),
  stream: () => new Blob([file]).stream(),
};
const give = sources[process.argv[2] ?? ""];
if (!give) throw new Error(`how is the header given? ${Object.keys(sources).join(", ")}`);
const { memory } = initSync(readFileSync(fileURLToPath(import.meta.resolve("gguf-wasm/gguf_wasm_bg.wasm"))));

const heapBefore = collectedHeap();
const gguf = await Gguf.open(give());
const heap = collectedHeap() - heapBefore;
const wasm = memory.buffer.byteLength;
const header = gguf.headerSize;
gguf.free();

/** @param {number} count */
const afterOpening = async (count) => {
  for (let opened = 0; opened < count; opened += 1) (await Gguf.open(give())).free();
  return memory.buffer.byteLength;
};
/** @type {MemoryUse} */
const use = { header, wasm, heap, wasmAfterFew: await afterOpening(10), wasmAfterMany: await afterOpening(490) };
console.log(JSON.stringify(use));
