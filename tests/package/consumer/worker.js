import * as api from "gguf-wasm";
import { check } from "./check.js";

postMessage(await check(api, new URL("/sample.gguf", location.href), { workers: 2 }).catch(String));
