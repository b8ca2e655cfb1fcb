// The manifest, the files and the size of the package.

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { pack } from "../project.mjs";
import { folderOf, LOADERS, loaded, PKG, SHIPPED } from "../size.mjs";

/** The paths of all files of the package. */
const FILES = readdirSync(PKG, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(PKG.length).replace(/^\//, ""))
  .sort();

const manifest = JSON.parse(readFileSync(`${PKG}package.json`, "utf8"));

const folder = await temporaryFolder();
const tarball = new Uint8Array(readFileSync(await pack(folder)));

test("the version is that of Cargo.toml", () => {
  const cargo = readFileSync(new URL("../../../Cargo.toml", import.meta.url), "utf8");
  assert.equal(manifest.version, /^version = "(.*)"$/m.exec(cargo)?.[1]);
});

test("the package has no dependencies", () => {
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies", "scripts"]) {
    assert.equal(manifest[field], undefined, field);
  }
});

test("every export names files that exist, types before code", () => {
  for (const [entry, target] of Object.entries(manifest.exports)) {
    const conditions = typeof target === "string" ? { default: target } : target;
    for (const file of Object.values(conditions))
      assert.ok(existsSync(PKG + file.replace(/\*$/, "")), `${entry}: ${file}`);
    const names = Object.keys(conditions);
    if (typeof target !== "string") {
      assert.equal(names[0], "types", entry);
      assert.equal(names.at(-1), "default", entry);
    }
  }
});

test("the WebAssembly files are those of the shipped modules", () => {
  assert.deepEqual(
    FILES.filter((name) => name.endsWith(".wasm")),
    SHIPPED.map(({ folder, name }) => `${folder && `${folder}/`}${name}_bg.wasm`).sort(),
  );
  for (const name of ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "NOTICE"]) assert.ok(FILES.includes(name), name);
});

test("every shipped module has the same entry points, and some are inside a script", () => {
  for (const { entry, inline } of SHIPPED) {
    const own = entry.replace("gguf-wasm", ".");
    for (const part of ["", "/node", "/init"]) assert.ok(manifest.exports[own + part], `${entry}${part}`);
    assert.equal(`${own}/inline` in manifest.exports, Boolean(inline), entry);
  }
  assert.ok(SHIPPED.some(({ inline }) => inline));
});

test("a condition of one runtime comes before conditions that several runtimes share", () => {
  for (const { entry } of SHIPPED) {
    const conditions = Object.keys(manifest.exports[entry.replace("gguf-wasm", ".")]);
    // Deno and Bun also accept the condition "node".
    for (const own of ["workerd", "deno", "bun"]) {
      assert.ok(conditions.includes(own), own);
      assert.ok(conditions.indexOf(own) < conditions.indexOf("node"), own);
    }
  }
});

test("exactly the scripts that start the module or a worker on import are listed as having side effects", () => {
  // `initSync(source){` begins the method.
  const start =
    /^(?:(await init|export const started = init|initSync|useLocalFiles|addEventListener)\((?!\w+\)\{)|import "(?:.\/index.js|gguf-wasm\/\w+)")/m;
  const starts = FILES.filter((name) => /\.jsx?$/.test(name) && start.test(readFileSync(PKG + name, "utf8")));
  assert.deepEqual(manifest.sideEffects.toSorted(), starts.map((name) => `./${name}`).toSorted());
});

test("an inline module has the same bytes as the WebAssembly file", async () => {
  const { inflateSync } = await import(`${PKG}inflate.js`);
  for (const module of SHIPPED.filter(({ inline }) => inline)) {
    const path = folderOf(module) + module.name;
    /** @type {{ default: string, size: number }} */
    const { default: base64, size } = await import(`${path}_base64.js`);
    assert.ok(
      Buffer.from(inflateSync(Buffer.from(base64, "base64"), { out: new Uint8Array(size) })).equals(
        readFileSync(`${path}_bg.wasm`),
      ),
      module.entry,
    );
  }
});

test("the installed package has at most 7 MB", () => {
  const bytes = FILES.reduce((sum, name) => sum + statSync(PKG + name).size, 0);
  assert.ok(bytes <= 7_000_000, `${bytes} bytes`);
});

test("no line of a script is very long, because Node.js prints the line of an uncaught error", () => {
  const scripts = FILES.filter((name) => name.endsWith(".js") && !name.endsWith("_base64.js"));
  assert.ok(scripts.includes("gguf_wasm.js"));
  for (const name of scripts) {
    const lines = readFileSync(PKG + name, "utf8").split("\n");
    const longest = Math.max(...lines.map((line) => line.length));
    assert.ok(longest <= 1000, `${name}: a line of ${longest} characters`);
  }
});

for (const module of SHIPPED) {
  test(`no environment loads more than ${module.budget} bytes of ${module.entry}`, () => {
    for (const loader of LOADERS) {
      const gzip = loaded(module, loader);
      const advice = "Find what grew, or say in docs/benchmarks.md why a larger budget is needed.";
      const excess = gzip - module.budget;
      assert.ok(excess <= 0, `${loader}: ${gzip} bytes, ${excess} more than the budget of the module. ${advice}`);
    }
  });
}

test("publint finds no problems", async () => {
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest)),
    [],
  );
});

test("are-the-types-wrong finds no problems", async () => {
  const result = await checkPackage(createPackageFromTarballData(tarball), {
    // This file is an asset. Bundlers define its type.
    excludeEntrypoints: Object.keys(manifest.exports).filter((name) => name.endsWith(".wasm")),
  });
  if (!result.types) assert.fail("no types");
  assert.deepEqual(
    // The package contains only ES modules. `require` of them works in Node.js from 20.19 on and has a test of its own.
    result.problems.filter((problem) => problem.kind !== "CJSResolvesToESM"),
    [],
  );
});
