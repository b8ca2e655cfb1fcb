// The same under another name, as `index.jsx`.
export { started } from "./load.js";

export * from "./gguf_wasm_api.js";
