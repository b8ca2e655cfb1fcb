import * as library from "gguf-wasm/init";

let starting: Promise<unknown> | undefined;

/**
 * The reader, once its WebAssembly module has been fetched and started; fetched again if that failed. A module that initialises itself on
 * import could not be: who imports it again gets the same failure.
 */
export async function loadEngine(): Promise<typeof library> {
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
