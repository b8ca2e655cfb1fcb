/// <reference lib="esnext.disposable" />
import type { InitInput, InitOutput, SyncInitInput } from "./gguf_wasm.js";

export * from "./gguf_wasm.js";

/**
 * Compiles and starts the WebAssembly module. Nothing else of the API may be called before. Calling it again does nothing.
 *
 * ```js
 * import { Gguf, init } from "gguf-wasm/init";
 * await init("/assets/gguf_wasm_bg.wasm");
 * ```
 *
 * @param source The module: its address, a response, its bytes, or itself compiled. Without it, the file beside this one.
 * @returns What the module exports; `memory` is its memory.
 */
export function init(source?: InitInput | Promise<InitInput>): Promise<InitOutput>;

/**
 * Like {@link init}, at once: for where a module cannot wait, such as a service worker. Older
 * browsers refuse it on the main thread for a module of this size, unless the module is compiled already.
 *
 * @param module The module's bytes, or itself compiled.
 */
export function initSync(module: SyncInitInput): InitOutput;
