// A copy of any module of the package, whose calls a test can let fail.

import { readFileSync } from "node:fs";
import { PKG } from "../package/size.mjs";

/** @import { Module } from "../package/size.mjs" */

let copies = 0;

/**
 * Loads another copy of a module.
 *
 * @param {Module} module
 */
export async function guardedModule({ name, folder }) {
  const path = `${PKG}${folder && `${folder}/`}${name}`;
  copies += 1;
  /** @type {Record<string, any>} */
  const api = await import(`${path}.js?copy=${copies}`);
  let isTrapped = false;
  let isFull = false;
  /** @type {Record<string, any>} */
  let real = {};
  const { Instance } = WebAssembly;
  /** @type {any} */ (WebAssembly).Instance = class {
    /** @type {Record<string, unknown>} */
    exports;
    /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} imports */
    constructor(module, imports) {
      real = new Instance(module, imports).exports;
      const replaceable =
        (/** @type {string} */ name, /** @type {Function} */ f) =>
        /** @param {unknown[]} args */ (...args) => {
          if (name === "hasRoom") return isFull ? 0 : f(...args);
          if (isTrapped) throw new WebAssembly.RuntimeError("unreachable");
          return f(...args);
        };
      this.exports = Object.fromEntries(
        Object.entries(real).map(([name, value]) => [
          name,
          typeof value === "function" ? replaceable(name, value) : value,
        ]),
      );
    }
  };
  try {
    api["initSync"](readFileSync(`${path}_bg.wasm`));
  } finally {
    WebAssembly.Instance = Instance;
  }
  return {
    api,
    /** Every call into the module ends in a trap, so that the first one stops it. */
    stop() {
      isTrapped = true;
      try {
        api["ggmlTypes"]();
      } catch {
        // The error is that of every later call.
      }
      isTrapped = false;
    },
    /** The boundary takes the memory for full. */
    pretendFull() {
      isFull = true;
    },
    /** Takes the memory, up to a rest with which a call can still fail. Nothing is written to it, so it is not physical memory. */
    fill() {
      while (real["hasRoom"]()) real["__wbindgen_malloc"](32 << 20, 1);
    },
    /**
     * An object of a class whose address is that of a freed one. Its methods reach the boundary of the module.
     *
     * @param {string} of
     */
    objectOf(of) {
      const object = Object.create(api[of].prototype, { __wbg_ptr: { value: 0, writable: true } });
      if (of === "GgufSet") Object.defineProperty(object, "_merged", { value: this.objectOf("Gguf") });
      return object;
    },
  };
}
