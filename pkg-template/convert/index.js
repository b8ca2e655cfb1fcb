// The loader for browsers, workers and bundlers: that of all modules, and the workers that convert.
import { init, useWorkers } from "./gguf_wasm_convert.js";
import { workers } from "./workers.js";

await init(new URL("gguf_wasm_convert_bg.wasm", import.meta.url));
useWorkers(workers);

export * from "./gguf_wasm_convert_api.js";
