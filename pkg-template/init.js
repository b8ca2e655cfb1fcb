// The same API. The program calls `init` or `initSync` itself, and chooses the location of the module.
import load, { initSync as loadSync } from "./gguf_wasm.js";

export * from "./gguf_wasm_api.js";

/** @type {typeof import("./init.js").init} */
export function init(source = new URL("gguf_wasm_bg.wasm", import.meta.url)) {
  return load({ module_or_path: source });
}

/** @type {typeof import("./init.js").initSync} */
export function initSync(module) {
  return loadSync({ module });
}
