// Prints the script that contains a WebAssembly module: its bytes, compressed, as base64 text. `pkg-template/inline.js` starts it.

import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";

const bytes = readFileSync(process.argv[2] ?? "");
const text = deflateRawSync(bytes, { level: 9 }).toString("base64");
console.log(`export const size = ${bytes.length};\nexport default "${text}";`);
