// The same API for Node.js, Bun and Deno, and their files. The package's own name finds the loader of each.
export * from "gguf-wasm";
export { fileSource } from "./file-source.js";
