// Converts a file to Q8_0, for memory.test.mjs. The arguments are the path of the file and the number of workers.

import process from "node:process";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { measureConversion } from "../../support/conversion-memory.mjs";

const [path = "", workers] = process.argv.slice(2);
const gguf = await Gguf.open(path);
await measureConversion(await requantize(gguf, { type: "Q8_0", workers: Number(workers) }), Number(gguf.fileSize));
