// Measures the memory that converting a large model to Q8_0 takes, and prints it as JSON. memory.test.mjs runs it in its own process.
// The arguments are the folder of the model, the type of the plan, and the number of workers that quantize it; none if the plan is
// written as it is.

import process from "node:process";
import { requantize } from "gguf-wasm/convert/node";
import { openModel } from "gguf-wasm/models/node";

/**
 * @typedef {object} ConversionUse sizes in bytes
 * @property {number} size of the new file
 * @property {number} streamed
 * @property {number} before the memory of the process before the conversion
 * @property {number} most the most memory of the process
 * @property {number} megabytesPerSecond of the stored tensors
 */

const [folder = "", type, workers] = process.argv.slice(2);
const model = await openModel(folder);
const options = { type: /** @type {import("gguf-wasm/models").ModelConversionOptions["type"]} */ (type) };
const own = await model.convert(options);
const plan = workers ? await requantize(own.gguf, { type: "Q8_0", workers: Number(workers) }) : own;
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
  megabytesPerSecond: Math.round(model.size / 1000 / (performance.now() - start)),
};
console.log(JSON.stringify(use));
