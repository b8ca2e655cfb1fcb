// The same API. The program calls `init` or `initSync` itself, and chooses the location of the module.
import { init as load } from "./gguf_wasm.js";

export * from "./gguf_wasm_api.js";
export { initSync } from "./gguf_wasm.js";

/** @type {typeof import("./init.js").init} */
export function init(source = new URL("gguf_wasm_bg.wasm", import.meta.url)) {
  return load(source);
}
