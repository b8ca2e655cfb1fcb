// The loader for Bun. Bun's bundler copies a file that is imported with `type: "file"`.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
// @ts-expect-error: in Bun this import is the path of the file, relative to this script in a bundle.
import file from "./gguf_wasm_bg.wasm" with { type: "file" };
import { initSync } from "./gguf_wasm.js";

initSync(readFileSync(resolve(import.meta.dirname, file)));

export * from "./gguf_wasm_api.js";
