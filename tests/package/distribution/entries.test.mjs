// What each entry of the package contains. The declarations of the types are those that `recorded-types.test.mjs` compares.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as main from "gguf-wasm";
import * as convert from "gguf-wasm/convert";
import * as editor from "gguf-wasm/editor";
import * as models from "gguf-wasm/models";
import * as reader from "gguf-wasm/reader";
import { folderOf, PKG, SHIPPED } from "../size.mjs";

/** The classes and functions that a feature adds. */
const OF_FEATURES = {
  web: ["Gguf", "GgufError", "MetadataArray", "ggmlTypes", "parseShardName"],
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

/** The folders of the entries that declare what the main entry does not have. */
const OF_CONVERSIONS = ["convert", "models"];

/** The members that `Gguf` has with all features, and not with the features of an entry. */
const NOT_IN = {
  editor: ["read", "preview", "statistics", "validate", "memory", "tokenizer", "split", "hash", "toNpy"],
  reader: ["edit"],
};

test("the reader has exactly the classes and functions of reading", () => {
  assert.deepEqual(Object.keys(reader).sort(), OF_FEATURES.web.toSorted());
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

test("no entry but that of conversions loads anything that converts", () => {
  for (const { folder } of SHIPPED.filter(({ folder }) => folder !== "convert")) {
    const own = `${PKG}${folder && `${folder}/`}`;
    for (const name of readdirSync(own).filter((name) => name.endsWith(".js"))) {
      const text = readFileSync(own + name, "utf8");
      assert.doesNotMatch(text, /convert\/|new Worker\b/, `${own}${name}`);
    }
  }
  for (const name of [...OF_FEATURES.convert, ...OF_FEATURES.models]) assert.ok(!(name in main), name);
});

for (const [entry, members, { Gguf }] of /** @type {const} */ ([
  ["editor", NOT_IN.editor, editor],
  ["reader", [...NOT_IN.editor, ...NOT_IN.reader], reader],
  ["convert", [...NOT_IN.editor, ...NOT_IN.reader], convert],
  ["models", [...NOT_IN.editor, ...NOT_IN.reader], models],
])) {
  test(`Gguf of the ${entry} has no method of a feature that the entry does not have`, () => {
    for (const name of members) {
      assert.ok(!(name in Gguf.prototype), name);
      assert.ok(name in main.Gguf.prototype, name);
    }
  });
}

test("a plan and an editor of the editor have no findings, which need the feature `know`", () => {
  for (const [name, own, of] of /** @type {const} */ ([
    ["findings", editor.EditPlan, main.EditPlan],
    ["findings", editor.HeaderPlan, main.HeaderPlan],
    ["validate", editor.Editor, main.Editor],
    ["apply", editor.Editor, main.Editor],
  ])) {
    assert.ok(!(name in own.prototype) && name in of.prototype, name);
  }
});

/**
 * The declarations of an entry: for each block that begins in the first column, its lines without those of comments.
 *
 * @param {import("../size.mjs").Module} module
 */
function declarations(module) {
  const text = readFileSync(`${folderOf(module)}${module.name}.d.ts`, "utf8").replaceAll(/\/\*\*[^]*?\*\//g, "");
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

test("a smaller entry declares nothing that the main entry declares in another way, and only conversions are new", () => {
  const [all, ...smaller] = SHIPPED.map((module) => ({ module, blocks: declarations(module) }));
  assert.ok(all && smaller.length > 0);
  for (const { module, blocks } of smaller) {
    assert.ok(blocks.size > 20, `${module.entry} declares ${blocks.size} things`);
    for (const [head, lines] of blocks) {
      const inMain = all.blocks.get(head);
      if (!inMain && OF_CONVERSIONS.includes(module.folder)) continue;
      assert.ok(inMain, `${module.entry}: ${head}`);
      for (const line of lines) {
        // The main entry declares a result of its own for some classes.
        if (line !== "toJSON(): object;") assert.ok(inMain.includes(line), `${module.entry}: ${head}: ${line}`);
      }
    }
  }
});
