// A page with a strict Content-Security-Policy, without a bundler and without an import map.
import * as api from "./node_modules/gguf-wasm/index.js";
import { check } from "./check.js";
import { show } from "./show.js";

const workers = new URLSearchParams(location.search).get("workers");
await show(check(api, "/sample.gguf", workers === null ? {} : { workers: Number(workers) }));
