import * as api from "gguf-wasm/init";
import { check } from "./check.js";
import { show } from "./show.js";

await api.init(new URL("node_modules/gguf-wasm/gguf_wasm_bg.wasm", document.baseURI));
await show(check(api, "/sample.gguf"));
