// The memory of many objects: of those that are never freed, which the garbage collector must find, and of those that are
// freed by a program that never leaves the microtasks.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { countOf, KINDS } from "./many-objects.mjs";

const MIB = 1 << 20;
const MANY_OBJECTS = fileURLToPath(new URL("many-objects.mjs", import.meta.url));

for (const [title, args, most] of /** @type {const} */ ([
  ["without free()", [], 512],
  ["with free()", ["free"], 128],
])) {
  describe(title, { concurrency: 2 }, () => {
    for (const [name, kind] of Object.entries(KINDS)) {
      const count = countOf(kind, args.length > 0);
      test(`${count} objects: ${name}`, async () => {
        const { stdout } = await promisify(execFile)(process.execPath, [MANY_OBJECTS, name, ...args]);
        /** @type {import("./many-objects.mjs").Use} */
        const { made, wasm, rss } = JSON.parse(stdout);
        assert.equal(made, count);
        assert.ok(wasm <= most * MIB, `${wasm / MIB} MiB of WebAssembly memory`);
        assert.ok(rss <= most * MIB, `the process has grown by ${rss / MIB} MiB`);
      });
    }
  });
}
