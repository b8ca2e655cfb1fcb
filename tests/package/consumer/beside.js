import * as api from "gguf-wasm/init";
import { check } from "./check.js";
import { show } from "./show.js";

await api.init();
await show(check(api, "/sample.gguf"));
