// A page and a worker, for bundlers.
import * as api from "gguf-wasm";
import { check } from "./check.js";
import { show } from "./show.js";

await show(
  check(api, "/sample.gguf", { workers: 2 }),
  new Worker(new URL("./worker.js", import.meta.url), { type: "module" }),
);
