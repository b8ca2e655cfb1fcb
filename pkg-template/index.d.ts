export * from "./gguf_wasm.js";
