// A module of the package with a fault: at one call, an import throws or an export traps.

import { readFileSync } from "node:fs";
import { folderOf } from "../package/size.mjs";

/** @import { Module } from "../package/size.mjs" */

/**
 * @typedef {object} Fault
 * @property {string} [import] the import that throws; an earlier run lists the names in `imports`
 * @property {string} [export] the export that traps
 * @property {number} [call] the index of the call that fails, from 0
 *
 * @typedef {object} Import
 * @property {number} calls
 * @property {boolean} isCaught whether Rust gets the exception as an `Err`
 * @property {string} source the code of the import, with `_` for each variable
 *
 * @typedef {typeof import("gguf-wasm/full/init")} Package
 */

/** The error that a failing import throws. */
export class Injected extends Error {
  name = "Injected";
}

let modules = 0;

/**
 * Loads another copy of a module.
 *
 * @param {Module} module
 * @param {Fault} [fault]
 */
export async function faultyModule(module, fault = {}) {
  const path = folderOf(module) + module.name;
  const names = namesOfExports(module);
  /** @type {Map<string, Import>} */
  const imports = new Map();
  /** @type {Map<string, number>} */
  const exports = new Map();
  /** @type {Record<string, any>} */
  let real = {};

  /** @param {string} name @param {Function} f */
  const faultyImport = (name, f) => {
    const source = f.toString();
    // wasm-bindgen wraps imports that are declared with `catch`: their exceptions become an `Err`.
    const isCaught = source.includes("arguments)");
    const counted = { calls: 0, isCaught, source: withoutVariables(source) };
    imports.set(name, counted);
    return (/** @type {unknown[]} */ ...args) => {
      counted.calls += 1;
      if (fault.import !== name || counted.calls - 1 !== fault.call) return f(...args);
      if (!isCaught) throw new Injected("injected");
      // The same check as in the generated wrapper.
      const index = real["__externref_table_alloc"]();
      real["__wbindgen_externrefs"].set(index, new Injected("injected"));
      real["__wbindgen_exn_store"](index);
      return undefined;
    };
  };

  /** @param {string} short @param {Function} f */
  const faultyExport = (short, f) => {
    const name = names.get(short) ?? short;
    exports.set(name, 0);
    return (/** @type {unknown[]} */ ...args) => {
      const calls = (exports.get(name) ?? 0) + 1;
      exports.set(name, calls);
      if (fault.export === name && calls - 1 === fault.call) throw new WebAssembly.RuntimeError("unreachable");
      return f(...args);
    };
  };

  modules += 1;
  /** @type {Package} */
  const api = await import(`${path}.js?module=${modules}`);
  const { Instance } = WebAssembly;
  // The script creates the instance synchronously, and uses only its exports.
  /** @type {any} */ (WebAssembly).Instance = class {
    /** @type {Record<string, unknown>} */
    exports;
    /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} given */
    constructor(module, given) {
      const faulty = Object.entries(given).map(([from, members]) => [
        from,
        mapFunctions(/** @type {any} */ (members), faultyImport),
      ]);
      real = new Instance(module, Object.fromEntries(faulty)).exports;
      this.exports = mapFunctions(real, faultyExport);
    }
  };
  try {
    api.initSync(readFileSync(`${path}_bg.wasm`));
  } finally {
    WebAssembly.Instance = Instance;
  }
  return { api, imports, exports };
}

/**
 * The names of the exports that the build has shortened, by their short names.
 *
 * @param {Module} module
 * @returns {Map<string, string>}
 */
function namesOfExports({ name }) {
  const path = new URL(`../../target/xtask/bindgen/${name}/bindings/exports.json`, import.meta.url);
  const shortNames = Object.entries(JSON.parse(readFileSync(path, "utf8")));
  return new Map(shortNames.map(([name, short]) => [short, name]));
}

/**
 * @param {Record<string, unknown>} object
 * @param {(name: string, f: Function) => unknown} map
 */
function mapFunctions(object, map) {
  const mapped = Object.entries(object).map(([name, value]) => [
    name,
    typeof value === "function" ? map(name, value) : value,
  ]);
  return Object.fromEntries(mapped);
}

/**
 * The source of a generated function without the parts that differ between builds: the names of variables, and the line
 * breaks of the minifier.
 *
 * @param {string} source
 */
function withoutVariables(source) {
  const body = source.slice(source.indexOf("{") + 1, source.lastIndexOf("}"));
  return body
    .replaceAll("$", "_")
    .replaceAll(/\b[a-zA-Z]\b|(?<!\.)\b(?!(?:do|if|in|of)\b)[a-zA-Z_]{2}\b/g, "_")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/(?<=[{};(,]) | (?=[{}])/g, "")
    .trim();
}
