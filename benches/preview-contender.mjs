// A preview of the largest tensor of one file on a server: what it takes, as JSON. Run in a process of its own, which is
// cold but for the package's module and the connections.

import { Gguf } from "gguf-wasm";

/**
 * @typedef {object} Previewed
 * @property {number} open in milliseconds, until the file is open
 * @property {number} time in milliseconds, from then until the preview is there
 * @property {number} bytes that the preview has read
 * @property {number} sampled how many numbers it has looked at
 */

/** Connections that are open before the clock starts: as many as there are requests at once. */
const CONNECTIONS = 6;

const [server = ""] = process.argv.slice(2);
// `fetch` is JavaScript here, unlike in browsers: slow for its first calls.
for (let turn = 0; turn < 10; turn++) {
  const connect = () => fetch(new URL("/warm-up", server), { headers: { Range: "bytes=0-0" } });
  const responses = await Promise.all(Array.from({ length: CONNECTIONS }, connect));
  await Promise.all(responses.map((response) => response.arrayBuffer()));
}

const start = performance.now();
const gguf = await Gguf.open(new URL("/model.gguf", server));
const open = performance.now();
const { bytesRead, statistics } = await gguf.preview("token_embd.weight");
/** @type {Previewed} */
const previewed = {
  open: open - start,
  time: performance.now() - open,
  bytes: bytesRead,
  sampled: statistics.count,
};
process.stdout.write(JSON.stringify(previewed), () => process.exit());
