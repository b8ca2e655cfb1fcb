/** `gguf-wasm/explain`, which panels use: the main module. What it does not have is in `values.ts` and `full.ts`. */

import * as library from "gguf-wasm/explain/init";
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
  parseFileName,
  parseRepository,
  parseShardName,
  tensorRole,
  tokenizerModels,
} from "gguf-wasm/explain/init";

/** Fetches and starts `gguf-wasm/explain`. */
export const loadLibrary = moduleStarter(
  library,
  () => libraryHasStarted(library),
  async () => {
    const address = new URL("gguf-wasm/explain/gguf_wasm_explain_bg.wasm", import.meta.url);
    const module = compiledLibrary() ?? (await compiledModule(address));
    giveLibrary(module);
    return module;
  },
);
