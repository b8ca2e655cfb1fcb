/** The imports of the page and of the command line: no files import each other in a circle, and a folder of the page only those that it may. */

import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import ts from "typescript";

const SOURCE = fileURLToPath(new URL("../../../www/src", import.meta.url));
const COMMAND_LINE = fileURLToPath(new URL("../../../pkg-template/cli", import.meta.url));

/**
 * The folders that each folder may import from. Files at the top are named alone. The order is from the bottom to the top: a folder imports
 * only from folders above it in this list. `edit` is loaded when editing begins, so nothing imports it except with `import()`.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  gguf: ["ui"],
  worker: ["ui", "gguf"],
  saving: ["ui", "gguf"],
  export: ["ui", "gguf", "worker", "saving"],
  metadata: ["ui", "gguf"],
  memory: ["ui", "gguf", "worker"],
  repository: ["ui", "gguf", "memory"],
  tokenizer: ["ui", "gguf", "worker"],
  checks: ["ui", "gguf", "worker"],
  template: ["ui", "gguf", "worker"],
  summary: ["ui", "gguf", "worker", "saving", "memory", "checks", "template", "repository"],
  graph: ["ui", "gguf", "worker", "saving", "memory", "summary"],
  values: ["ui", "gguf", "worker"],
  tensors: ["ui", "gguf", "values", "export"],
  compare: ["ui", "gguf", "worker", "metadata", "memory", "summary", "repository"],
  convert: ["ui", "gguf", "saving", "memory", "summary"],
  legacy: ["ui", "gguf", "worker", "saving", "convert"],
  models: ["ui", "gguf", "worker", "saving", "metadata", "convert"],
  shards: ["ui", "gguf", "saving"],
  hash: ["ui", "gguf", "saving"],
  share: ["ui", "gguf", "worker", "memory", "summary", "repository"],
  edit: ["ui", "gguf", "worker", "saving", "summary", "metadata", "checks", "values", "tensors"],
  "panels.ts": [
    "ui",
    "gguf",
    "summary",
    "metadata",
    "memory",
    "tokenizer",
    "template",
    "checks",
    "values",
    "graph",
    "tensors",
    "compare",
    "convert",
    "legacy",
    "shards",
    "hash",
    "share",
  ],
  palette: ["ui", "gguf", "metadata", "tokenizer", "repository", "panels.ts"],
  viewer: [
    "palette",
    "ui",
    "gguf",
    "worker",
    "summary",
    "metadata",
    "memory",
    "tokenizer",
    "template",
    "checks",
    "values",
    "graph",
    "tensors",
    "compare",
    "convert",
    "legacy",
    "export",
    "shards",
    "hash",
    "share",
    "saving",
    "panels.ts",
  ],
  "viewer.ts": ["viewer"],
  elements: ["ui", "gguf", "worker", "memory", "summary", "values", "tensors", "viewer"],
  search: ["ui", "gguf"],
  app: ["ui", "gguf", "saving", "summary", "models", "panels.ts", "viewer", "repository", "search"],
  "main.ts": ["app"],
  "service-worker.ts": [],
};

/** The folders that are imported with `import()`, and by which folder. */
const LOADED_LATER: Readonly<Record<string, readonly string[]>> = {
  "panels.ts": [
    "metadata",
    "tensors",
    "tokenizer",
    "memory",
    "template",
    "checks",
    "compare",
    "graph",
    "convert",
    "legacy",
    "shards",
    "hash",
    "share",
  ],
  viewer: ["gguf", "edit", "template", "legacy", "palette", "repository"],
  app: ["models", "repository", "search"],
  elements: ["gguf"],
};

interface Import {
  from: string;
  to: string;
  isDynamic: boolean;
  isType: boolean;
}

function sourceFiles(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"));
}

/** The imports of a file from other files by relative paths, type imports included. */
function importsOf(path: string, text: string): Import[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isDynamic: boolean, isType: boolean) => {
    if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return;
    const to = posix.join(posix.dirname(path), specifier.text.replace(/\?.*$/, ""));
    found.push({ from: path, to, isDynamic, isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, false, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, false, node.isTypeOnly);
    // `import("…")`, and `import("…")` as a type.
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], true, false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true, true);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The folder of a file below `www/src`, or the file itself if it is at the top. */
const folderOf = (path: string) => path.split("/")[0] ?? path;

/** A circle in a graph, as the nodes along it; undefined if there is none. */
function findCircle(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] | undefined => {
    const start = path.indexOf(node);
    if (start >= 0) return [...path.slice(start), node];
    if (done.has(node)) return undefined;
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next);
      if (circle) return circle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = visit(node);
    if (circle) return circle;
  }
  return undefined;
}

function graphOf(edges: Iterable<readonly [from: string, to: string]>): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

const files = sourceFiles();
const imports = files.flatMap((path) => importsOf(path, readFileSync(`${SOURCE}/${path}`, "utf8")));

test("the imports of the page are found", () => {
  expect(files.length).toBeGreaterThan(100);
  const found = (from: string, to: string, isDynamic: boolean, isType: boolean) =>
    expect(imports).toContainEqual({ from, to, isDynamic, isType });
  found("main.ts", "app/app.ts", false, false);
  found("viewer/viewer-editing.ts", "edit/edit-mode.ts", true, false);
  found("viewer/viewer-editing.ts", "edit/edit-mode.ts", true, true);
  found("viewer/viewer-file.ts", "gguf/failure.ts", false, true);
  found("values/value-reader.ts", "values/value-worker.ts", false, false);
  for (const { to } of imports) expect(files, to).toContain(to);
});

test("every folder is in the list, and imports only the folders that it may", () => {
  expect([...new Set(files.map(folderOf))].sort()).toEqual(Object.keys(ALLOWED).sort());
  const wrong = imports.filter(({ from, to, isDynamic }) => {
    const [folder, target] = [folderOf(from), folderOf(to)];
    const allowed = isDynamic ? LOADED_LATER[folder] : ALLOWED[folder];
    return folder !== target && !allowed?.includes(target);
  });
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("the page starts without the panels: what is loaded later is not imported at the start", () => {
  const started = new Set(["main.ts", "viewer.ts"]);
  for (const file of started)
    for (const { from, to, isDynamic, isType } of imports) if (from === file && !isDynamic && !isType) started.add(to);
  expect(started).toContain("summary/summary.ts");
  const later = imports
    .filter(({ from, isDynamic, isType }) => isDynamic && !isType && folderOf(from) !== "elements")
    .map(({ to }) => to);
  expect(later).toContain("hash/hash.ts");
  expect(later.filter((file) => started.has(file))).toEqual([]);
  // What only some panels need.
  const parts = ["ui/row-table.ts", "ui/histogram.ts", "gguf/line-diff.ts", "template/template-runner.ts"];
  expect(parts.filter((file) => started.has(file) || !files.includes(file))).toEqual([]);
});

test("ui/ knows nothing of GGUF: its only package is lit", () => {
  const packages = files
    .filter((path) => folderOf(path) === "ui")
    .flatMap((path) => [...readFileSync(`${SOURCE}/${path}`, "utf8").matchAll(/from "([^."][^"]*)"/g)])
    .map(([, name = ""]) => name.split("/")[0]);
  expect([...new Set(packages)]).toEqual(["lit"]);
});

test("no folders import each other in a circle", () => {
  const edges = imports.map(({ from, to }) => [folderOf(from), folderOf(to)] as const);
  expect(findCircle(graphOf(edges))).toBeUndefined();
});

test("no files import each other in a circle", () => {
  expect(findCircle(graphOf(imports.map(({ from, to }) => [from, to])))).toBeUndefined();
});

test("no files of the command line import each other in a circle", () => {
  const scripts = readdirSync(COMMAND_LINE).filter((name) => name.endsWith(".js"));
  const edges = scripts
    .flatMap((name) => importsOf(name, readFileSync(`${COMMAND_LINE}/${name}`, "utf8")))
    .map(({ from, to }) => [from, to] as const);
  expect(edges).toContainEqual(["reading-commands.js", "validate.js"]);
  expect(findCircle(graphOf(edges))).toBeUndefined();
});

test("a circle and a forbidden import are detected", () => {
  expect(
    findCircle(
      new Map([
        ["a", new Set(["b"])],
        ["b", new Set(["c"])],
        ["c", new Set(["a"])],
      ]),
    ),
  ).toEqual(["a", "b", "c", "a"]);
  expect(
    findCircle(
      new Map([
        ["a", new Set(["b", "c"])],
        ["b", new Set(["c"])],
      ]),
    ),
  ).toBeUndefined();
  expect(importsOf("metadata/x.ts", 'import type { A } from "../edit/a.ts";\nexport * from "./b.ts";')).toEqual([
    { from: "metadata/x.ts", to: "edit/a.ts", isDynamic: false, isType: true },
    { from: "metadata/x.ts", to: "metadata/b.ts", isDynamic: false, isType: false },
  ]);
});
