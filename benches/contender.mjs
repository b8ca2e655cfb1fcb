// Measures how one reader opens one file and prints times and memory as JSON. It runs in its own process, with --expose-gc.

import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Times times in milliseconds
 * @property {number} open until the file is open
 * @property {number} lists from then on, until metadata and tensors are JavaScript objects
 * @property {number} tokens from then on, until the vocabulary is a JavaScript array
 */

/**
 * @typedef {object} Measured
 * @property {Times} first the first opening in the process, which includes compilation and the growth of memory
 * @property {Times[]} again the later openings
 * @property {number} heap the growth of the JavaScript heap by opening, in bytes, after a garbage collection
 * @property {number} [memory] the size of the WebAssembly memory after opening, in bytes
 */

/** @typedef {{ tokens(): unknown, lists?(): unknown, memory?(): number, free?(): void }} Opened */

/** @type {Record<string, (bytes: Uint8Array<ArrayBuffer>, chunk: number) => Promise<() => Promise<Opened>>>} */
const readers = {
  /** Reads the header from memory, or from a stream in chunks of `chunk` bytes. */
  async "gguf-wasm"(bytes, chunk) {
    const { Gguf, initSync } = await import("gguf-wasm/full/init");
    const module = readFileSync(fileURLToPath(import.meta.resolve("gguf-wasm/full/gguf_wasm_full_bg.wasm")));
    const { memory } = initSync(module);
    return async () => {
      const gguf = await Gguf.open(chunk ? inChunks(bytes, chunk) : bytes);
      return {
        lists: () => [gguf.metadata, gguf.tensors],
        tokens() {
          const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
          return tokens !== null && typeof tokens === "object" ? tokens.toArray() : [];
        },
        memory: () => memory.buffer.byteLength,
        free: () => gguf.free(),
      };
    };
  },

  /** Reads ranges with a `fetch` that answers from memory. That is faster than this reader's access to local files. */
  async "@huggingface/gguf"(bytes) {
    const { gguf } = await import("@huggingface/gguf");
    return async () => {
      const { metadata } = await gguf("https://example.com/model.gguf", { fetch: fetchFrom(bytes) });
      const values = new Map(Object.entries(metadata));
      return { tokens: () => values.get("tokenizer.ggml.tokens") };
    };
  },

  async hyllama(bytes) {
    const { ggufMetadata } = await import("hyllama");
    return async () => {
      const { metadata } = ggufMetadata(bytes.buffer);
      return { tokens: () => metadata["tokenizer.ggml.tokens"] };
    };
  },
};

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} size
 */
function inChunks(bytes, size) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      if (at >= bytes.length) controller.close();
    },
  });
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {typeof fetch}
 */
function fetchFrom(bytes) {
  return async (_, init) => {
    const range = new Headers(init?.headers).get("range") ?? "";
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const part = bytes.subarray(Number(first), Number(last) + 1);
    const headers = { "Content-Range": `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}` };
    return new Response(part, { status: 206, headers });
  };
}

function collected() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const [name = "", file = "", chunk = "0", repeats = "0"] = process.argv.slice(2);
const reader = readers[name];
if (!reader) throw new Error(`unknown reader ${name}: choose from ${Object.keys(readers).join(", ")}`);
// Copy the file, because readFileSync may return a view of a shared buffer.
const bytes = new Uint8Array(readFileSync(file));
const open = await reader(bytes, Number(chunk));

/** @param {(opened: Opened) => void} [onOpen] is called after opening, outside of the measured times */
async function timed(onOpen) {
  const start = performance.now();
  const opened = await open();
  const openedAt = performance.now();
  onOpen?.(opened);
  const listsFrom = performance.now();
  opened.lists?.();
  const tokensFrom = performance.now();
  const tokens = opened.tokens();
  const end = performance.now();
  if (!Array.isArray(tokens) || tokens.length === 0) throw new Error(`${name} found no tokens`);
  opened.free?.();
  return { open: openedAt - start, lists: tokensFrom - listsFrom, tokens: end - tokensFrom };
}

/** @type {number | undefined} */
let memory;
let heap = 0;
const before = collected();
const first = await timed((opened) => {
  heap = collected() - before;
  memory = opened.memory?.();
});
const again = [];
while (again.length < Number(repeats)) {
  // Collect the garbage of the previous opening outside of the measured time. Array buffers are freed later, in the next
  // turn of the event loop.
  collected();
  await setImmediate();
  again.push(await timed());
}
/** @type {Measured} */
const measured = { first, again, heap, memory };
console.log(JSON.stringify(measured));
