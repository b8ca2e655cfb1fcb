// The types of the packed package in strict TypeScript programs.

import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createProject, npmScript } from "../project.mjs";

const project = await createProject();
after(() => project.remove());

const STRICT = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2022"];
const BROWSER = ["--lib", "es2022,dom,dom.iterable,dom.asynciterable"];
/** TypeScript's own declarations are checked beside those of the package once: no later check changes what they are beside. */
const OWN_CHECKED = ["--skipDefaultLibCheck"];
const ENTRIES = ["main", "reader", "editor", "full", "convert", "models", "sha", "template"];
const FILES = ENTRIES.map((name) => `types-${name}.ts`);

/** @param {string[]} args */
const check = (...args) => npmScript("typescript/bin/tsc", args, project.dir);

test("they check with strict, skipLibCheck: false and module: nodenext", async () => {
  await check(...STRICT, ...BROWSER, "--module", "nodenext", ...FILES);
});

// With `nodenext`, `examples.test.mjs` and the next test check them with exactOptionalPropertyTypes.
test("they check with strict, skipLibCheck: false, exactOptionalPropertyTypes and module: preserve", async () => {
  const preserve = ["--module", "preserve", "--moduleResolution", "bundler", "--exactOptionalPropertyTypes"];
  await check(...STRICT, ...OWN_CHECKED, ...BROWSER, ...preserve, ...FILES);
});

test("they check in a program for Node.js, without the types of a browser", async () => {
  const modules = new URL("../../../node_modules/", import.meta.url);
  await mkdir(join(project.dir, "node_modules/@types"), { recursive: true });
  for (const name of ["@types/node", "undici-types"]) {
    await symlink(fileURLToPath(new URL(name, modules)), join(project.dir, "node_modules", name), "junction");
  }
  const node = ["--lib", "es2023", "--types", "node", "--preserveSymlinks", "--module", "nodenext"];
  await check(...STRICT, ...node, "--exactOptionalPropertyTypes", "types-node.ts");
});
