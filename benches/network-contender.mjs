// One reader, one file on a server: what it takes until it is open, as JSON. Run in a process of its own.

import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {object} Timed
 * @property {number} time in milliseconds, from asking for the file to having its metadata and tensors
 * @property {number} [tensors] how many were found
 */

/** @typedef {(url: URL, size: number) => Promise<number | undefined>} Open gives the number of tensors */

/** @type {Record<string, () => Promise<Open>>} */
const readers = {
  async "gguf-wasm"() {
    const { Gguf } = await import("gguf-wasm");
    return async (url) => (await Gguf.open(url)).tensors.length;
  },

  async "@huggingface/gguf"() {
    const { gguf } = await import("@huggingface/gguf");
    return async (url) => (await gguf(url.href)).tensorInfos.length;
  },

  /** Fixed ranges one after another, parsed by gguf-wasm as each is there. */
  async "2 MB pieces"() {
    const { Gguf } = await import("gguf-wasm");
    return async (url) => (await Gguf.open(inPieces(url, 2e6))).tensors.length;
  },

  /** Nobody knows the header's size beforehand: this is what the machine and its `fetch` leave to be reached. */
  async "one exact range"() {
    return async (url, size) => {
      const { body } = await fetch(url, { headers: { Range: `bytes=0-${size - 1}` } });
      let received = 0;
      for await (const piece of body ?? []) received += piece.length;
      if (received !== size) throw new Error(`${received} bytes of ${size}`);
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
    // Nothing is fetched before it is asked for.
    { highWaterMark: 0 },
  );
}

const [name = "", server = "", size = "0"] = process.argv.slice(2);
const open = await readers[name]?.();
if (!open) throw new Error(`no reader is called ${name}`);
// `fetch` is JavaScript here, unlike in browsers: 30 ms the first time, 5 the second. No reader is to pay for that.
for (let warmUps = 0; warmUps < 10; warmUps++) {
  const { body } = await fetch(new URL("/warm-up", server), { headers: { Range: "bytes=0-0" } });
  for await (const piece of body ?? []) void piece;
}

const start = performance.now();
const tensors = await open(new URL("/model.gguf", server), Number(size));
/** @type {Timed} */
const timed = { time: performance.now() - start, tensors };
// What a reader has not cancelled goes on, and counts.
await sleep(100);
process.stdout.write(JSON.stringify(timed), () => process.exit());
