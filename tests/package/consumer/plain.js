// The same without a bundler, by an import map; workers have none.
import * as api from "gguf-wasm";
import { check } from "./check.js";
import { show } from "./show.js";

await show(check(api, "/sample.gguf"), new Worker(new URL("./plain-worker.js", import.meta.url), { type: "module" }));
