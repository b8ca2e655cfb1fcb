// The loader for Node.js and Deno: that of all modules, and the workers that convert.
import { moduleFile } from "../module-file.js";
import { initSync, useWorkers } from "./gguf_wasm_convert.js";
import { workers } from "./workers.node.js";

const asset = new URL("gguf_wasm_convert_bg.wasm", import.meta.url);
initSync(moduleFile(asset, import.meta.url, "gguf-wasm/convert/gguf_wasm_convert_bg.wasm"));
useWorkers(workers);

export * from "./gguf_wasm_convert_api.js";
