// The loader for Bun, whose bundler copies the file.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
// @ts-expect-error: it is a path.
import file from "./gguf_wasm_bg.wasm" with { type: "file" };
import { initSync } from "./gguf_wasm.js";

initSync(readFileSync(resolve(import.meta.dirname, file)));

export * from "./gguf_wasm_api.js";
