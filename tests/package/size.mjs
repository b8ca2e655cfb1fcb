// Prints the size of the package. manifest.test.mjs compares it with the budgets.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const PKG = `${ROOT}pkg/`;

/**
 * A WebAssembly module of the package: a row of `xtask/modules.json`. `budget` is the most bytes that one environment may
 * load, with each file gzipped.
 *
 * @typedef {{ entry: string, name: string, folder: string, budget: number, shipped: boolean }} Module
 */

/** @type {readonly Module[]} */
export const SHIPPED = JSON.parse(readFileSync(`${ROOT}xtask/modules.json`, "utf8")).filter(
  (/** @type {Module} */ { shipped }) => shipped,
);

/** The loaders, one for each environment. The first is a browser's. */
export const LOADERS = ["index.js", "index.node.js", "index.bun.js", "index.workerd.js"];

/**
 * The folder with the files of a module.
 *
 * @param {Module} module
 */
export function folderOf({ folder }) {
  return `${PKG}${folder && `${folder}/`}`;
}

/**
 * The number of bytes that an environment loads for a module: the scripts, the WebAssembly file and the loader.
 *
 * @param {Module} module
 * @param {string} loader
 */
export function loaded(module, loader) {
  const folder = folderOf(module);
  const names = [`${module.name}.js`, `${module.name}_api.js`, `${module.name}_bg.wasm`, loader];
  const contents = names.map((name) => readFileSync(folder + name));
  const sum = (/** @type {(bytes: Buffer) => Buffer} */ pack) =>
    contents.reduce((total, bytes) => total + pack(bytes).length, 0);
  return { raw: sum((bytes) => bytes), gzip: sum((bytes) => gzipSync(bytes, { level: 9 })), brotli: sum(brotli) };
}

const brotli = (/** @type {Buffer} */ bytes) => brotliCompressSync(bytes);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const kB = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  const row = (/** @type {string[]} */ cells) =>
    console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(12))).join(""));
  row(["a browser loads", "bytes", "gzip", "budget", "brotli"]);
  for (const module of SHIPPED) {
    const { raw, gzip, brotli } = loaded(module, LOADERS[0] ?? "");
    row([module.entry, kB(raw), kB(gzip), kB(module.budget), kB(brotli)]);
  }
}
