// Measures the preview of one tensor of a file on a server and prints it as JSON. It runs in its own process. Only the
// module of the package and the connections are warm.

import { Gguf } from "gguf-wasm/full";

/**
 * @typedef {object} Previewed
 * @property {number} open the time until the file is open, in milliseconds
 * @property {number} time the time from then until the preview is complete, in milliseconds
 * @property {number} bytes the number of bytes that the preview has read
 * @property {number} sampled the number of elements that the preview has read
 */

/** The number of connections that are opened before the measurement: one for each concurrent request. */
const CONNECTIONS = 6;

const [server = ""] = process.argv.slice(2);
// In Node.js, `fetch` is written in JavaScript and is slow until it is compiled.
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
