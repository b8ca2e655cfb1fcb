// A plain import of the packed package in frameworks and in the dev servers of bundlers, with no setting. Vite 8 is here always. The
// others are installed from the registry, so they are part of a long run.

import { chromium } from "@playwright/test";
import assert from "node:assert/strict";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createServer as createViteServer } from "vite";
import { ofRun } from "../../support/long.mjs";
import { freePort, withServer } from "../program-server.mjs";
import { createProject, installFromRegistry, run } from "../project.mjs";

/** The text that each page shows when it has opened the sample. */
const DONE = "llama";

const OPEN = `import { Gguf } from "gguf-wasm";
export const show = () => Gguf.open(new URL("/sample.gguf", location.href)).then(
  (gguf) => { document.title = gguf.architecture; },
  (error) => { document.title = "failed: " + error.message; },
);
`;

/** The files of a project of Vite. @type {Record<string, string>} */
const VITE = {
  "open.js": OPEN,
  "plain.html": `<!doctype html><title></title><script type="module" src="./plain-import.js"></script>`,
  "plain-import.js": `import { show } from "./open.js"; show();`,
};

/** The bytes of an empty GGUF file, for code that runs on a server. */
const EMPTY = `new Uint8Array(["G", "G", "U", "F"].map((c) => c.charCodeAt(0)).concat(3, Array(19).fill(0)))`;

/** The files of a project of Next.js: a client component, a server component and a route handler. @type {Record<string, string>} */
const NEXT = {
  "open.js": OPEN,
  "app/layout.js": `export default ({ children }) => <html><body>{children}</body></html>;`,
  "app/page.js": `"use client";
import { useEffect } from "react";
import { show } from "../open.js";
export default function Page() { useEffect(() => void show(), []); return <p>page</p>; }`,
  "app/server/page.js": `import { Gguf } from "gguf-wasm";
export const dynamic = "force-dynamic";
export default async () => <p>{\`version \${(await Gguf.open(${EMPTY})).version}\`}</p>;`,
  "app/route/route.js": `import { Gguf } from "gguf-wasm";
export const dynamic = "force-dynamic";
export const GET = async () => Response.json({ version: (await Gguf.open(${EMPTY})).version });`,
};

/** The files of a project of SvelteKit: a page that a server renders, and an endpoint. @type {Record<string, string>} */
const SVELTEKIT = {
  "vite.config.js": `import { sveltekit } from "@sveltejs/kit/vite";
export default { plugins: [sveltekit()] };`,
  "svelte.config.js": `import adapter from "@sveltejs/adapter-node";
export default { kit: { adapter: adapter() } };`,
  "src/app.html": `<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>`,
  "src/open.js": OPEN,
  "src/routes/+page.svelte": `<script>
  import { onMount } from "svelte";
  import { show } from "../open.js";
  onMount(() => void show());
</script>
<p>page</p>`,
  "src/routes/server/+server.js": `import { Gguf } from "gguf-wasm";
export const GET = async () => Response.json({ version: (await Gguf.open(${EMPTY})).version });`,
};

/** The files of a project of Nuxt: a page that a server renders, and a route of the server. @type {Record<string, string>} */
const NUXT = {
  "nuxt.config.ts": `export default { telemetry: false, compatibilityDate: "2026-11-01" };`,
  "open.js": OPEN,
  "app/app.vue": `<script setup>
import { onMounted } from "vue";
import { show } from "../open.js";
onMounted(() => void show());
</script>
<template><p>page</p></template>`,
  "server/routes/server.js": `import { Gguf } from "gguf-wasm";
import { defineEventHandler } from "h3";
export default defineEventHandler(async () => ({ version: (await Gguf.open(${EMPTY})).version }));`,
};

/** @type {import("@playwright/test").Browser} */
let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.GGUF_CHROMIUM || undefined });
});
after(() => browser?.close());

/** Opens a page, which sets its title when it is done. @param {string} url */
async function title(url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  try {
    const failed = new Promise((_, reject) => page.on("pageerror", reject));
    failed.catch(() => {});
    await page.goto(url);
    await Promise.race([page.waitForFunction(() => document.title !== ""), failed]);
    return await page.title();
  } finally {
    await page.close();
  }
}

/** A project with files and packages of the registry. @param {Record<string, string>} files @param {string[]} packages */
async function projectWith(files, packages = []) {
  const project = await createProject();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(project.dir, name)), { recursive: true });
    await writeFile(join(project.dir, name), text);
  }
  if (packages.length > 0) await installFromRegistry(project.dir, packages);
  return project;
}

test("Vite 8: the dev server", async () => {
  const project = await projectWith(VITE);
  const server = await createViteServer({
    root: project.dir,
    configFile: false,
    logLevel: "error",
    server: { port: await freePort(), strictPort: true },
  });
  try {
    await server.listen();
    assert.equal(await title(`${server.resolvedUrls?.local[0]}plain.html`), DONE);
  } finally {
    await server.close();
    // Vite has set it, and the programs below would take it over.
    delete process.env.NODE_ENV;
    await project.remove();
  }
});

describe("in a long run", { skip: ofRun(/** @type {string | boolean} */ ("only in a long run"), false) }, () => {
  test("Vite 7: the dev server and the production build", async () => {
    const project = await projectWith(VITE, ["vite@7"]);
    const vite = join(project.dir, "node_modules/vite/bin/vite.js");
    await withServer(
      project.dir,
      (port) => [vite, "--port", String(port), "--strictPort"],
      async (origin) => assert.equal(await title(`${origin}/plain.html`), DONE),
    );
    await run(process.execPath, [vite, "build", "--logLevel", "warn"], project.dir);
    await project.remove();
  });

  for (const bundler of ["--turbopack", "--webpack"])
    test(`Next.js 16 with ${bundler}: in development and in production`, async () => {
      const project = await projectWith(NEXT, ["next@16", "react@19", "react-dom@19"]);
      await mkdir(join(project.dir, "public"));
      await copyFile(join(project.dir, "sample.gguf"), join(project.dir, "public/sample.gguf"));
      const next = join(project.dir, "node_modules/next/dist/bin/next");
      /** @param {string} origin */
      const check = async (origin) => {
        assert.deepEqual(await (await fetch(`${origin}/route`)).json(), { version: 3 });
        assert.match(await (await fetch(`${origin}/server`)).text(), /version 3/);
        assert.equal(await title(origin), DONE);
      };
      await withServer(project.dir, (port) => [next, "dev", bundler, "-p", String(port)], check);
      await run(process.execPath, [next, "build", bundler], project.dir);
      await withServer(project.dir, (port) => [next, "start", "-p", String(port)], check);
      await project.remove();
    });

  const vite = "node_modules/vite/bin/vite.js";
  const nuxt = "node_modules/nuxt/bin/nuxt.mjs";
  /** How a framework runs in development, is built, and runs in production. */
  const META = [
    {
      // Version 3 needs Node.js 22.
      name: "SvelteKit 2",
      files: SVELTEKIT,
      packages: ["@sveltejs/kit@2", "@sveltejs/adapter-node@5", "@sveltejs/vite-plugin-svelte@6", "svelte@5", "vite@7"],
      assets: "static",
      dev: (/** @type {number} */ port) => [vite, "dev", "--port", String(port), "--strictPort"],
      build: [vite, "build", "--logLevel", "warn"],
      start: "build/index.js",
    },
    {
      name: "Nuxt 4",
      files: NUXT,
      packages: ["nuxt@4", "vue@3"],
      assets: "public",
      dev: (/** @type {number} */ port) => [nuxt, "dev", "--port", String(port)],
      build: [nuxt, "build"],
      start: ".output/server/index.mjs",
    },
  ];

  for (const { name, files, packages, assets, dev, build, start } of META)
    test(`${name}: in development and in production`, async () => {
      const project = await projectWith(files, packages);
      await mkdir(join(project.dir, assets));
      await copyFile(join(project.dir, "sample.gguf"), join(project.dir, assets, "sample.gguf"));
      /** @param {string} origin */
      const check = async (origin) => {
        assert.deepEqual(await (await fetch(`${origin}/server`)).json(), { version: 3 });
        assert.match(await (await fetch(origin)).text(), /page/);
        assert.equal(await title(origin), DONE);
      };
      await withServer(project.dir, dev, check);
      await run(process.execPath, build, project.dir);
      await withServer(project.dir, () => [start], check);
      await project.remove();
    });
});
