// The package as users have it: packed, installed into an empty project, and run in each environment.

import { chromium } from "@playwright/test";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { serveFolder } from "../support/file-server.mjs";
import { createProject, npmScript, run } from "./project.mjs";

/** @type {ReturnType<typeof createProject>} */
let project;
before(() => {
  project = createProject();
});
after(() => project?.remove());

describe("in Node.js", () => {
  /** @param {string} code */
  const node = (code) => run(process.execPath, ["--input-type=module", "--eval", code], project.dir).trim();

  test("it works once it is imported", () => {
    assert.equal(
      node(`import * as api from "gguf-wasm"; console.log(await (await import("./check.js")).check(api));`),
      "works",
    );
  });

  test("gguf-wasm/init works once it is given the module", () => {
    const code = `
      import * as api from "gguf-wasm/init";
      import { check } from "./check.js";
      import { readFileSync } from "node:fs";
      import { fileURLToPath } from "node:url";
      const path = fileURLToPath(import.meta.resolve("gguf-wasm/gguf_wasm_bg.wasm"));
      const { memory } = api.initSync(readFileSync(path));
      console.log(memory instanceof WebAssembly.Memory, await check(api));
    `;
    assert.equal(node(code), "true works");
  });
});

describe("in TypeScript", () => {
  for (const module of ["nodenext", "preserve"]) {
    test(`its types check with strict, skipLibCheck: false and module: ${module}`, () => {
      const resolution = module === "preserve" ? ["--moduleResolution", "bundler"] : [];
      const options = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2022"];
      const lib = ["--lib", "es2022,dom,dom.iterable,dom.asynciterable"];
      npmScript(
        "typescript/bin/tsc",
        [...options, ...lib, "--module", module, ...resolution, "reading.ts"],
        project.dir,
      );
    });
  }
});

describe("in Chromium", () => {
  /** @type {import("@playwright/test").Browser} */
  let browser;
  before(async () => {
    browser = await chromium.launch({
      executablePath: process.env.GGUF_CHROMIUM || undefined,
      args: ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
    });
  });
  after(() => browser?.close());

  /**
   * Opens a page below `root`, which sets its title when it is done.
   *
   * @param {string} root
   * @param {string} path
   */
  async function title(root, path) {
    const server = await serveFolder(root);
    const page = await browser.newPage();
    try {
      const failed = new Promise((_, reject) => page.on("pageerror", reject));
      await page.goto(`${server.origin}/${path}`);
      await Promise.race([page.waitForFunction(() => document.title !== ""), failed]);
      return await page.title();
    } finally {
      await page.close();
      await server.close();
    }
  }

  test("a plain module script works", async () => {
    assert.equal(await title(project.dir, "plain-main.html"), "works");
  });

  test("gguf-wasm/init works with the module elsewhere", async () => {
    assert.equal(await title(project.dir, "plain-own-path.html"), "works");
  });

  test("a Vite build works, and contains the module once", async () => {
    npmScript("vite/bin/vite.js", ["build", "--base", "./", "--logLevel", "warn"], project.dir);
    const dist = join(project.dir, "dist");
    const modules = readdirSync(dist, { recursive: true }).filter((name) => String(name).endsWith(".wasm"));
    assert.equal(modules.length, 1, modules.join());
    assert.equal(await title(dist, "index.html"), "works");
  });
});
