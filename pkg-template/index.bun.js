// For Bun, which bundles what is imported as a file.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
// @ts-expect-error: Bun gives the path of the file; in a bundle, the path from there.
import file from "./gguf_wasm_bg.wasm" with { type: "file" };
import { initSync } from "./gguf_wasm.js";

initSync({ module: readFileSync(resolve(import.meta.dirname, file)) });

export * from "./gguf_wasm.js";
