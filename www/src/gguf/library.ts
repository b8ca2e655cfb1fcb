import * as library from "gguf-wasm/full/init";
import { compiledModule, moduleStarter } from "./start-module.ts";

// These explain the format. They need the module, which is started before a panel is shown.
export {
  architectureInfo,
  architectures,
  fileKinds,
  fileTypes,
  keyInfo,
  keys,
  manifestAlgorithms,
  parseFileName,
  parseRepository,
  parseShardName,
  shardName,
  tensorRole,
  textHunks,
  tokenizerModels,
} from "gguf-wasm/full/init";

let isStarted = false;
let onStarted = () => {};

/** Resolves when `gguf-wasm/full` is started. Does not start it. */
export const libraryStarted = new Promise<void>((resolve) => (onStarted = resolve));

let compiled: WebAssembly.Module | undefined;

/** `gguf-wasm/full` as workers can start it, so that they neither fetch nor compile it. Undefined until it is compiled. */
export function compiledLibrary(): WebAssembly.Module | undefined {
  return compiled;
}

/** Makes `loadLibrary` start a module that the page has compiled. Undefined: it is fetched. */
export function giveLibrary(module: WebAssembly.Module | undefined): void {
  compiled ??= module;
}

/** Fetches and starts `gguf-wasm/full` of the package. */
export const loadLibrary = moduleStarter(
  library,
  () => {
    isStarted = true;
    onStarted();
  },
  async () => (compiled ??= await compiledModule(new URL("gguf-wasm/full/gguf_wasm_full_bg.wasm", import.meta.url))),
);

/** `gguf-wasm/full`, if it is started. */
export function startedLibrary(): typeof library | undefined {
  return isStarted ? library : undefined;
}
