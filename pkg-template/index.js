// The loader for browsers, workers and bundlers. Vite, webpack, Rollup and Parcel recognise this form of `new URL` and copy
// the file.
import { init } from "./gguf_wasm.js";

await init(new URL("gguf_wasm_bg.wasm", import.meta.url));

export * from "./gguf_wasm_api.js";
