import * as library from "gguf-wasm/init";

// These explain the format. They need the module, which is started before a file is open.
export {
  architectures,
  fileKinds,
  fileTypes,
  keyInfo,
  keys,
  manifestAlgorithms,
  parseFileName,
  parseRepository,
  tensorRole,
} from "gguf-wasm/init";

let starting: Promise<unknown> | undefined;

/**
 * Fetches and starts the WebAssembly module. After a failure the next call tries again. A module that starts itself when it is imported
 * could not be tried again: its failure would be cached.
 */
export async function loadLibrary(): Promise<typeof library> {
  starting ??= library.init();
  try {
    await starting;
  } catch (cause) {
    starting = undefined;
    throw Object.assign(new Error("the WebAssembly module did not load", { cause }), {
      name: "GgufError",
      code: "engine",
    });
  }
  return library;
}
