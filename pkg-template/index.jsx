// The loader for Vite, Rollup, Parcel, esbuild and Turbopack: that of browsers under another name. Vite 7 bundles the scripts of packages
// before its dev server starts, and then the WebAssembly file is not beside the script. It does so with `.js` only.
import "./index.js";

export * from "./gguf_wasm_api.js";
