// Measures how one reader opens one file on a server and prints the time as JSON. It runs in its own process.

import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {object} Timed
 * @property {number} time the time from the first request until metadata and tensors are known, in milliseconds
 * @property {number} [tensors] the number of tensors that the reader found
 */

/** @typedef {(url: URL, size: number) => Promise<number | undefined>} Open resolves to the number of tensors */

/** @type {Record<string, () => Promise<Open>>} */
const readers = {
  async "gguf-wasm"() {
    const { Gguf } = await import("gguf-wasm/full");
    return async (url) => (await Gguf.open(url)).tensors.length;
  },

  async "@huggingface/gguf"() {
    const { gguf } = await import("@huggingface/gguf");
    return async (url) => (await gguf(url.href)).tensorInfos.length;
  },

  /** Requests ranges of fixed size, one after another. gguf-wasm decodes each range when it has arrived. */
  async "2 MB pieces"() {
    const { Gguf } = await import("gguf-wasm/full");
    return async (url) => (await Gguf.open(inPieces(url, 2e6))).tensors.length;
  },

  /** Requests exactly the header with one `fetch`. No reader knows that size beforehand, so this is the lower bound. */
  async "one exact range"() {
    return async (url, size) => {
      const { body } = await fetch(url, { headers: { Range: `bytes=0-${size - 1}` } });
      let received = 0;
      for await (const piece of body ?? []) received += piece.length;
      if (received !== size) throw new Error(`the server sent ${received} bytes, expected ${size}`);
      return undefined;
    };
  },
};

/**
 * @param {URL} url
 * @param {number} size
 */
function inPieces(url, size) {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const response = await fetch(url, { headers: { Range: `bytes=${at}-${at + size - 1}` } });
        controller.enqueue(new Uint8Array(await response.arrayBuffer()));
        at += size;
      },
    },
    // Without a queue, no range is requested before it is read.
    { highWaterMark: 0 },
  );
}

const [name = "", server = "", size = "0"] = process.argv.slice(2);
const open = await readers[name]?.();
if (!open) throw new Error(`unknown reader ${name}: choose from ${Object.keys(readers).join(", ")}`);
// In Node.js, `fetch` is written in JavaScript: the first call takes 30 ms, the second one 5 ms. Warm it up before the
// measurement.
for (let warmUps = 0; warmUps < 10; warmUps++) {
  const { body } = await fetch(new URL("/warm-up", server), { headers: { Range: "bytes=0-0" } });
  for await (const piece of body ?? []) void piece;
}

const start = performance.now();
const tensors = await open(new URL("/model.gguf", server), Number(size));
/** @type {Timed} */
const timed = { time: performance.now() - start, tensors };
// Requests that the reader has not cancelled continue, and their bytes count.
await sleep(100);
process.stdout.write(JSON.stringify(timed), () => process.exit());
