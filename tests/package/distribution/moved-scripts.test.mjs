// Bundles for servers: a bundler has moved the script of the package away from its WebAssembly file.

import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as esbuild from "esbuild";
import { createProject, run, temporaryFolder } from "../project.mjs";

const SOURCE = `import { ggmlTypes } from "gguf-wasm/reader"; console.log(ggmlTypes().length > 20);`;

/** @type {import("../project.mjs").Project} */
let project;
/** @type {string} */
let elsewhere;

before(async () => {
  project = await createProject();
  elsewhere = await temporaryFolder();
  await writeFile(join(project.dir, "server.js"), SOURCE);
  await esbuild.build({
    absWorkingDir: project.dir,
    entryPoints: ["server.js"],
    outfile: join(elsewhere, "server.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
});
after(async () => {
  await project?.remove();
  await rm(elsewhere, { recursive: true, force: true });
});

test("the file is found in node_modules of the folder in which the program runs", async () => {
  assert.equal((await run(process.execPath, [join(elsewhere, "server.mjs")], project.dir)).trim(), "true");
});

test("without it, the message names the file and the settings", async () => {
  const empty = join(elsewhere, "empty");
  await mkdir(empty);
  await assert.rejects(
    run(process.execPath, [join(elsewhere, "server.mjs")], empty),
    /gguf_wasm_reader_bg\.wasm is neither beside the script .*server\.mjs nor in node_modules: .*serverExternalPackages: \["gguf-wasm"\]/s,
  );
});
