// The examples of the README and of the declarations: each is checked by a strict TypeScript program, and run in Node.js with
// objects that stand in for the page, the network and the file system.

import assert from "node:assert/strict";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as api from "gguf-wasm/full";
import * as convert from "gguf-wasm/convert";
import * as models from "gguf-wasm/models";
import * as forks from "gguf-wasm/forks";
import * as template from "gguf-wasm/template";
import { draftFile } from "../../support/draft-file.mjs";
import { examples } from "../../support/examples.mjs";
import { adapterFiles, hubModelFiles } from "../../support/hub-model.mjs";
import { legacyFile } from "../../support/legacy-file.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { npmScript, run, SAMPLE } from "../project.mjs";
import { PKG } from "../size.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The examples that are not run, and the reason. They are compiled. */
const NOT_RUN = /** @type {const} */ ([
  [/gguf-wasm(\/\w+)?\/init/, "the page chooses the path of the module"],
  [/"indices"/, "the model has no tensor of integers"],
  [/getContext\("2d"\)/, "Node.js has no canvas"],
  [/new Worker\(/, "Node.js has no workers of pages"],
]);

/** The options of a strict program of a page. */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  // `types.test.mjs` checks TypeScript's own declarations beside those of the package.
  skipDefaultLibCheck: true,
  noEmit: true,
  preserveSymlinks: true,
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable", "esnext.disposable"],
  module: "nodenext",
  types: ["node"],
};

/** Every example, with the name of its file in the project. */
const EXAMPLES = examples().map((example, index) => ({ ...example, name: `example-${index}` }));

const folder = await temporaryFolder();
await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: STRICT, include: ["*.ts"] }));
await mkdir(join(folder, "node_modules"));
for (const [name, target] of [
  ["gguf-wasm", PKG],
  ["@types", join(ROOT, "node_modules/@types")],
  ["undici-types", join(ROOT, "node_modules/undici-types")],
]) {
  await symlink(String(target), join(folder, "node_modules", String(name)), "junction");
}
await cp(new URL("../examples/", import.meta.url), folder, { recursive: true });
await cp(SAMPLE, join(folder, "sample.gguf"));
await writeFile(join(folder, "ggml-model-q4_0.bin"), legacyFile());
await writeFile(join(folder, "draft.gguf"), draftFile());
await mkdir(join(folder, "models/Qwen3-0.6B"), { recursive: true });
for (const [name, bytes] of Object.entries(hubModelFiles())) {
  await writeFile(join(folder, "models/Qwen3-0.6B", name), bytes);
}
await mkdir(join(folder, "models/my-adapter"));
for (const [name, bytes] of Object.entries(adapterFiles())) {
  await writeFile(join(folder, "models/my-adapter", name), bytes);
}
/** The entries, and the names that examples have of them. */
const ENTRIES = Object.entries({
  "gguf-wasm/full": Object.keys(api),
  "gguf-wasm/convert": Object.keys(convert).filter((name) => !(name in api)),
  "gguf-wasm/models": Object.keys(models).filter((name) => !(name in api)),
  "gguf-wasm/forks": Object.keys(forks).filter((name) => !(name in api)),
  "gguf-wasm/template": Object.keys(template).filter((name) => !(name in api)),
});

for (const { name, code, place } of EXAMPLES) {
  const text = `// ${place}\n${withImports(code)}\nexport {};\n`;
  await writeFile(join(folder, `${name}.ts`), text);
  await writeFile(join(folder, `${name}.mjs`), text);
}

/** Imports the names of the API that an example uses and neither imports nor declares. @param {string} code */
function withImports(code) {
  const imports = ENTRIES.map(([entry, names]) => {
    const used = names.filter((name) =>
      new RegExp(`(?<![.\\w])${name}\\(|\\b(new|instanceof) ${name}\\b|(?<![.\\w])${name}\\.`).test(code),
    );
    const missing = used.filter((name) => !new RegExp(`import [^;]*\\b${name}\\b`).test(code));
    return missing.length > 0 ? `import { ${missing.join(", ")} } from "${entry}";\n` : "";
  });
  return imports.join("") + code;
}

/** The place in the documentation of each file that is named in a text. @param {string} text */
const withPlaces = (text) =>
  text.replaceAll(/example-(\d+)/g, (name, index) => `${name} (${EXAMPLES[Number(index)]?.place})`);

test("there are examples in the READMEs and in the declarations", () => {
  for (const file of [
    "README.md",
    "pkg-template/README.md",
    "docs/site/start.md",
    "full/gguf_wasm_full.d.ts",
    "file-source.d.ts",
    "init.d.ts",
  ]) {
    assert.ok(
      EXAMPLES.some(({ place }) => place.startsWith(`${file}:`)),
      file,
    );
  }
});

test("no example uses `using`, which Node.js 20 and browsers cannot parse", () => {
  const using = EXAMPLES.filter(({ code }) => /^\s*(await )?using /m.test(code));
  assert.deepEqual(
    using.map(({ place }) => place),
    [],
  );
});

test("all examples check with strict and exactOptionalPropertyTypes", async () => {
  await npmScript("typescript/bin/tsc", ["--pretty", "false"], folder).catch((error) => {
    const problems = error.message.split("\n").filter((/** @type {string} */ line) => line.includes("error TS"));
    assert.fail(withPlaces(problems.join("\n")));
  });
});

test("all examples that need no browser run", async () => {
  const names = EXAMPLES.filter(({ code }) => !NOT_RUN.some(([pattern]) => pattern.test(code))).map(({ name }) => name);
  const output = await run(process.execPath, ["--no-warnings", "--preserve-symlinks", "run.mjs", ...names], folder);
  /** @type {Record<string, string>} */
  const failures = JSON.parse(output.split("\n").at(-1) ?? "");
  assert.deepEqual(
    Object.entries(failures).map(([name, reason]) => `${withPlaces(name)}: ${reason}`),
    [],
  );
});

test("every reason not to run an example holds for one", () => {
  for (const [pattern] of NOT_RUN)
    assert.ok(
      EXAMPLES.some(({ code }) => pattern.test(code)),
      String(pattern),
    );
});
