// Reads the sample by its URL, in Node.js, Bun and Deno.
import * as api from "gguf-wasm";
import process from "node:process";
import { check } from "./check.js";

console.log(await check(api, String(process.argv.at(-1))));
