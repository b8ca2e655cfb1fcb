// Minifies an ES module in place. Half of what wasm-bindgen writes is documentation, which the types carry too.

import { readFileSync, writeFileSync } from "node:fs";
import { minifySync } from "vite";

const [path] = process.argv.slice(2);
if (!path) throw new Error("usage: minify.mjs FILE");
const { code, errors } = minifySync(path, readFileSync(path, "utf8"), { module: true });
if (errors.length > 0) throw new Error(errors.map((error) => error.message).join("\n"));
writeFileSync(path, code);
