// For Node.js, whose `fetch` does not read files.
import { readFileSync } from "node:fs";
import { initSync } from "./gguf_wasm.js";

initSync({ module: readFileSync(new URL("gguf_wasm_bg.wasm", import.meta.url)) });

export * from "./gguf_wasm.js";
