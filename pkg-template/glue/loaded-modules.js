// The modules of the package that others load when they need them: the rows of `xtask/modules.json` with `"loaded": true`.
//
// A row has a function here, which names the module twice: by the package, so that each host gets its own loader, and by the path, for a
// page without a bundler, which knows no names. Both are written out, so that bundlers find them. A script that does not call a function
// does not contain it, and no bundler adds its module.

import { GgufError } from "../gguf-error.js";
import { reasonOf } from "./errors.js";

/**
 * Renders chat templates.
 *
 * @returns {Promise<typeof import("gguf-wasm/template")>}
 */
export const loadTemplate = () =>
  load(
    "chat templates",
    () => import(/** @type {any} */ ("gguf-wasm/template/load")),
    () => import(/** @type {any} */ ("../template/load.js")),
  );

/**
 * Converts rows of tensor types that other programs write.
 *
 * @returns {Promise<typeof import("gguf-wasm/forks")>}
 */
export const loadForks = () =>
  load(
    "tensor types of other programs",
    () => import(/** @type {any} */ ("gguf-wasm/forks/load")),
    () => import(/** @type {any} */ ("../forks/load.js")),
  );

/**
 * A module that has started.
 *
 * @param {string} what what the module is for, as errors name it
 * @param {() => Promise<any>} byName
 * @param {() => Promise<any>} byPath
 */
async function load(what, byName, byPath) {
  try {
    const module = await byName().catch(byPath);
    await module.started;
    return module;
  } catch (error) {
    const message = `the module of ${what} could not be loaded: ${reasonOf(error)}`;
    throw new GgufError("network", message, { cause: error });
  }
}
