/// <reference lib="esnext.disposable" />
export * from "./gguf_wasm.js";
export { fileSource, type FileSource } from "./file-source.js";
