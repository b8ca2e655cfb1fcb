// The public types of the package, recorded so that a change of the API shows in a diff. `GGUF_WRITE_TYPES=1` records them anew.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { SHIPPED } from "../size.mjs";

const RECORDED = new URL("../../fixtures/types/", import.meta.url);

/** The declarations of a module, without those of its WebAssembly exports, which no program uses. */
const publicPart = (/** @type {string} */ types) => types.slice(0, types.indexOf("export type InitInput"));

for (const { folder, name } of SHIPPED) {
  const path = `${folder && `${folder}/`}${name}.d.ts`;
  test(`the types in ${path} are those that are recorded`, async () => {
    const manifest = import.meta.resolve("gguf-wasm/package.json");
    const types = publicPart(await readFile(new URL(path, manifest), "utf8"));
    assert.match(types, /export class Gguf /);
    const recorded = new URL(path.slice(path.indexOf("/") + 1), RECORDED);
    if (process.env.GGUF_WRITE_TYPES) await writeFile(recorded, types);
    assert.equal(types, await readFile(recorded, "utf8"), "run this test with GGUF_WRITE_TYPES=1, and read the diff");
  });
}
