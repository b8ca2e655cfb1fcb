// How large the package is: printed when run, checked by manifest.test.mjs.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

export const PKG = fileURLToPath(new URL("../../pkg/", import.meta.url));

/** What a page may have to load, in bytes, each file gzipped. */
export const BUDGET = 48_000;

/** What a browser loads; Node.js has its own loader in place of index.js. */
const LOADED = ["index.js", "gguf_wasm.js", "gguf_wasm_bg.wasm"];

export function sizes() {
  const files = readdirSync(PKG)
    .sort()
    .map((name) => {
      const bytes = readFileSync(PKG + name);
      return { name, raw: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length, loaded: LOADED.includes(name) };
    });
  return { files, loaded: files.filter((file) => file.loaded).reduce((sum, file) => sum + file.gzipped, 0) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, loaded } = sizes();
  const column = (/** @type {string | number} */ text) => String(text).padStart(9);
  console.log(`${"pkg/".padEnd(20)}${column("bytes")}${column("gzipped")}`);
  for (const { name, raw, gzipped } of files) console.log(name.padEnd(20) + column(raw) + column(gzipped));
  const kB = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  console.log(`a browser loads ${LOADED.join(" + ")}: ${kB(loaded)} gzipped, of a budget of ${kB(BUDGET)}`);
}
