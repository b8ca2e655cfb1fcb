/// <reference lib="esnext.disposable" />
import type { InitInput, InitOutput, SyncInitInput } from "../start.js";

export * from "./gguf_wasm_convert_api.js";

/**
 * Compiles and starts the WebAssembly module. Call it before any other function of the API. Further calls do nothing.
 *
 * A page with a Content-Security-Policy must allow WebAssembly: `script-src 'self' 'wasm-unsafe-eval'`. Otherwise the promise rejects with
 * a `WebAssembly.CompileError`. Workers need `worker-src 'self'`.
 *
 * ```js
 * import { init, requantize } from "gguf-wasm/convert/init";
 * await init("/assets/gguf_wasm_convert_bg.wasm");
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

/** A worker of the host: a `Worker` of a page. */
export interface ConversionWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

/**
 * Sets how the workers of a conversion are started, for pages that start workers in a way of their own: a page with the policy
 * `require-trusted-types-for 'script'` may start a worker only from an address that its own policy has made. The script of the
 * worker imports `gguf-wasm/convert/worker`, and nothing else.
 *
 * ```js
 * import { startWorkersWith } from "gguf-wasm/convert/init";
 * startWorkersWith(() => new Worker("/assets/convert-worker.js", { type: "module" }));
 * ```
 *
 * @param start Returns a new worker. `undefined` starts workers as the package does.
 */
export function startWorkersWith(start: (() => ConversionWorker) | undefined): void;
