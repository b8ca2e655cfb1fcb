// The types of an entry of the package.

import { readFileSync } from "node:fs";
import ts from "typescript";
import { folderOf, SHIPPED } from "../package/size.mjs";

/** @import { Module } from "../package/size.mjs" */

/** What an entry takes from `gguf-wasm/full`. */
const SHARED = /^export (?:type )?\{([^}]*)\} from "[./]*\/full\/gguf_wasm_full_api\.js";\n/gm;

/** @param {Module} module */
const textOf = (module) => readFileSync(`${folderOf(module)}${module.name}.d.ts`, "utf8");

/**
 * The declarations of an entry, with those that it has alike with `gguf-wasm/full` and takes from there.
 *
 * @param {Module} module
 */
export function typesOf(module) {
  const own = textOf(module);
  const names = new Set([...own.matchAll(SHARED)].flatMap(([, list = ""]) => list.match(/\w+/g) ?? []));
  const full = SHIPPED.find(({ entry }) => entry === "gguf-wasm/full");
  if (names.size === 0 || !full) return own;
  const { statements } = ts.createSourceFile("full.d.ts", textOf(full), ts.ScriptTarget.Latest, true);
  const shared = statements.filter((node) => names.has(/** @type {any} */ (node).name?.text));
  return `${own.replaceAll(SHARED, "")}\n${shared.map((node) => node.getFullText().trim()).join("\n\n")}\n`;
}
