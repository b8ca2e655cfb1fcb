// For Node.js and Deno, whose `fetch` needs a permission for files or does not read them at all.
import { readFileSync } from "node:fs";
import { initSync } from "./gguf_wasm.js";

initSync({ module: readFileSync(new URL("gguf_wasm_bg.wasm", import.meta.url)) });

export * from "./gguf_wasm.js";
