// The loader for Cloudflare Workers, which compile modules only when a Worker is uploaded.
// @ts-expect-error: in a Worker this import is a `WebAssembly.Module`.
import module from "./gguf_wasm_bg.wasm";
import { initSync } from "./gguf_wasm.js";

initSync(module);

export * from "./gguf_wasm_api.js";
