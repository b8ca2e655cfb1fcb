import * as api from "gguf-wasm/init";
import { check } from "./check.js";

await api.init(new URL("node_modules/gguf-wasm/gguf_wasm_bg.wasm", document.baseURI));
document.title = await check(api).catch(String);
