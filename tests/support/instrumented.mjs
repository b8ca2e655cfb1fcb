// Counts what the module does: how often it grows its memory, and how many loads from memory it executes.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { initSync } from "gguf-wasm/full/init";

const MODULE = fileURLToPath(import.meta.resolve("gguf-wasm/full/gguf_wasm_full_bg.wasm"));
const WASM_OPT = fileURLToPath(new URL("../../node_modules/binaryen/bin/wasm-opt", import.meta.url));
const PAGE = 65_536;
const FEATURES = [
  "simd",
  "bulk-memory",
  "bulk-memory-opt",
  "reference-types",
  "mutable-globals",
  "sign-ext",
  "nontrapping-float-to-int",
  "multivalue",
];

/**
 * Initialises the package with a module that reports every instruction of some kinds: wasm-opt puts calls around them.
 * Nothing else may initialise the package in this process.
 *
 * @param {("load" | "memory.grow")[]} instructions
 * @returns {() => { growths: number, loads: number }} What has been counted so far.
 */
export function instrument(instructions) {
  let [growths, pages, loads] = [0, 0, 0];
  /** @type {<T>(id: number, value: T) => T} */
  const pass = (_, value) => value;
  const env = {
    memory_grow_pre: (/** @type {number} */ _, /** @type {number} */ delta) => {
      growths += 1;
      pages += delta;
      return delta;
    },
    memory_grow_post: pass,
    load_ptr: (
      /** @type {number} */ _id,
      /** @type {number} */ _bytes,
      /** @type {number} */ _offset,
      /** @type {number} */ pointer,
    ) => {
      loads += 1;
      return pointer;
    },
    load_val_i32: pass,
    load_val_i64: pass,
    load_val_f32: pass,
    load_val_f64: pass,
  };
  const { Instance } = WebAssembly;
  WebAssembly.Instance = /** @type {any} */ (
    function (/** @type {WebAssembly.Module} */ module, /** @type {WebAssembly.Imports} */ imports) {
      return new Instance(module, { ...imports, env });
    }
  );
  const { memory } = initSync(instrumented(instructions));
  WebAssembly.Instance = Instance;
  const first = memory.buffer.byteLength - pages * PAGE;
  return () => {
    if (instructions.includes("memory.grow") && memory.buffer.byteLength !== first + pages * PAGE) {
      throw new Error("memory has grown without being counted");
    }
    return { growths, loads };
  };
}

/** The module of the package, with calls around instructions. @param {string[]} instructions */
function instrumented(instructions) {
  const folder = mkdtempSync(join(tmpdir(), "gguf-wasm-instrumented-"));
  try {
    const out = join(folder, "instrumented.wasm");
    const enable = FEATURES.map((feature) => `--enable-${feature}`);
    const pass = ["--instrument-memory", `--pass-arg=instrument-memory@${instructions.join(",")}`];
    // The pass also imports functions for other instructions, which nothing calls.
    const clean = ["--remove-unused-module-elements"];
    execFileSync(process.execPath, [WASM_OPT, MODULE, "-o", out, ...enable, ...pass, ...clean]);
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
