// The packed package in Chromium, with each bundler and without one: a page and its worker open the sample.

import { chromium } from "@playwright/test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import webpack from "webpack";
import { serveFolder } from "../../support/file-server.mjs";
import { ofRun } from "../../support/long.mjs";
import { createProject, npmScript } from "../project.mjs";
import { expected } from "../sample.mjs";
import { LOADED_BY, PKG, READING, SHIPPED } from "../size.mjs";

/** The policy that the README of the package gives. */
const [, POLICY = ""] = /^ *Content-Security-Policy: (.*)$/m.exec(readFileSync(`${PKG}README.md`, "utf8")) ?? [];

/**
 * The modules have the same scripts around them, except that of conversions, which has its own. So these two are loaded in all ways, and each
 * other module without a bundler and with Vite; in a long run, all in all ways.
 *
 * @param {import("../size.mjs").Module} module
 */
const isLoadedInAllWays = (module) => ofRun(module === SHIPPED[0] || module.folder === "convert", true);

test("Vite: the page of the first example of the README loads at most 130 kB, gzipped", async () => {
  const project = await createProject();
  try {
    const [, example = ""] = /```js\n(.*?)```/s.exec(readFileSync(`${PKG}README.md`, "utf8")) ?? [];
    assert.match(example, /from "gguf-wasm"/);
    await writeFile(join(project.dir, "first.js"), example);
    await writeFile(join(project.dir, "index.html"), '<!doctype html><script type="module" src="first.js"></script>');
    const options = ["--outDir", "first", "--manifest", "--logLevel", "warn"];
    await npmScript("vite/bin/vite.js", ["build", ...options], project.dir);
    /** @type {Record<string, { file: string, imports?: string[], assets?: string[] }>} */
    const manifest = JSON.parse(readFileSync(join(project.dir, "first/.vite/manifest.json"), "utf8"));
    // Without what it loads later: the module for tensor types of other programs.
    const files = new Set(["index.html"]);
    const add = (/** @type {string} */ name) => {
      const { file, imports = [], assets = [] } = manifest[name] ?? { file: name };
      [file, ...assets].forEach((path) => files.add(path));
      imports.forEach(add);
    };
    add("index.html");
    const sizes = [...files].map(
      (file) => gzipSync(readFileSync(join(project.dir, "first", file)), { level: 9 }).length,
    );
    assert.ok(
      [...files].some((file) => file.endsWith(".wasm")),
      [...files].join(),
    );
    const sum = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(sum <= 130_000, `it has ${sum} bytes`);
  } finally {
    await project.remove();
  }
});

for (const module of READING)
  describe(module.entry, () => {
    /** @type {import("../project.mjs").Project} */
    let project;
    /** @type {Awaited<ReturnType<typeof serveFolder>>} */
    let server;
    /** @type {import("@playwright/test").Browser} */
    let browser;

    before(async () => {
      [project, browser] = await Promise.all([
        createProject(module),
        chromium.launch({
          executablePath: process.env.GGUF_CHROMIUM || undefined,
          args: ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
        }),
      ]);
      server = await serveFolder(project.dir);
    });
    after(async () => {
      await browser?.close();
      await server?.close();
      await project?.remove();
    });

    /**
     * Opens a page, which sets its title when it is done.
     *
     * @param {string} path
     */
    async function title(path) {
      const page = await browser.newPage();
      // The machine may be busy with other test files.
      page.setDefaultTimeout(120_000);
      try {
        const failed = new Promise((_, reject) => page.on("pageerror", reject));
        await page.goto(`${server.origin}/${path}`);
        await Promise.race([page.waitForFunction(() => document.title !== ""), failed]);
        return await page.title();
      } finally {
        await page.close();
      }
    }

    /**
     * Writes a page into the project.
     *
     * @param {string} path
     * @param {string} content
     */
    async function page(path, content) {
      await mkdir(join(project.dir, path, ".."), { recursive: true });
      await writeFile(
        join(project.dir, path),
        `<!doctype html><link rel="icon" href="data:,"><title></title>${content}`,
      );
      return path;
    }

    /**
     * The WebAssembly files below a folder of the project.
     *
     * @param {string} folder
     */
    async function modules(folder) {
      const names = await readdir(join(project.dir, folder), { recursive: true });
      return names.filter((name) => name.endsWith(".wasm"));
    }

    /** The text that a page shows: its own result and that of its worker. */
    const both = () => `${expected()} ${expected()}`;

    describe("without a bundler", { concurrency: 2 }, () => {
      const base = `./node_modules/${module.entry}/`;
      const imports = { [module.entry]: `${base}index.js`, [`${module.entry}/init`]: `${base}init.js` };
      const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
      const script = (/** @type {string} */ name) => `${map}<script type="module" src="./${name}"></script>`;

      test("a module script and a module worker", async () => {
        assert.equal(await title(await page("plain.html", script("plain.js"))), both());
      });
      if (!isLoadedInAllWays(module)) return;

      /** A page that may load only its own files. @param {string} workerSource */
      const strict = (workerSource) => {
        const policy = POLICY.replace("worker-src 'self'", `worker-src ${workerSource}`);
        return `<meta http-equiv="Content-Security-Policy" content="${policy}">${script("csp.js").replace(map, "")}`;
      };

      test("a strict Content-Security-Policy", async () => {
        await page("csp.html", strict("'self'"));
        assert.equal(await title("csp.html?workers=2"), expected());
      });

      test("a Content-Security-Policy without 'wasm-unsafe-eval' forbids the module", async () => {
        const policy = strict("'self'").replace(" 'wasm-unsafe-eval'", "");
        await assert.rejects(title(await page("no-wasm.html", policy)), /Content Security Policy/);
      });

      test("a Content-Security-Policy without workers", async () => {
        assert.equal(await title(await page("no-workers.html", strict("'none'"))), expected());
      });

      test("gguf-wasm/init, with the module at another URL", async () => {
        assert.equal(await title(await page("own-path.html", script("own-path.js"))), expected());
      });
    });

    /** The modules that a bundle contains: also those that the module can load. */
    const bundled = [module, ...SHIPPED.filter(({ folder }) => LOADED_BY[module.folder]?.includes(folder))];

    test("Vite: the output contains the module once", async () => {
      await npmScript("vite/bin/vite.js", ["build", "--outDir", "vite-built", "--logLevel", "warn"], project.dir);
      assert.equal((await modules("vite-built")).length, bundled.length);
      assert.equal(await title("vite-built/index.html"), both());
    });
    if (!isLoadedInAllWays(module)) return;

    test("webpack: the output contains the module once", async () => {
      const compiler = webpack({
        mode: "production",
        context: project.dir,
        entry: "./main.js",
        output: { path: join(project.dir, "webpack-built") },
      });
      const stats = await promisify(compiler.run.bind(compiler))();
      await promisify(compiler.close.bind(compiler))();
      assert.deepEqual(stats?.toJson({ all: false, errors: true, warnings: true }).errors, []);
      assert.equal((await modules("webpack-built")).length, bundled.length);
      assert.equal(
        await title(await page("webpack-built/index.html", `<script defer src="main.js"></script>`)),
        both(),
      );
    });

    describe("esbuild", { concurrency: 2 }, () => {
      /**
       * @param {string} entry
       * @param {import("esbuild").Format} format
       */
      async function bundle(entry, format) {
        const { outputFiles } = await esbuild.build({
          absWorkingDir: project.dir,
          entryPoints: [entry],
          bundle: true,
          minify: true,
          write: false,
          format,
          logLevel: "silent",
        });
        return String(outputFiles[0]?.text);
      }

      test("gguf-wasm/init, with the module copied beside the bundle", async () => {
        const path = await page("esbuild-built/index.html", `<script type="module" src="beside.js"></script>`);
        await writeFile(join(project.dir, "esbuild-built/beside.js"), await bundle("beside.js", "esm"));
        for (const { entry, name } of bundled) {
          const file = `${name}_bg.wasm`;
          await cp(join(project.dir, "node_modules", entry, file), join(project.dir, "esbuild-built", file));
        }
        assert.equal(await title(path), expected());
      });

      if (!module.inline) return;
      test("gguf-wasm/inline, in a page that is one file with a classic script", async () => {
        const script = `<script>${await bundle("inline.js", "iife")}</script>`;
        assert.equal(await title(await page("inline.html", script)), expected());
      });
    });
  });
