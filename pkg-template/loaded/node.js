// The same API for Node.js, Bun and Deno. It needs no local files.
import "gguf-wasm";

export * from "gguf-wasm";
