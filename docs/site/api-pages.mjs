// The reference of the API: typedoc's Markdown of the declarations in `pkg/`.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";

/** @import { Page } from "./build.mjs" */

const PKG = fileURLToPath(new URL("../../pkg/", import.meta.url));

/** The entries, each with all that it has in Node.js. The other entries of the package have parts of the first. */
const ENTRIES = /** @type {const} */ ([
  [
    "gguf-wasm",
    ["full/node.d.ts", "node.d.ts"],
    "All members, as `gguf-wasm/full` has them. A smaller entry has a part of them: its types say where the others are.",
  ],
  ["gguf-wasm/convert", ["convert/node.d.ts"], "Quantizes models, and converts files of the formats before GGUF."],
  ["gguf-wasm/models", ["models/node.d.ts"], "Converts models of Hugging Face."],
  ["gguf-wasm/template", ["template/node.d.ts"], "Renders chat templates exactly as llama.cpp does."],
  ["gguf-wasm/forks", ["forks/node.d.ts"], "Converts rows of tensor types that other programs write."],
]);

/**
 * @param {string} folder Where the Markdown is kept. It is written anew if a declaration or this file has changed.
 * @returns {Promise<Page[]>}
 */
export async function apiPages(folder) {
  const declarations = readdirSync(PKG, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".d.ts"))
    .sort();
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of declarations) hash.update(name).update(readFileSync(join(PKG, name)));
  const written = resolve(folder, `markdown-${hash.digest("hex").slice(0, 16)}`);
  if (!isFolder(written)) {
    rmSync(folder, { recursive: true, force: true });
    await writeMarkdown(resolve(folder), written, declarations);
  }
  return readdirSync(written, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => {
      const content = readFileSync(join(written, name), "utf8");
      const title = /^# (.*)$/m.exec(content)?.[1]?.replaceAll(/\\(.)/g, "$1") ?? name;
      const path = name.replaceAll("\\", "/");
      return { url: `/api/${path.replace(/\.md$/, ".html")}`, title, section: "API", content, source: `api/${path}` };
    });
}

/** @param {string} path */
function isFolder(path) {
  try {
    return readdirSync(path).length > 0;
  } catch {
    return false;
  }
}

/** @param {string} folder @param {string} out @param {string[]} declarations */
async function writeMarkdown(folder, out, declarations) {
  mkdirSync(folder, { recursive: true });
  const entryPoints = ENTRIES.map(([name, files, text], index) => {
    const file = files.find((one) => declarations.includes(one));
    if (!file) throw new Error(`pkg/ has none of ${files.join(", ")}`);
    const path = join(folder, `entry-${index}.ts`);
    const from = JSON.stringify(join(PKG, file.replace(".d.ts", ".js")));
    writeFileSync(path, `/**\n * ${text}\n *\n * @module ${name}\n */\nexport * from ${from};\n`);
    return path;
  });
  const lib = ["es2023", "dom", "dom.iterable", "dom.asynciterable", "esnext.disposable"];
  const compilerOptions = { target: "es2023", lib, module: "nodenext", types: [], skipLibCheck: true, noEmit: true };
  const tsconfig = join(folder, "tsconfig.json");
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const application = await Application.bootstrapWithPlugins(
    /** @type {any} */ ({
      entryPoints,
      tsconfig,
      name: "API",
      plugin: ["typedoc-plugin-markdown"],
      // Without it, typedoc writes to `docs/`, and removes what is there.
      outputs: [{ name: "markdown", path: out }],
      cleanOutputDir: false,
      readme: "none",
      entryFileName: "index",
      hidePageHeader: true,
      hideBreadcrumbs: true,
      disableSources: true,
      logLevel: "Error",
      // The tests of the package check the declarations.
      skipErrorChecking: true,
    }),
  );
  const project = await application.convert();
  if (!project) throw new Error("typedoc cannot read the declarations in pkg/");
  await application.generateOutputs(project);
}
