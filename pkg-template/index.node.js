// The loader for Node.js and Deno. Their `fetch` cannot read files, or needs a permission for them.
import { initSync } from "./gguf_wasm.js";
import { moduleFile } from "./module-file.js";

initSync(moduleFile(new URL("gguf_wasm_bg.wasm", import.meta.url), import.meta.url, "gguf-wasm/gguf_wasm_bg.wasm"));

export * from "./gguf_wasm_api.js";
