import * as library from "gguf-wasm/full/init";
import { compiledModule, moduleStarter } from "./start-module.ts";
import { compiledLibrary, giveLibrary, libraryHasStarted } from "./started-library.ts";

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

/** Fetches and starts `gguf-wasm/full` of the package. */
export const loadLibrary = moduleStarter(
  library,
  () => libraryHasStarted(library),
  async () => {
    const module =
      compiledLibrary() ?? (await compiledModule(new URL("gguf-wasm/full/gguf_wasm_full_bg.wasm", import.meta.url)));
    giveLibrary(module);
    return module;
  },
);
