// The loader for browsers, workers and bundlers: that of all modules, and the workers that convert.
// @ts-expect-error: `useWorkers` is not part of the API.
import init, { useWorkers } from "./gguf_wasm_convert.js";
import { workers } from "./workers.js";

await init({ module_or_path: new URL("gguf_wasm_convert_bg.wasm", import.meta.url) });
useWorkers(workers);

export * from "./gguf_wasm_convert_api.js";
