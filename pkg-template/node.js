// The same API for Node.js, Bun and Deno, with local files. The import of the package by its name selects the loader of the
// runtime.
import "gguf-wasm";
import { useLocalFiles } from "./gguf_wasm.js";
import { localFiles } from "./local-files.js";

useLocalFiles(localFiles);

export * from "gguf-wasm";
export { fileSource } from "./file-source.js";
