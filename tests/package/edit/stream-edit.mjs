// Measures the memory that the edit of a large file takes, and prints it as JSON. big-files.test.mjs runs it in its own
// process. The argument is the path of the file. Every streamed byte is compared.

import { open } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Gguf, initSync } from "gguf-wasm/full/init";
import { fileSource } from "gguf-wasm/full/node";

/**
 * @typedef {object} StreamUse sizes in bytes
 * @property {number} header
 * @property {number} opened the WebAssembly memory after the file was opened
 * @property {number} wasm the WebAssembly memory after the edited file was streamed
 * @property {number} streamed
 * @property {number} size of the edited file
 * @property {number} wrong the position of the first wrong byte, or -1
 * @property {number} megabytesPerSecond
 * @property {number} lastProgress
 */

const { memory } = initSync(readFileSync(fileURLToPath(import.meta.resolve("gguf-wasm/full/gguf_wasm_full_bg.wasm"))));
const path = process.argv[2] ?? "";
const source = await fileSource(path);
const gguf = await Gguf.open(source);
const opened = memory.buffer.byteLength;
const editor = gguf.edit();
editor.set("general.architecture", "an architecture with a longer name");
editor.setElement("tokenizer.ggml.tokens", 100_000, "a longer token");
editor.removeElements("tokenizer.ggml.merges", 0, 100);
const plan = editor.plan();

const original = await open(path);
const head = Buffer.concat([plan.headerBytes(), Buffer.alloc(plan.dataOffset - plan.headerSize)]);
let room = Buffer.alloc(0);
/** The expected bytes from a position on, until the next call. @param {number} position @param {number} length */
async function expected(position, length) {
  if (room.length < length) room = Buffer.alloc(length);
  const bytes = room.subarray(0, length);
  const fromHead = head.copy(bytes, 0, Math.min(position, head.length));
  const start = gguf.dataOffset + position + fromHead - plan.dataOffset;
  await original.read(bytes, fromHead, length - fromHead, start);
  return bytes;
}

const [start, started] = [performance.now(), { streamed: 0, wrong: -1, lastProgress: 0 }];
for await (const piece of plan.stream({ onProgress: ({ bytesWritten }) => (started.lastProgress = bytesWritten) })) {
  if (started.wrong < 0 && Buffer.compare(piece, await expected(started.streamed, piece.length))) {
    started.wrong = started.streamed;
  }
  started.streamed += piece.length;
}
/** @type {StreamUse} */
const use = {
  header: gguf.headerSize,
  opened,
  wasm: memory.buffer.byteLength,
  size: plan.size,
  megabytesPerSecond: started.streamed / 1000 / (performance.now() - start),
  ...started,
};
console.log(JSON.stringify(use));
await original.close();
await source.close();
