// Compares the entries of the package: which members of their classes only other entries have, and which declarations are the same.
// Prints, for each module, the table that `pkg-template/glue/other-entries.js` reads, the types of these members, and the declarations that
// it takes from the module with the most declarations. `bundle.mjs` puts them into the scripts and the types.
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

/**
 * The declarations of a module, by their names. A name can have several declarations.
 *
 * @param {string} path
 * @returns {Map<string, { text: string, uses: Set<string> }>}
 */
function declarationsOf(path) {
  const text = readFileSync(path, "utf8").replaceAll(/^\/\* [te]slint.*\n/gm, "");
  const declarations = new Map();
  for (const node of ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true).statements) {
    const name = /** @type {any} */ (node).name?.text;
    const { text = "", uses = new Set() } = declarations.get(name) ?? {};
    declarations.set(name, { text: text + node.getFullText().trim(), uses });
    /** @param {ts.Node} part */
    const visit = (part) => {
      if (ts.isIdentifier(part)) uses.add(part.text);
      ts.forEachChild(part, visit);
    };
    visit(node);
  }
  return declarations;
}

/** What the entry `node` of each module adds members to. */
const OWN = ["GgufSources"];

const all = modules.map((module) => ({
  module,
  classes: classesOf(module.types),
  declarations: declarationsOf(module.types),
}));
const [host] = all.toSorted((a, b) => b.declarations.size - a.declarations.size);

/**
 * The names of the declarations that a module and the host have both, and that use no others.
 *
 * @param {typeof all[number]} of
 * @param {(name: string) => boolean} hasOthers whether another entry has more members
 */
function sharedBy({ declarations }, hasOthers) {
  const isSame = (/** @type {string} */ name) => host?.declarations.get(name)?.text === declarations.get(name)?.text;
  const shared = new Set(
    [...declarations.keys()].filter((name) => isSame(name) && !OWN.includes(name) && !hasOthers(name)),
  );
  for (let before = 0; before !== shared.size;) {
    before = shared.size;
    for (const name of shared) {
      const uses = [...(declarations.get(name)?.uses ?? [])];
      if (uses.some((used) => declarations.has(used) && !shared.has(used))) shared.delete(name);
    }
  }
  return [...shared];
}

const results = all.map((of) => {
  const { module, classes } = of;
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
  const shared = of === host ? [] : sharedBy(of, (name) => name in table);
  return [module.name, { members: table, types: types.join(""), shared, host: host?.module }];
});

console.log(JSON.stringify(Object.fromEntries(results)));
