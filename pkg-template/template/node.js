// The same API for Node.js, Bun and Deno. It needs no local files.
export * from "gguf-wasm/template";
