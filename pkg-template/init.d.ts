/// <reference lib="esnext.disposable" />
import type { InitInput, InitOutput, SyncInitInput } from "./start.js";

export * from "./gguf_wasm_api.js";

/**
 * Compiles and starts the WebAssembly module. Call it before any other function of the API. Further calls do nothing.
 *
 * A page with a Content-Security-Policy must allow WebAssembly: `script-src 'self' 'wasm-unsafe-eval'`. Otherwise the promise rejects with
 * a `WebAssembly.CompileError`.
 *
 * ```js
 * import { init } from "gguf-wasm/init";
 * await init("/assets/gguf_wasm_bg.wasm");
 * ```
 *
 * @param source The module: its URL, a response, its bytes, or a compiled `WebAssembly.Module`. By default the file beside
 *   this script.
 * @returns The exports of the module; `memory` is its memory.
 */
export function init(source?: InitInput | Promise<InitInput>): Promise<InitOutput>;

/**
 * Like {@link init}, but synchronous, for code that cannot wait, such as a service worker. On the main thread, older
 * browsers refuse to compile a module of this size synchronously; give them a compiled module.
 *
 * @param module The bytes of the module, or a compiled `WebAssembly.Module`.
 */
export function initSync(module: SyncInitInput): InitOutput;
