// Measures the memory that converting a large file to Q8_0 takes, and prints it as JSON. memory.test.mjs runs it in its own process.
// The arguments are the path of the file and the number of workers.

import process from "node:process";
import { Gguf, requantize } from "gguf-wasm/convert/node";

/**
 * @typedef {object} ConversionUse sizes in bytes
 * @property {number} size of the new file
 * @property {number} streamed
 * @property {number} before the memory of the process before the conversion
 * @property {number} most the most memory of the process
 * @property {number} megabytesPerSecond of the original file
 */

const [path = "", workers] = process.argv.slice(2);
const gguf = await Gguf.open(path);
const plan = await requantize(gguf, { type: "Q8_0", workers: Number(workers) });
const before = process.memoryUsage().rss;
const start = performance.now();
let streamed = 0;
for await (const chunk of plan.stream()) streamed += chunk.length;
/** @type {ConversionUse} */
const use = {
  size: plan.size,
  streamed,
  before,
  // In KiB. It includes the threads of the workers.
  most: process.resourceUsage().maxRSS * 1024,
  megabytesPerSecond: Math.round(Number(gguf.fileSize) / 1000 / (performance.now() - start)),
};
console.log(JSON.stringify(use));
