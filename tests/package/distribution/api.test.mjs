// What the entries of the package export, and classes that cannot be constructed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as main from "gguf-wasm";
import * as convert from "gguf-wasm/convert";
import * as editor from "gguf-wasm/editor";
import * as explain from "gguf-wasm/explain";
import * as full from "gguf-wasm/full";
import * as init from "gguf-wasm/init";
import * as inline from "gguf-wasm/inline";
import * as models from "gguf-wasm/models";
import * as node from "gguf-wasm/node";
import * as reader from "gguf-wasm/reader";
import * as readerInit from "gguf-wasm/reader/init";

/** The classes with a public constructor. */
const CONSTRUCTIBLE = ["GgufError", "GgufWriter"];

const ENTRIES = { main, inline, node, reader, explain, editor, full, convert, models };

for (const [name, api] of Object.entries({ ...ENTRIES, init, readerInit })) {
  test(`${name} exports no parts of the implementation`, () => {
    const internals = ["ArrayReceiver", "ChunkSource", "Receiver", "SharedFile", "default", "runJob", "useWorkers"];
    for (const internal of internals) assert.ok(!(internal in api), internal);
    assert.equal("initSync" in api, name.toLowerCase().includes("init"));
  });

  test(`classes of ${name} without a public constructor refuse \`new\``, () => {
    const classes = Object.entries(api).filter(([, value]) => typeof value === "function" && /^[A-Z]/.test(value.name));
    assert.ok(classes.some(([name]) => name === "Gguf"));
    for (const [name, Class] of classes.filter(([name]) => !CONSTRUCTIBLE.includes(name))) {
      const construct = () => Reflect.construct(/** @type {Function} */ (Class), []);
      assert.throws(construct, {
        name: "GgufError",
        code: "invalid-argument",
        message: new RegExp(`^${name} has no public constructor`),
      });
    }
  });
}

test("the types of an entry have the names that it exports", () => {
  const types = readFileSync(new URL("gguf_wasm.d.ts", import.meta.resolve("gguf-wasm/package.json")), "utf8");
  // Those that several entries have alike are of `gguf-wasm/full`.
  const [, shared = ""] = /^export \{([^}]*)\}/m.exec(types) ?? [];
  const names = [...shared.matchAll(/\w+/g), ...types.matchAll(/^export (?:class|function) (\w+)/gm)];
  const declared = new Set(names.map((match) => match[1] ?? match[0]));
  assert.deepEqual([...declared].sort(), Object.keys(main).sort());
  assert.doesNotMatch(types, /initSync|Receiver|ChunkSource/);
});
