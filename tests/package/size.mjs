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
 * @typedef {{ entry: string, name: string, folder: string, features: string[], budget: number, inline?: boolean, loaded?: boolean, shipped: boolean }} Module
 */

/** @type {readonly Module[]} */
export const SHIPPED = JSON.parse(readFileSync(`${ROOT}xtask/modules.json`, "utf8")).filter(
  (/** @type {Module} */ { shipped }) => shipped,
);

/** The modules that open files. The others are loaded by them, when they are needed. */
export const READING = SHIPPED.filter(({ loaded }) => !loaded);

/** The folders of the modules that a module can load, by its folder. @type {Readonly<Record<string, readonly string[]>>} */
export const LOADED_BY = { "": ["forks"], explain: ["template"], full: ["template", "forks"] };

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
 * @param {(path: string) => number} size The number of bytes of a file. With gzip, if it is left out.
 */
export function loaded(module, loader, size = gzip) {
  const names = [`${module.name}.js`, `${module.name}_api.js`, `${module.name}_bg.wasm`, loader];
  return names.reduce((total, name) => total + size(folderOf(module) + name), 0);
}

/** @type {Map<string, number>} */
const gzipped = new Map();

/** The size of a file with gzip. Each file is packed once: the loaders have most files in common. @param {string} path */
function gzip(path) {
  const known = gzipped.get(path);
  const bytes = known ?? gzipSync(readFileSync(path), { level: 9 }).length;
  gzipped.set(path, bytes);
  return bytes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const kB = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  const row = (/** @type {string[]} */ cells) =>
    console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(12))).join(""));
  row(["a browser loads", "bytes", "gzip", "budget", "left", "brotli"]);
  for (const module of SHIPPED) {
    const [loader = ""] = LOADERS;
    const raw = loaded(module, loader, (path) => readFileSync(path).length);
    const packed = loaded(module, loader);
    const brotli = loaded(module, loader, (path) => brotliCompressSync(readFileSync(path)).length);
    row([module.entry, kB(raw), kB(packed), kB(module.budget), `${module.budget - packed} B`, kB(brotli)]);
  }
}
