// Makes the script and the types of a module of the package: the script that wasm-bindgen generates, with the API in front of it that
// `pkg-template/glue` defines.
//
// The folder `bindings` of a module has the output of wasm-bindgen for bundlers, `imports.json`, the names of the functions that the module
// imports, in their order, and `exports.json`, the short names of those that it exports. `entries.mjs` prints what the file OTHERS contains.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import ts from "typescript";
import { parseSync, Visitor } from "vite";
import { breakLines } from "./break-lines.mjs";

const GLUE = fileURLToPath(new URL("../pkg-template/glue/", import.meta.url));

/** The functions that only `boundary.js` calls, as exports of the module. */
const OF_BOUNDARY = ["hasRoom", "takenBytes"];

const [out = "", name = "", others = "", folder = ""] = process.argv.slice(2);
if (!others) throw new Error("usage: bundle.mjs FOLDER NAME OTHERS [FOLDER IN THE PACKAGE]");
const bindings = `${out}/bindings`;
/**
 * What only other entries have, and the declarations that the host has, too.
 *
 * @type {{ members: object, types: string, shared: string[], host: { name: string, folder: string } }}
 */
const { members, types: typesOfOthers, shared, host } = JSON.parse(readFileSync(others, "utf8"))[name];

/**
 * @typedef {object} Exported a class or a function of the API
 * @property {string} name
 * @property {boolean} isClass
 * @property {boolean} isPromise whether a function returns a promise
 * @property {boolean} hasConstructor
 * @property {string[]} promises the members that return promises
 */

/**
 * The classes and functions of a script, with what its documentation says of their results.
 *
 * @param {string} path
 * @returns {Map<string, Exported>}
 */
function exportedBy(path) {
  const { statements } = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  /** @param {ts.Node} node */
  const isPromise = (node) => /^Promise\b/.test(ts.getJSDocReturnType(node)?.getText() ?? "");
  return new Map(
    statements.flatMap((node) => {
      const isClass = ts.isClassDeclaration(node);
      if (!(isClass || ts.isFunctionDeclaration(node)) || !node.name) return [];
      const members = isClass ? [...node.members] : [];
      const exported = {
        name: node.name.text,
        isClass,
        isPromise: isPromise(node),
        hasConstructor: members.some(ts.isConstructorDeclaration),
        promises: members.filter(isPromise).map((member) => String(member.name?.getText())),
      };
      return [[exported.name, exported]];
    }),
  );
}

/** The names that a script exports. @param {string} path */
function namesOf(path) {
  const { staticExports } = parseSync(path, readFileSync(path, "utf8")).module;
  return staticExports.flatMap(({ entries }) => entries.map((entry) => String(entry.exportName.name)));
}

/**
 * The script that publishes the API.
 *
 * @param {readonly Exported[]} api
 * @param {readonly [module: string, name: string][]} imports
 */
function entry(api, imports) {
  const gguf = api.find(({ name }) => name === "Gguf");
  const set = api.find(({ name }) => name === "GgufSet");
  const hasChat = api.some(({ name }) => name === "Tokenizer");
  if (hasChat) gguf?.promises.push("chat");
  const plan = api.find(({ name }) => name === "ConversionPlan");
  plan?.promises.push("estimateError", "proposeMix", "tryRows");
  set?.promises.push(...(gguf?.promises ?? []));
  const published = api.map(({ name, isClass, isPromise, hasConstructor, promises }) => {
    const args = isClass ? `${JSON.stringify(promises)}, ${hasConstructor}` : `${isPromise}`;
    return `export const ${name} = published${isClass ? "Class" : "Function"}("${name}", bindings.${name}, ${args});`;
  });
  const modules = [...new Set(imports.map(([from]) => from))];
  const imported = imports.map(([from, name]) => `from${modules.indexOf(from)}.${name}`);
  return [
    `import * as bindings from "./${name}_bg.js";`,
    ...modules.map((from, i) => `import * as from${i} from "${from}";`),
    `import { publishedClass, publishedFunction } from "glue/publish.js";`,
    `import { starters } from "glue/start.js";`,
    `import { addMembersOfMerged } from "glue/set-members.js";`,
    hasChat ? `import { addChat } from "glue/file-chat.js";` : "",
    plan ? `import { addErrorEstimate } from "glue/error-estimate.js";` : "",
    `import { addMembersOfOthers } from "glue/other-entries.js";`,
    `export { GgufError } from "glue/../gguf-error.js";`,
    `const imports = [${imported.join(", ")}];`,
    `export const { init, initSync } = starters({ h: imports }, bindings.__wbg_set_wasm);`,
    hasChat ? "addChat(bindings.Gguf);" : "",
    plan ? "addErrorEstimate(bindings.ConversionPlan, bindings);" : "",
    set ? "addMembersOfMerged(bindings.GgufSet, bindings.Gguf);" : "",
    ...published,
    `addMembersOfOthers(${JSON.stringify(members)});`,
  ].join("\n");
}

/**
 * The types of the API: those of wasm-bindgen with `toJSON` for each class, and those of starting the module.
 *
 * @param {string} path
 */
function apiTypes(path) {
  const { statements } = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const classes = statements.flatMap((node) => (ts.isClassDeclaration(node) && node.name ? [node.name.text] : []));
  const inherits = statements.flatMap((node) =>
    ts.isInterfaceDeclaration(node) && node.heritageClauses ? [node.name.text] : [],
  );
  const own = classes.filter((name) => name !== "GgufError" && !inherits.includes(name) && !shared.includes(name));
  const declarations = own.map((name) => `  interface ${name} extends Plain {}`).join("\n");
  return `import type { OtherEntry, Plain } from "${toRoot}start.js";

export * from "./${name}.js";
export type { CompiledModule, InitInput, InitOutput, OtherEntry, SyncInitInput } from "${toRoot}start.js";

declare module "./${name}.js" {
${declarations}
${typesOfOthers}}
`;
}

/**
 * The types of the module: those of wasm-bindgen, without the declarations that the host has. They are its own there, so that they are in
 * the package once.
 *
 * @param {string} path
 */
function ownTypes(path) {
  const text = readFileSync(path, "utf8");
  if (shared.length === 0) return text;
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const isShared = (/** @type {any} */ node) => shared.includes(node.name?.text);
  const own = statements.filter((node) => !isShared(node)).map((node) => node.getFullText().trim());
  const isValue = (/** @type {ts.Node} */ node) => ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node);
  const values = new Set(
    statements
      .filter((node) => isShared(node) && isValue(node))
      .map((node) => String(/** @type {any} */ (node).name.text)),
  );
  const types = shared.filter((name) => !values.has(name));
  const used = shared.filter((name) => own.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  const from = `from "${toRoot}${host.folder && `${host.folder}/`}${host.name}_api.js";`;
  const list = (/** @type {Iterable<string>} */ names) => `{\n  ${[...names].join(",\n  ")},\n} ${from}`;
  return `/* eslint-disable */\nimport type ${list(used)}\nexport type ${list(types)}\nexport ${list(values)}\n\n${own.join("\n\n")}\n`;
}

/**
 * The script of wasm-bindgen with the short names of the exports.
 *
 * @param {string} path
 * @param {string} code
 */
function withShortNames(path, code) {
  let changed = "";
  let end = 0;
  new Visitor({
    MemberExpression({ object, property }) {
      if (object.type !== "Identifier" || object.name !== "wasm" || property.type !== "Identifier") return;
      const short = exports[property.name];
      if (short === undefined) return;
      changed += code.slice(end, property.start) + short;
      end = property.end;
    },
  }).visit(parseSync(path, code).program);
  return changed + code.slice(end);
}

const known = exportedBy(`${bindings}/${name}_bg.js`);
const api = namesOf(`${bindings}/${name}.js`)
  .filter((name) => !OF_BOUNDARY.includes(name))
  .map((name) => /** @type {Exported} */ (known.get(name)));
/** @type {[string, string][]} */
const imports = JSON.parse(readFileSync(`${bindings}/imports.json`, "utf8"));
/** @type {Record<string, string>} */
const exports = JSON.parse(readFileSync(`${bindings}/exports.json`, "utf8"));
const script = entry(api, imports);
const toRoot = folder ? "../" : "./";

const bundle = await rolldown({
  input: "entry",
  transform: {
    define: { "typeof FinalizationRegistry": '"function"' },
    inject: { FinalizationRegistry: [`${GLUE}registry.js`, "Registry"] },
  },
  plugins: [
    {
      name: "entry",
      resolveId(id) {
        if (id === "entry") return `${bindings}/entry.js`;
        // Other scripts of the package.
        if (id.endsWith("gguf-error.js")) return { id: `${toRoot}gguf-error.js`, external: true };
        if (id.startsWith("../common/")) return { id: toRoot + id.slice("../".length), external: true };
        if (/^gguf-wasm\/\w+\/load$/.test(id)) return { id, external: true };
        const [loaded] = /\w+\/load\.js$/.exec(id) ?? [];
        if (loaded) return { id: toRoot + loaded, external: true };
        return id.startsWith("glue/") ? GLUE + id.slice("glue/".length) : undefined;
      },
      load: (id) => (id.endsWith("/entry.js") ? script : undefined),
      transform: (code, id) => (id.endsWith("_bg.js") ? withShortNames(id, code) : undefined),
    },
  ],
});
const { output } = await bundle.generate({ format: "es", minify: true, comments: false });
await bundle.close();
const path = `${out}/${name}.js`;
writeFileSync(path, breakLines(path, output[0].code));

const types = `${bindings}/${name}.d.ts`;
const declared = new Set(namesOf(types));
// What has no types is for other files of the package.
const names = ["GgufError", ...api.map(({ name }) => name)].filter((name) => declared.has(name));
writeFileSync(`${out}/${name}_api.js`, `export {\n  ${names.join(",\n  ")},\n} from "./${name}.js";\n`);
writeFileSync(`${out}/${name}.d.ts`, ownTypes(types));
writeFileSync(`${out}/${name}_api.d.ts`, apiTypes(types));
