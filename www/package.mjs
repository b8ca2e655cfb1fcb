// Assembles pkg-viewer/, the npm package of the element: the scripts that Vite builds from the element, the files of viewer-template/, and
// the declarations of gguf-wasm. `node www/package.mjs [FOLDER]`, after a build of pkg/.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../", import.meta.url));
const out = resolve(process.argv[2] ?? join(root, "pkg-viewer"));

await build({ root: join(root, "www"), configFile: join(root, "www/vite.package.config.ts"), logLevel: "warn" });

rmSync(out, { recursive: true, force: true });
cpSync(join(root, "target/viewer-package"), out, { recursive: true });
cpSync(join(root, "viewer-template"), out, { recursive: true });
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, name), join(out, name));
for (const entry of ["full/", "reader/", "explain/", ""]) copyDeclarations(`${entry}index.d.ts`);

const [, version] = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8")) ?? [];
const manifest = JSON.parse(readFileSync(join(out, "package.json"), "utf8"));
writeFileSync(join(out, "package.json"), `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`);

/**
 * Copies declarations of gguf-wasm and those that they import. So the types of the element need no other package.
 *
 * @param {string} path The path in pkg/.
 */
function copyDeclarations(path, copied = new Set([path])) {
  const text = readFileSync(join(root, "pkg", path), "utf8");
  mkdirSync(dirname(join(out, "types", path)), { recursive: true });
  writeFileSync(join(out, "types", path), text);
  for (const [, imported = ""] of text.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)\.js";/gm)) {
    const next = join(dirname(path), `${imported}.d.ts`);
    if (!copied.has(next)) copyDeclarations(next, copied.add(next));
  }
}
