// The element in pages that Vite builds with React, Vue and Svelte, and in its development server. Only in a long run: npm installs the
// frameworks first.

import { chromium } from "@playwright/test";
import assert from "node:assert/strict";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serveFolder } from "../../support/file-server.mjs";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { npm, run } from "../project.mjs";
import { works } from "./works.mjs";

const PACKAGE = fileURLToPath(new URL("../../../pkg-viewer/", import.meta.url));

for (const frameworks of ofRun([], [["react", "vue", "svelte"]])) {
  const folder = await temporaryFolder();

  describe("frameworks", () => {
    /** @type {import("@playwright/test").Browser} */
    let browser;
    before(async () => {
      await cp(new URL("frameworks/", import.meta.url), folder, { recursive: true });
      await npm(["ci", "--no-audit", "--no-fund"], folder);
      await cp(PACKAGE, join(folder, "node_modules/gguf-wasm-viewer"), { recursive: true });
      for (const framework of frameworks) {
        await mkdir(join(folder, framework, "public"));
        await writeFile(join(folder, framework, "public/model.gguf"), smallModel());
        await writeFile(join(folder, framework, "public/icon.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
      }
      browser = await chromium.launch({
        executablePath: process.env.GGUF_CHROMIUM || undefined,
        args: ["--no-sandbox"],
      });
    });
    after(() => browser?.close());

    /** @param {string} script @param {string[]} args */
    const program = (script, ...args) => run(process.execPath, [join("node_modules", script), ...args], folder);

    test("its types check in the templates of each framework", async () => {
      await program("vue-tsc/bin/vue-tsc.js", "-p", "tsconfig.json");
      await program("svelte-check/bin/svelte-check", "--workspace", "svelte", "--tsconfig", "./tsconfig.json");
    });

    for (const framework of frameworks) {
      test(`${framework}: a built page`, async () => {
        await program("vite/bin/vite.js", "build", framework, "--config", "vite.config.js");
        if (framework === "react") await renderOnServer();
        const { origin, close } = await serveFolder(join(folder, framework, "dist"));
        try {
          await works(browser, `${origin}/index.html`);
        } finally {
          await close();
        }
      });

      test(`${framework}: the development server`, async () => {
        const { createServer } = await import(join(folder, "node_modules/vite/dist/node/index.js"));
        const configFile = join(folder, "vite.config.js");
        const options = { root: join(folder, framework), configFile, logLevel: "error", base: "/" };
        const server = await createServer({ ...options, server: { port: 0, host: "127.0.0.1" } });
        try {
          await server.listen();
          const { port } = server.httpServer.address();
          // React makes what its server renders the page's own. Here, it was not rendered.
          await works(browser, `http://127.0.0.1:${port}/`, framework === "react" ? /hydrat/i : undefined);
        } finally {
          await server.close();
        }
      });
    }

    /** The page with what the server renders. */
    async function renderOnServer() {
      const args = ["build", "react", "--ssr", "server.tsx", "--outDir", "ssr", "--config", "vite.config.js"];
      await program("vite/bin/vite.js", ...args);
      const rendered = await run(process.execPath, [join("react/ssr/server.js")], folder);
      assert.match(rendered, /<gguf-viewer src="\/model\.gguf" editable=""><\/gguf-viewer>/);
      const page = join(folder, "react/dist/index.html");
      await writeFile(page, (await readFile(page, "utf8")).replace("<!--app-->", rendered));
    }
  });
}
