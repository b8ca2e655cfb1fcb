// The packed package in every runtime except browsers. Each opens the sample over HTTP and by its path.

import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { build } from "esbuild";
import { serveFolder } from "../../support/file-server.mjs";
import { ofRun } from "../../support/long.mjs";
import { createProject, run } from "../project.mjs";
import { bun, deno, workerd } from "../runtimes.mjs";
import { expected } from "../sample.mjs";
import { READING, SHIPPED } from "../size.mjs";
import { writeSparse } from "../sparse.mjs";

/**
 * The modules have the same scripts around them. So each runtime runs all scripts of a user with the main module, and one with each other
 * module; in a long run, all with each.
 *
 * @param {import("../size.mjs").Module} module
 */
const runsAll = (module) => ofRun(module === SHIPPED[0], true);

for (const module of READING)
  describe(module.entry, () => {
    /** @type {import("../project.mjs").Project} */
    let project;
    /** @type {Awaited<ReturnType<typeof serveFolder>>} */
    let server;
    /** @type {string} */
    let url;
    /** @type {string} */
    let path;

    before(async () => {
      project = await createProject(module);
      server = await serveFolder(project.dir);
      url = `${server.origin}/sample.gguf`;
      path = join(project.dir, "sample.gguf");
    });
    after(async () => {
      await server?.close();
      await project?.remove();
    });

    /**
     * A command that is run in the project.
     *
     * @param {string} program
     * @param {string[]} [options]
     */
    function runner(program, options = []) {
      return (/** @type {string[]} */ ...args) => run(program, [...options, ...args], project.dir);
    }

    /** Options that switch off prompts and downloads. */
    const DENO_RUN = ["run", "--no-prompt", "--cached-only"];

    describe("Node.js", { concurrency: 2 }, () => {
      const node = runner(process.execPath, ["--no-warnings"]);

      for (const script of ["run.js", ...(module.inline ? ["run-inline.js"] : [])]) {
        test(script, async () => assert.equal(await node(script, url), expected()));
      }
      if (!runsAll(module)) return;
      for (const script of ["run-init.js", "run-import.cjs", "run-thread.js"]) {
        test(script, async () => assert.equal(await node(script, url), expected()));
      }
      test(
        "run-require.cjs",
        { skip: !process.features.require_module && "no require() of modules: NOT COVERED" },
        async () => assert.equal(await node("run-require.cjs", url), expected()),
      );
      test("run-file.js", async () => assert.equal(await node("run-file.js", path), expected()));
      test("run-path.js", async () => assert.equal(await node("run-path.js", path), expected()));
    });

    describe("Deno", { concurrency: 2, skip: deno.skip }, () => {
      const net = "--allow-net=127.0.0.1";
      const run = runner(deno.program, DENO_RUN);

      test("run.js", async () =>
        assert.equal(await run(net, "--allow-read=node_modules/gguf-wasm", "run.js", url), expected()));
      if (!runsAll(module)) return;
      test("run-inline.js, without the permission to read files", async () =>
        assert.equal(await run(net, "run-inline.js", url), expected()));
      test("run-file.js", async () => assert.equal(await run("--allow-read", "run-file.js", path), expected()));
      test("run-path.js", async () =>
        assert.equal(await run("--allow-read", "--allow-write", "run-path.js", path), expected()));
    });

    describe("Bun", { concurrency: 2, skip: bun.skip }, () => {
      const run = runner(bun.program);

      test("run.js", async () => assert.equal(await run("run.js", url), expected()));
      if (!runsAll(module)) return;
      test("run-inline.js", async () => assert.equal(await run("run-inline.js", url), expected()));
      test("run-file.js", async () => assert.equal(await run("run-file.js", path), expected()));
      test("run-path.js", async () => assert.equal(await run("run-path.js", path), expected()));

      test("bundled by Bun, and moved", async () => {
        await run("build", "--target", "bun", "--outdir", "bun-built", "run.js");
        const moved = await mkdtemp(join(project.dir, "bun-moved-"));
        await cp(join(project.dir, "bun-built"), moved, { recursive: true });
        assert.equal(await run(join(moved, "run.js"), url), expected());
      });

      test("compiled by Bun to one executable", async () => {
        const program = join(project.dir, process.platform === "win32" ? "compiled.exe" : "compiled");
        await run("build", "--compile", "--outfile", program, "run.js");
        assert.equal(await runner(program)(url), expected());
      });
    });

    describe("workerd", { skip: workerd.skip }, () => {
      test("a Worker that is bundled as wrangler does it", async () => {
        const outdir = join(project.dir, "worker");
        await build({
          absWorkingDir: project.dir,
          entryPoints: ["workerd.js"],
          outdir,
          bundle: true,
          format: "esm",
          conditions: ["workerd", "worker", "browser"],
          // wrangler keeps the import and uploads the file as a compiled module.
          loader: { ".wasm": "copy" },
          assetNames: "[name]",
          logLevel: "silent",
        });
        const contents = await readFile(join(outdir, "workerd.js"), "utf8");
        assert.ok(contents.includes(`"./${module.name}_bg.wasm"`));
        const { Miniflare } = await import("miniflare");
        const miniflare = new Miniflare({
          cf: false,
          compatibilityDate: "2025-09-01",
          modules: [
            { type: "ESModule", path: "workerd.js", contents },
            ...(await Promise.all(
              // The module, and those that it can load.
              (await readdir(outdir))
                .filter((name) => name.endsWith(".wasm"))
                .map(
                  async (name) =>
                    /** @type {const} */ ({
                      type: "CompiledWasm",
                      path: name,
                      contents: await readFile(join(outdir, name)),
                    }),
                ),
            )),
          ],
        });
        try {
          const response = await miniflare.dispatchFetch(`http://localhost/?sample=${url}`);
          assert.equal(await response.text(), expected());
        } finally {
          await miniflare.dispose();
        }
      });
    });

    describe("a file of 400 GB, with a tensor at 300 GB", () => {
      const programs = {
        "Node.js": { program: process.execPath, skip: false, args: [] },
        Deno: { ...deno, args: [...DENO_RUN, "--allow-read"] },
        Bun: { ...bun, args: [] },
      };
      /** @type {Awaited<ReturnType<typeof writeSparse>>} */
      let file;
      before(async () => {
        file = await writeSparse(join(project.dir, "huge.gguf"));
      });

      for (const [name, { program, skip, args }] of Object.entries(programs).slice(0, runsAll(module) ? 3 : 1)) {
        test(name, { skip }, async (t) => {
          if (!file)
            return t.skip("the file system of the temporary folder has no sparse files of 400 GB: NOT COVERED");
          const { size, farOffset, far } = file;
          assert.equal(
            await run(program, [...args, "run-far.js", "huge.gguf"], project.dir),
            JSON.stringify([size, farOffset, far]),
          );
        });
      }
    });
  });
