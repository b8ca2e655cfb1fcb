// What opening a header takes of memory, as JSON: run by memory.test.mjs in a process of its own, with --expose-gc. The
// argument is how the header is given: `bytes`, `blob` or `stream`.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Gguf, initSync } from "gguf-wasm/init";
import { ggufBytes, text } from "../support/gguf-bytes.mjs";

/**
 * @typedef {object} MemoryUse in bytes
 * @property {number} header
 * @property {number} wasm the WebAssembly memory when the header is open
 * @property {number} heap by how much JavaScript's heap has grown then, after a collection
 * @property {number} wasmAfterFew the WebAssembly memory after 10 openings, each freed
 * @property {number} wasmAfterMany and after 500
 */

/** A header in the proportions of Llama 3's: 128,256 tokens, 280,147 merges, 291 tensors. */
function llama3() {
  const words = (/** @type {number} */ index, /** @type {number} */ length) => index.toString(36).padStart(length, "Ġ");
  const parts = [
    "attn_k",
    "attn_norm",
    "attn_output",
    "attn_q",
    "attn_v",
    "ffn_down",
    "ffn_gate",
    "ffn_norm",
    "ffn_up",
  ];
  const names = Array.from({ length: 32 }, (_, block) => parts.map((part) => `blk.${block}.${part}.weight`)).flat();
  return ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["tokenizer.ggml.tokens", { type: "strings", count: 128_256, at: (index) => words(index, 8) }],
      ["tokenizer.ggml.token_type", { type: "int32s", count: 128_256, at: () => 1 }],
      ["tokenizer.ggml.merges", { type: "strings", count: 280_147, at: (index) => `${words(index, 6)} ${index % 97}` }],
    ],
    ["token_embd.weight", ...names, "output_norm.weight", "output.weight"].map((name) => ({
      name,
      dimensions: [4096, 4096],
      type: 12,
      bytes: 0,
    })),
  );
}

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
