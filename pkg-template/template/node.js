// The same API for Node.js, Bun and Deno. It needs no local files.
import "gguf-wasm/template";

export * from "gguf-wasm/template";
