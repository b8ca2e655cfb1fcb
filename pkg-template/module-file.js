// Where Node.js finds the WebAssembly file.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Reads a WebAssembly file of the package. A bundler for servers may have moved the script away from it.
 *
 * @param {URL} asset the file as the script names it. Bundlers that copy the file replace this by its address; that of Next.js is for
 *   browsers
 * @param {string} script the address of the script
 * @param {string} path the path of the file among the exports of the package
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function moduleFile(asset, script, path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const places = [
    () => asset.href,
    // Not written in the form that bundlers replace.
    () => new URL(name, script).href,
    () => createRequire(`${process.cwd()}/`).resolve(path),
  ];
  let cause;
  for (const place of places) {
    try {
      const found = place();
      return readFileSync(found.startsWith("file:") ? fileURLToPath(found) : found);
    } catch (error) {
      cause ??= error;
    }
  }
  throw new Error(
    `gguf-wasm: the file ${name} is neither beside the script ${script} nor in node_modules. A bundler has moved the script: ` +
      'leave the package out of the bundle (Next.js: serverExternalPackages: ["gguf-wasm"]; Vite: ssr.external; webpack: externals; ' +
      "esbuild: --external:gguf-wasm), or copy the file beside the script",
    { cause },
  );
}
