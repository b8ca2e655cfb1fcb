// Compares the entries of the package: which members of their classes only other entries have. Prints, for each module, the table that
// `pkg-template/glue/other-entries.js` reads, and the types of these members. `bundle.mjs` puts both into the scripts.
//
// The arguments are the modules, from the smallest to the largest: `{ name, folder, entry, types }`, with the path of the types.

import { readFileSync } from "node:fs";
import ts from "typescript";

/** @typedef {{ name: string, folder: string, entry: string, types: string }} Module */
/** @typedef {Map<string, string>} Members the names of members; of those that are not called, with `get `, by their names */

/** @type {Module[]} */
const modules = JSON.parse(process.argv[2] ?? "[]");

/** The members of the objects of each class. @param {string} path @returns {Map<string, Members>} */
function classesOf(path) {
  const { statements } = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  /** @type {Map<string, Members>} */
  const classes = new Map(
    statements.flatMap((node) => (ts.isClassDeclaration(node) && node.name ? [[node.name.text, new Map()]] : [])),
  );
  for (const node of statements) {
    if (!(ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) || !node.name) continue;
    const members = classes.get(node.name.text);
    for (const { name, kind, modifiers } of /** @type {readonly any[]} */ (node.members)) {
      const isStatic = modifiers?.some((/** @type {ts.Node} */ { kind }) => kind === ts.SyntaxKind.StaticKeyword);
      // All classes have `toJSON`.
      if (!name || !ts.isIdentifier(name) || isStatic || name.text === "toJSON") continue;
      const isMethod = kind === ts.SyntaxKind.MethodDeclaration || kind === ts.SyntaxKind.MethodSignature;
      members?.set(name.text, isMethod ? name.text : `get ${name.text}`);
    }
  }
  return classes;
}

const all = modules.map((module) => ({ module, classes: classesOf(module.types) }));

const results = all.map(({ module, classes }) => {
  /** @type {Record<string, Record<string, string>>} */
  const table = {};
  const types = [];
  for (const [owner, own] of classes) {
    // A smaller entry has a member before a larger one.
    /** @type {Map<string, { entry: Module, member: string }>} */
    const missing = new Map();
    for (const other of all) {
      for (const [name, member] of other.classes.get(owner) ?? []) {
        if (!own.has(name) && !missing.has(name)) missing.set(name, { entry: other.module, member });
      }
    }
    if (missing.size === 0) continue;
    /** @type {Record<string, string>} */
    const folders = (table[owner] = {});
    const lines = [...missing].map(([name, { entry, member }]) => {
      const before = folders[entry.folder];
      folders[entry.folder] = before === undefined ? member : `${before},${member}`;
      return `    /** @deprecated In \`${entry.entry}\`: here it throws \`other-entry\`. */\n    readonly ${name}: OtherEntry<"${entry.entry}">${member === name ? "" : " | undefined"};\n`;
    });
    types.push(`  interface ${owner} {\n${lines.join("")}  }\n`);
  }
  return [module.name, { members: table, types: types.join("") }];
});

console.log(JSON.stringify(Object.fromEntries(results)));
