// For Cloudflare Workers, which compile modules when they are uploaded, and never later.
// @ts-expect-error: this is a `WebAssembly.Module` there.
import module from "./gguf_wasm_bg.wasm";
import { initSync } from "./gguf_wasm.js";

initSync({ module });

export * from "./gguf_wasm.js";
