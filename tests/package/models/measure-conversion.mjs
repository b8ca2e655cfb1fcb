// Converts a model to Q8_0, for memory.test.mjs. The arguments are the folder of the model, the type of the plan, and the number of workers
// that quantize it; none if the plan is written as it is.

import process from "node:process";
import { requantize } from "gguf-wasm/convert/node";
import { openModel } from "gguf-wasm/models/node";
import { measureConversion } from "../../support/conversion-memory.mjs";

const [folder = "", type, workers] = process.argv.slice(2);
const model = await openModel(folder);
const options = { type: /** @type {import("gguf-wasm/models").ModelConversionOptions["type"]} */ (type) };
const own = await model.convert(options);
const plan = workers ? await requantize(own.gguf, { type: "Q8_0", workers: Number(workers) }) : own;
await measureConversion(plan, model.size);
