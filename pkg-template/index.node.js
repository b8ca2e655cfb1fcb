// The loader for Node.js and Deno. Their `fetch` cannot read files, or needs a permission for them.
import { readFileSync } from "node:fs";
import { initSync } from "./gguf_wasm.js";

initSync(readFileSync(new URL("gguf_wasm_bg.wasm", import.meta.url)));

export * from "./gguf_wasm_api.js";
