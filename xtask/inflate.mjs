// Prints the part of fflate that decompresses: the modules inside scripts need it. `DecompressionStream` is asynchronous.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const ENTRY = fileURLToPath(new URL("entry.js", import.meta.url));

const bundle = await rolldown({
  input: ENTRY,
  platform: "browser",
  plugins: [
    {
      name: "entry",
      resolveId: (id) => (id === ENTRY ? id : undefined),
      load: (id) => (id === ENTRY ? `export { inflateSync } from "fflate";` : undefined),
    },
  ],
});
const { output } = await bundle.generate({
  format: "es",
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: false } },
  comments: false,
});
await bundle.close();
const licence = readFileSync("node_modules/fflate/LICENSE", "utf8");
// TypeScript would infer types from the script.
console.log(`// @ts-nocheck\n/*! fflate\n\n${licence}*/\n${output[0].code}`);
