// eslint-disable-next-line @typescript-eslint/no-require-imports -- this is what is tested
const api = require("gguf-wasm");

import("./check.js").then(async ({ check }) => console.log(await check(api, String(process.argv.at(-1)))));
