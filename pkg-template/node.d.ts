/// <reference lib="esnext.disposable" />
export * from "./gguf_wasm_api.js";
export { fileSource, type FileSource } from "./file-source.js";
