// The same API. The program calls `init` or `initSync` itself, and chooses the location of the module.
import { init as load, initSync as loadSync, useWorkers } from "./gguf_wasm_convert.js";
import { workers } from "./workers.js";

export * from "./gguf_wasm_convert_api.js";
export { startWorkersWith } from "./workers.js";

/** @type {typeof import("../init.js").init} */
export async function init(source = new URL("gguf_wasm_convert_bg.wasm", import.meta.url)) {
  const exports = await load(source);
  useWorkers(workers);
  return exports;
}

/** @type {typeof import("../init.js").initSync} */
export function initSync(module) {
  const exports = loadSync(module);
  useWorkers(workers);
  return exports;
}
