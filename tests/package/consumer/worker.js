import * as api from "gguf-wasm";
import { check } from "./check.js";

postMessage(await check(api, new URL("/sample.gguf", location.href)).catch(String));
