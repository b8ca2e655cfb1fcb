// The loader for Bun: that of all modules, and the workers that convert.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
// @ts-expect-error: in Bun this import is the path of the file, relative to this script in a bundle.
import file from "./gguf_wasm_convert_bg.wasm" with { type: "file" };
import { initSync, useWorkers } from "./gguf_wasm_convert.js";
import { workers } from "./workers.node.js";

initSync(readFileSync(resolve(import.meta.dirname, file)));
useWorkers(workers);

export * from "./gguf_wasm_convert_api.js";
