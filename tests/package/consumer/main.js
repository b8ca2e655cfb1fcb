import * as api from "gguf-wasm";
import { check } from "./check.js";

document.title = await check(api).catch(String);
