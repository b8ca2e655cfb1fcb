import * as library from "gguf-wasm/init";
import { moduleStarter } from "./start-module.ts";

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
} from "gguf-wasm/init";

let isStarted = false;

/** Fetches and starts the main module of the package. */
export const loadLibrary = moduleStarter(library, () => (isStarted = true));

/** The main module, if it is started. */
export function startedLibrary(): typeof library | undefined {
  return isStarted ? library : undefined;
}
