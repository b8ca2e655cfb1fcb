/// <reference lib="esnext.disposable" />
export * from "./gguf_wasm_template_api.js";
