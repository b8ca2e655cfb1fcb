// Where Node.js finds the WebAssembly file.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Reads a WebAssembly file of the package. A bundler for servers may have moved the script away from it.
 *
 * @param {URL} asset the address of the file. A bundler that copies the file replaces it, Next.js by an address for browsers
 * @param {string} script the address of the script
 * @param {string} path the path of the file among the exports of the package
 */
export function moduleFile(asset, script, path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const places = [
    () => asset.href,
    // Not in the form that bundlers replace.
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
    `gguf-wasm: ${name} is neither beside the script ${script} nor in node_modules: leave the package out of the bundle (Next.js: ` +
      'serverExternalPackages: ["gguf-wasm"]; Vite: ssr.external; webpack: externals; esbuild: --external:gguf-wasm)',
    { cause },
  );
}
