/** `gguf-wasm/explain`, which panels use. What it does not have is in `values.ts` and `full.ts`. */

import * as explain from "gguf-wasm/explain/init";
import { sharedModule } from "./start-module.ts";

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

/** The module that explains headers. */
export const LIBRARY = sharedModule(explain, new URL("gguf-wasm/explain/gguf_wasm_explain_bg.wasm", import.meta.url));

/** Fetches and starts `gguf-wasm/explain`. */
export const loadLibrary = LIBRARY.load;
