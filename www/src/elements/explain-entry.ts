import * as explain from "gguf-wasm/explain/init";
import { compiledModule, moduleStarter } from "../gguf/start-module.ts";
import type { Library } from "../gguf/started-library.ts";

/** What `gguf-wasm/explain` has of the API of `gguf-wasm/full`. */
type Main = Pick<Library, "Gguf" | "ggmlTypes" | "parseShardName">;

// The API is the same as that of `gguf-wasm/full`, without what only other panels use.
const entry = explain as unknown as Main & typeof explain;

let isStarted = false;
let compiled: WebAssembly.Module | undefined;

/** The compiled module for a worker. Undefined until it is compiled. */
export function compiledExplain(): WebAssembly.Module | undefined {
  return compiled;
}

/** Makes `loadExplain` start a module that the page has compiled. Undefined: it is fetched. */
export function giveExplain(module: WebAssembly.Module | undefined): void {
  compiled ??= module;
}

/** Fetches and starts `gguf-wasm/explain`, which reads headers and computes the memory. */
export const loadExplain = moduleStarter(
  entry,
  () => {
    isStarted = true;
  },
  async () =>
    (compiled ??= await compiledModule(new URL("gguf-wasm/explain/gguf_wasm_explain_bg.wasm", import.meta.url))),
);

/** `gguf-wasm/explain`, if it is started. */
export function startedExplain(): Main | undefined {
  return isStarted ? entry : undefined;
}
