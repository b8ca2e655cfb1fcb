// What each entry of the package contains. The declarations of the types are those that `recorded-types.test.mjs` compares.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as main from "gguf-wasm";
import * as convert from "gguf-wasm/convert";
import * as editor from "gguf-wasm/editor";
import * as explain from "gguf-wasm/explain";
import * as forks from "gguf-wasm/forks";
import * as full from "gguf-wasm/full";
import * as models from "gguf-wasm/models";
import * as reader from "gguf-wasm/reader";
import * as template from "gguf-wasm/template";
import { typesOf } from "../../support/entry-types.mjs";
import { ggufBytes, uint32 } from "../../support/gguf-bytes.mjs";
import { folderOf, LOADED_BY, PKG, READING, SHIPPED } from "../size.mjs";

/** The classes and functions that a feature adds. */
const OF_FEATURES = {
  web: ["Gguf", "GgufError", "MetadataArray", "ggmlTypes", "parseShardName"],
  values: ["NpyFile", "dequantize"],
  know: [
    "Tokenizer",
    "architectureInfo",
    "architectures",
    "fileKinds",
    "fileTypes",
    "keyInfo",
    "keys",
    "llamaCppRules",
    "parseFileName",
    "parseRepository",
    "tensorRole",
    "tokenizerModels",
  ],
  edit: ["EditPlan", "Editor", "GgufWriter", "HeaderPlan"],
  convert: [
    "ConversionPlan",
    "Imatrix",
    "LegacyModel",
    "MigrationPlan",
    "legacyTypes",
    "openDraft",
    "openImatrix",
    "openLegacy",
    "requantize",
  ],
  models: ["HubModel", "MergedModel", "ModelPlan", "convertAdapter", "mergeAdapter", "openModel"],
};

/** The folders of the entries that declare what `gguf-wasm/full` does not have. */
const OF_OTHERS = ["convert", "forks", "models", "template"];

/**
 * Methods and getters of `Gguf`, by the smallest entry that has them.
 *
 * @type {Record<string, { methods: string[], getters: string[] }>}
 */
const SMALLEST = {
  "gguf-wasm": { methods: ["read", "preview", "statistics", "toNpy"], getters: [] },
  "gguf-wasm/explain": {
    methods: ["validate", "loads", "memory", "fit", "tokenizer", "specialTokens", "chat"],
    getters: ["kind", "classification", "fileType"],
  },
  "gguf-wasm/editor": { methods: ["edit"], getters: [] },
  "gguf-wasm/full": { methods: ["split", "hash", "tensorsToCsv", "toMarkdown"], getters: [] },
};

/** The entries, with the names of their features. */
const ENTRIES = {
  "gguf-wasm": main,
  "gguf-wasm/reader": reader,
  "gguf-wasm/explain": explain,
  "gguf-wasm/editor": editor,
  "gguf-wasm/full": full,
  "gguf-wasm/convert": convert,
  "gguf-wasm/models": models,
};

test("the reader has exactly the classes and functions of reading", () => {
  assert.deepEqual(Object.keys(reader).sort(), OF_FEATURES.web.toSorted());
});

test("the main entry has exactly the classes and functions of reading values", () => {
  assert.deepEqual(Object.keys(main).sort(), [...OF_FEATURES.web, ...OF_FEATURES.values].sort());
});

test("the entry of explanations has exactly the classes and functions of reading and explaining", () => {
  assert.deepEqual(Object.keys(explain).sort(), [...OF_FEATURES.web, ...OF_FEATURES.know].sort());
});

test("the editor has exactly the classes and functions of reading and editing", () => {
  assert.deepEqual(Object.keys(editor).sort(), [...OF_FEATURES.web, ...OF_FEATURES.edit].sort());
});

test("the entry of conversions has exactly the classes and functions of reading and converting", () => {
  assert.deepEqual(Object.keys(convert).sort(), [...OF_FEATURES.web, ...OF_FEATURES.convert].sort());
});

test("the entry of models has exactly the classes and functions of reading and of models", () => {
  assert.deepEqual(Object.keys(models).sort(), [...OF_FEATURES.web, ...OF_FEATURES.models].sort());
});

test("the entry of chat templates has exactly its functions, and no file is opened with it", () => {
  const names = ["GgufError", "chatTemplateCapabilities", "parseChatTemplate", "renderChatTemplate"];
  assert.deepEqual(Object.keys(template).sort(), names);
});

test("the entry of other programs' types has exactly its function, and no file is opened with it", () => {
  assert.deepEqual(Object.keys(forks).sort(), ["GgufError", "convertForkRows"]);
});

test("modules that are loaded when they are needed are imported only by the scripts that need them, and not at once", () => {
  for (const { folder, name } of SHIPPED) {
    const own = `${PKG}${folder && `${folder}/`}`;
    for (const file of readdirSync(own).filter((file) => file.endsWith(".js"))) {
      const text = readFileSync(own + file, "utf8");
      const imports = [...text.matchAll(/(\bimport\(\s*)?[`"'](gguf-wasm|\.\.?)\/(\w+)\/load(?:\.js)?[`"']/g)];
      const expected = file === `${name}.js` ? (LOADED_BY[folder] ?? []) : [];
      assert.deepEqual(
        imports.map(([, , from, module]) => `${from}/${module}`).sort(),
        expected.flatMap((module) => [`${folder ? ".." : "."}/${module}`, `gguf-wasm/${module}`]).sort(),
        `${own}${file}`,
      );
      for (const [found, isDynamic] of imports) assert.ok(isDynamic, found);
    }
  }
});

test("no entry but that of conversions loads anything that converts", () => {
  for (const { folder } of SHIPPED.filter(({ folder }) => folder !== "convert")) {
    const own = `${PKG}${folder && `${folder}/`}`;
    for (const name of readdirSync(own).filter((name) => name.endsWith(".js"))) {
      const text = readFileSync(own + name, "utf8");
      assert.doesNotMatch(text, /convert\/|new Worker\b/, `${own}${name}`);
    }
  }
  for (const name of [...OF_FEATURES.convert, ...OF_FEATURES.models]) assert.ok(!(name in full), name);
});

const FILE = ggufBytes([["n", uint32(1)]]);

for (const [own, { Gguf }] of Object.entries(ENTRIES)) {
  test(`${own}: a member of another entry throws other-entry, and names the smallest entry that has it`, async () => {
    const gguf = /** @type {any} */ (await Gguf.open(FILE));
    const shown = Object.keys(gguf.toJSON());
    let refused = 0;
    for (const [entry, { methods, getters }] of Object.entries(SMALLEST)) {
      const has = own === entry || own === "gguf-wasm/full";
      for (const name of [...methods, ...getters]) {
        const isMethod = !getters.includes(name);
        if (has) {
          assert.ok(name in Gguf.prototype, name);
          assert.ok(!isMethod || typeof gguf[name] === "function", name);
          continue;
        }
        refused++;
        assert.throws(() => (isMethod ? gguf[name]() : gguf[name]), {
          name: "GgufError",
          code: "other-entry",
          message: `Gguf.${name} is in ${entry}: open the file with that (a path with its /node), or use its Gguf.from()`,
        });
        assert.ok(!shown.includes(name), `${name} is shown`);
        assert.ok(!Object.keys(Gguf.prototype).includes(name), `${name} is enumerable`);
      }
    }
    assert.equal(refused > 0, own !== "gguf-wasm/full");
    gguf.free();
  });
}

test("a plan and an editor of the editor have no findings, which need the feature `know`", async () => {
  const gguf = await editor.Gguf.open(FILE);
  const changes = gguf.edit();
  for (const read of [
    () => changes.plan().findings,
    () => changes.planHeader().findings,
    () => /** @type {any} */ (changes).validate(),
    () => /** @type {any} */ (changes).apply(),
  ]) {
    assert.throws(read, { code: "other-entry", message: /is in gguf-wasm\/full/ });
  }
  for (const [name, of] of /** @type {const} */ ([
    ["findings", full.EditPlan],
    ["findings", full.HeaderPlan],
    ["validate", full.Editor],
    ["apply", full.Editor],
  ])) {
    assert.ok(name in of.prototype, name);
  }
});

test("the types say in which entry each member is that throws", () => {
  for (const module of READING) {
    const types = readFileSync(`${folderOf(module)}${module.name}_api.d.ts`, "utf8");
    for (const [entry, { methods, getters }] of Object.entries(SMALLEST)) {
      if (module.entry === entry || module.entry === "gguf-wasm/full") continue;
      for (const name of [...methods, ...getters])
        assert.ok(types.includes(`readonly ${name}: OtherEntry<"${entry}">`), `${module.entry}: ${name}`);
    }
    assert.equal(types.includes("OtherEntry<"), module.entry !== "gguf-wasm/full", module.entry);
    assert.doesNotMatch(types, /_OF_OTHERS/);
  }
});

/**
 * The declarations of an entry: for each block that begins in the first column, its lines without those of comments.
 *
 * @param {import("../size.mjs").Module} module
 */
function declarations(module) {
  const text = typesOf(module).replaceAll(/\/\*\*[^]*?\*\//g, "");
  /** @type {Map<string, string[]>} */
  const blocks = new Map();
  for (const [, head = "", body = ""] of text.matchAll(/^(export [^\n]*?) ?(?:\{\n([^]*?)^\}|;)$/gm)) {
    blocks.set(head, [
      ...(blocks.get(head) ?? []),
      ...body
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    ]);
  }
  return blocks;
}

test("a smaller entry declares nothing that `gguf-wasm/full` declares in another way, and only conversions are new", () => {
  const entries = SHIPPED.map((module) => ({ module, blocks: declarations(module) }));
  const all = entries.find(({ module }) => module.entry === "gguf-wasm/full");
  const smaller = entries.filter((other) => other !== all);
  assert.ok(all && smaller.length > 0);
  for (const { module, blocks } of smaller) {
    assert.ok(blocks.size > (module.loaded ? 1 : 20), `${module.entry} declares ${blocks.size} things`);
    for (const [head, lines] of blocks) {
      const inFull = all.blocks.get(head);
      if (!inFull && OF_OTHERS.includes(module.folder)) continue;
      assert.ok(inFull, `${module.entry}: ${head}`);
      for (const line of lines) {
        // `gguf-wasm/full` declares a result of its own for some classes.
        if (line !== "toJSON(): object;") assert.ok(inFull.includes(line), `${module.entry}: ${head}: ${line}`);
      }
    }
  }
});

test("explain finds what full finds, without the fixes, which need an entry that edits", async () => {
  const bytes = ggufBytes([
    ["general.architecture", { type: "string", value: "llama" }],
    ["general.file_type", { type: "uint64", value: 7 }],
  ]);
  const [fixed, found] = await Promise.all(
    [full, explain].map(async ({ Gguf }) => (await Gguf.open(bytes)).validate()),
  );
  assert.ok(fixed?.some(({ fix }) => fix));
  assert.deepEqual(
    found,
    fixed?.map(({ fix: _, ...finding }) => finding),
  );
});
