// How large the package is: printed when run, checked by manifest.test.mjs.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

export const PKG = fileURLToPath(new URL("../../pkg/", import.meta.url));

/** What one environment may have to load, in bytes, each file gzipped. */
export const BUDGET = 240_000;

/** The loaders, one for each environment; to them comes what all load. The first is a browser's. */
const ENTRIES = ["index.js", "index.node.js", "index.bun.js", "index.workerd.js"];
const SHARED = ["gguf_wasm.js", "gguf_wasm_bg.wasm"];

export function sizes() {
  const files = readdirSync(PKG)
    .sort()
    .map((name) => {
      const bytes = readFileSync(PKG + name);
      return { name, raw: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
    });
  const entries = ENTRIES.map((entry) => {
    const needed = files.filter(({ name }) => name === entry || SHARED.includes(name));
    return { entry, loaded: needed.reduce((sum, file) => sum + file.gzipped, 0) };
  });
  return { files, entries };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, entries } = sizes();
  const column = (/** @type {string | number} */ text) => String(text).padStart(9);
  console.log(`${"pkg/".padEnd(20)}${column("bytes")}${column("gzipped")}`);
  for (const { name, raw, gzipped } of files) console.log(name.padEnd(20) + column(raw) + column(gzipped));
  const kB = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  const loaded = entries[0]?.loaded ?? 0;
  console.log(
    `a browser loads ${[ENTRIES[0], ...SHARED].join(" + ")}: ${kB(loaded)} gzipped, of a budget of ${kB(BUDGET)}`,
  );
}
