// One reader, one file, once: what it takes, as JSON. Run in a process of its own, with --expose-gc.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Measured
 * @property {number} open milliseconds until the reader's result is there
 * @property {number} lists more of them until metadata and tensors are JavaScript objects
 * @property {number} tokens more of them until the vocabulary is a JavaScript array
 * @property {number} heap growth of the JavaScript heap from opening, in bytes, after a collection
 * @property {number} [memory] size of the WebAssembly memory, in bytes, after opening
 */

/** @typedef {{ tokens(): unknown[], lists?(): unknown, memory?(): number }} Opened */

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

const [name = "", file = "", chunk = "0"] = process.argv.slice(2);
const reader = readers[name];
if (!reader) throw new Error(`no reader is called ${name}`);
// A buffer of its own: readFileSync may return a view into a pool.
const bytes = new Uint8Array(readFileSync(file));
const open = await reader(bytes, Number(chunk));

const before = collected();
const start = performance.now();
const opened = await open();
const openedAt = performance.now();
const heap = collected() - before;
const memory = opened.memory?.();
const listsFrom = performance.now();
opened.lists?.();
const tokensFrom = performance.now();
const tokens = opened.tokens();
const end = performance.now();
if (tokens.length === 0) throw new Error(`${name} found no tokens`);

/** @type {Measured} */
const measured = { open: openedAt - start, lists: tokensFrom - listsFrom, tokens: end - tokensFrom, heap, memory };
console.log(JSON.stringify(measured));
