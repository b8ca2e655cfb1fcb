// What a registry and a bundler read: the manifest, the files, their size.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { BUDGET, PKG, sizes } from "./size.mjs";

const manifest = JSON.parse(readFileSync(`${PKG}package.json`, "utf8"));

test("the version is that of Cargo.toml", () => {
  const cargo = readFileSync(new URL("../../Cargo.toml", import.meta.url), "utf8");
  assert.equal(manifest.version, /^version = "(.*)"$/m.exec(cargo)?.[1]);
});

test("nothing else has to be installed", () => {
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies", "scripts"]) {
    assert.equal(manifest[field], undefined, field);
  }
});

test("every export names files that exist, types before code", () => {
  for (const [entry, target] of Object.entries(manifest.exports)) {
    const conditions = typeof target === "string" ? { default: target } : target;
    for (const file of Object.values(conditions)) assert.ok(existsSync(PKG + file), `${entry}: ${file}`);
    const names = Object.keys(conditions);
    if (typeof target !== "string") {
      assert.equal(names[0], "types", entry);
      assert.equal(names.at(-1), "default", entry);
    }
  }
});

test("there is one WebAssembly module", () => {
  const names = sizes().files.map((file) => file.name);
  assert.deepEqual(
    names.filter((name) => name.endsWith(".wasm")),
    ["gguf_wasm_bg.wasm"],
  );
  for (const name of ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "NOTICE"]) assert.ok(names.includes(name), name);
});

test(`a page loads at most ${BUDGET} bytes`, () => {
  const { loaded } = sizes();
  assert.ok(loaded <= BUDGET, `${loaded} bytes`);
});

test("publint has nothing to say", async () => {
  const { messages } = await publint({ pkgDir: PKG, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest)),
    [],
  );
});
