Promise.all([import("gguf-wasm"), import("./check.js")]).then(async ([api, { check }]) =>
  console.log(await check(api, String(process.argv.at(-1)))),
);
