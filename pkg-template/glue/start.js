// Starting the module.

import { guarded } from "./boundary.js";

/** @import { InitInput, SyncInitInput } from "../start.js" */

/** The module, once it is started. @type {WebAssembly.Module} */
let used;

/** The module, which workers start, too. */
export function usedModule() {
  return used;
}

/**
 * The functions that start a module.
 *
 * @param {WebAssembly.Imports} imports
 * @param {(exports: WebAssembly.Exports) => void} useExports gives the exports of the module to the script that calls them
 */
export function starters(imports, useExports) {
  /** @type {any} */
  let started;

  /** @param {WebAssembly.WebAssemblyInstantiatedSource} source */
  const start = ({ module, instance }) => {
    if (!started) {
      used = module;
      started = guarded(instance.exports);
      useExports(started);
      started.__wbindgen_start();
    }
    return started;
  };

  return {
    /** @param {SyncInitInput} source */
    initSync(source) {
      if (started) return started;
      const module = isModule(source) ? source : new WebAssembly.Module(/** @type {BufferSource} */ (source));
      return start({ module, instance: new WebAssembly.Instance(module, imports) });
    },
    /** @param {InitInput | Promise<InitInput>} source */
    init: async (source) => started ?? start(await instantiated(source, imports)),
  };
}

/** @param {unknown} source */
const isModule = (source) => source instanceof WebAssembly.Module;

/**
 * @param {InitInput | Promise<InitInput>} source
 * @param {WebAssembly.Imports} imports
 */
async function instantiated(source, imports) {
  const isAddress = typeof source === "string" || source instanceof URL || source instanceof Request;
  const given = await (isAddress ? fetch(source) : source);
  if (given instanceof Response) return ofResponse(given, imports);
  if (isModule(given)) return { module: given, instance: await WebAssembly.instantiate(given, imports) };
  return WebAssembly.instantiate(/** @type {BufferSource} */ (given), imports);
}

/**
 * @param {Response} response
 * @param {WebAssembly.Imports} imports
 */
async function ofResponse(response, imports) {
  const { ok, status, statusText, url, headers } = response;
  if (!ok) throw new Error(`the server answers ${status} ${statusText} for the module: ${url}`);
  try {
    return await WebAssembly.instantiateStreaming(response, imports);
  } catch (error) {
    // Servers often send another type of content. Then the module is compiled when it has arrived.
    if (headers.get("Content-Type") === "application/wasm") throw error;
    console.warn("gguf-wasm: the server does not send .wasm files as application/wasm, which is slower");
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
  }
}
