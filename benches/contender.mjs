// One reader, one file: what it takes, as JSON. Run in a process of its own, with --expose-gc.

import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Times in milliseconds
 * @property {number} open until the reader's result is there
 * @property {number} lists from then until metadata and tensors are JavaScript objects
 * @property {number} tokens from then until the vocabulary is a JavaScript array
 */

/**
 * @typedef {object} Measured
 * @property {Times} first the first time in the process: nothing is compiled, no memory is there
 * @property {Times[]} again the times after that
 * @property {number} heap growth of the JavaScript heap from opening, in bytes, after a collection
 * @property {number} [memory] size of the WebAssembly memory, in bytes, after opening
 */

/** @typedef {{ tokens(): unknown, lists?(): unknown, memory?(): number, free?(): void }} Opened */

/** @type {Record<string, (bytes: Uint8Array<ArrayBuffer>, chunk: number) => Promise<() => Promise<Opened>>>} */
const readers = {
  /** The whole header in memory, or in pieces of `chunk` bytes from a stream. */
  async "gguf-wasm"(bytes, chunk) {
    const { Gguf, initSync } = await import("gguf-wasm/init");
    const module = readFileSync(fileURLToPath(import.meta.resolve("gguf-wasm/gguf_wasm_bg.wasm")));
    const { memory } = initSync(module);
    return async () => {
      const gguf = await Gguf.open(chunk ? inPieces(bytes, chunk) : bytes);
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

  /** Ranges of the same bytes, from a `fetch` that has them in memory: quicker than its own reading of a local file. */
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
function inPieces(bytes, size) {
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
if (!reader) throw new Error(`no reader is called ${name}`);
// A buffer of its own: readFileSync may return a view into a pool.
const bytes = new Uint8Array(readFileSync(file));
const open = await reader(bytes, Number(chunk));

/** @param {(opened: Opened) => void} [atOnce] looks at what is open before anything is asked of it */
async function timed(atOnce) {
  const start = performance.now();
  const opened = await open();
  const openedAt = performance.now();
  atOnce?.(opened);
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
  // What the one before has left is not this one's to clear away. Arrays free their memory after the collection, in a
  // turn of the event loop.
  collected();
  await setImmediate();
  again.push(await timed());
}
/** @type {Measured} */
const measured = { first, again, heap, memory };
console.log(JSON.stringify(measured));
