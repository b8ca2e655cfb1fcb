// For browsers, workers and bundlers. This form of `new URL` is the one that Vite, webpack, Rollup and Parcel look for
// when they copy assets.
import init from "./gguf_wasm.js";

await init({ module_or_path: new URL("gguf_wasm_bg.wasm", import.meta.url) });

export * from "./gguf_wasm.js";
