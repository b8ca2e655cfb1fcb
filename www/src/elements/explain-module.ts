import * as explain from "gguf-wasm/explain/init";
import { type Entry, smallModule } from "./small-module.ts";

/** `gguf-wasm/explain`, which reads headers and computes the memory. */
export const explainModule = (onStarted?: (entry: Entry) => void) =>
  smallModule(explain, new URL("gguf-wasm/explain/gguf_wasm_explain_bg.wasm", import.meta.url), onStarted);
