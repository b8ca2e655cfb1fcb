// The same API for Node.js, Bun and Deno, with `fileSource`. The import of the package by its name selects the loader of the
// runtime.
export * from "gguf-wasm";
export { fileSource } from "./file-source.js";
