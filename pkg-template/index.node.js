// The loader for Node.js and Deno, whose `fetch` reads no files.
import { initSync } from "./gguf_wasm.js";
import { moduleFile } from "./module-file.js";

initSync(moduleFile(new URL("gguf_wasm_bg.wasm", import.meta.url), import.meta.url, "gguf-wasm/gguf_wasm_bg.wasm"));

export * from "./gguf_wasm_api.js";
