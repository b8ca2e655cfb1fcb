import * as api from "gguf-wasm/inline";
import process from "node:process";
import { check } from "./check.js";

console.log(await check(api, String(process.argv.at(-1))));
