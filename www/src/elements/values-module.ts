import * as values from "gguf-wasm/init";
import { type Entry, smallModule } from "./small-module.ts";

/** `gguf-wasm`, which reads headers and values. */
export const valuesModule = (onStarted?: (entry: Entry) => void) =>
  smallModule(values, new URL("gguf-wasm/gguf_wasm_bg.wasm", import.meta.url), onStarted);
