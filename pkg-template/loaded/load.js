// The loader for programs that load the module when they need it. There is no top-level await, so that it can be in a classic script. The
// module is usable when `started` is fulfilled.
import { init } from "./init.js";

export const started = init();

export * from "./gguf_wasm_api.js";
