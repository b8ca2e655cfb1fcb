import * as api from "gguf-wasm/init";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { check } from "./check.js";

const { memory } = api.initSync(readFileSync(fileURLToPath(import.meta.resolve("gguf-wasm/gguf_wasm_bg.wasm"))));
if (!(memory instanceof WebAssembly.Memory)) throw new Error("init returned no memory");
console.log(await check(api, String(process.argv.at(-1))));
