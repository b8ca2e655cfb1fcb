// A page without a bundler. It finds the package by an import map; workers have no import map.
import * as api from "gguf-wasm";
import { check } from "./check.js";
import { show } from "./show.js";

await show(
  check(api, "/sample.gguf", { workers: 2 }),
  new Worker(new URL("./plain-worker.js", import.meta.url), { type: "module" }),
);
