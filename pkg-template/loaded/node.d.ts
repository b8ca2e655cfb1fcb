/// <reference lib="esnext.disposable" />
export * from "./gguf_wasm_api.js";
