export * from "./gguf_wasm_api.js";

/** Fulfilled when the module is started. Not present in hosts that start it while this script is imported. */
export const started: Promise<unknown> | undefined;
