// Reads the sample by its path.
import * as api from "gguf-wasm/node";
import * as main from "gguf-wasm";
import process from "node:process";
import { check } from "./check.js";

if (api.Gguf !== main.Gguf) throw new Error("the two entry points have different copies of the module");
const source = await api.fileSource(String(process.argv.at(-1)));
console.log(await check(api, source, { workers: 2 }));
await source.close();
await source.close();
