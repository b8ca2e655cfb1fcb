// The public types of the package, recorded so that a change of the API shows in a diff. `GGUF_WRITE_TYPES=1` records them anew.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { SHIPPED } from "../size.mjs";

const RECORDED = new URL("../../fixtures/types/", import.meta.url);

const FILES = SHIPPED.flatMap(({ folder, name }) =>
  [`${name}.d.ts`, `${name}_api.d.ts`].map((file) => (folder ? `${folder}/${file}` : file)),
);

for (const path of [...FILES, "start.d.ts"]) {
  test(`the types in ${path} are those that are recorded`, async () => {
    const manifest = import.meta.resolve("gguf-wasm/package.json");
    const types = await readFile(new URL(path, manifest), "utf8");
    const recorded = new URL(path.slice(path.indexOf("/") + 1), RECORDED);
    if (process.env.GGUF_WRITE_TYPES) await writeFile(recorded, types);
    assert.equal(types, await readFile(recorded, "utf8"), "run this test with GGUF_WRITE_TYPES=1, and read the diff");
  });
}
