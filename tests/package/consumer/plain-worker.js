import * as api from "./node_modules/gguf-wasm/index.js";
import { check } from "./check.js";

postMessage(await check(api, new URL("/sample.gguf", location.href), { workers: 2 }).catch(String));
