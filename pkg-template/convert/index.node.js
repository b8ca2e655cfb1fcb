// The loader for Node.js and Deno: that of all modules, and the workers that convert.
import { readFileSync } from "node:fs";
import { initSync, useWorkers } from "./gguf_wasm_convert.js";
import { workers } from "./workers.node.js";

initSync(readFileSync(new URL("gguf_wasm_convert_bg.wasm", import.meta.url)));
useWorkers(workers);

export * from "./gguf_wasm_convert_api.js";
