// The elements in a client component of Next.js, which its server renders. Only in a long run: npm installs the framework first.

import { chromium } from "@playwright/test";
import assert from "node:assert/strict";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { withServer } from "../program-server.mjs";
import { npm, run } from "../project.mjs";
import { works } from "./works.mjs";

const PACKAGE = fileURLToPath(new URL("../../../pkg-viewer/", import.meta.url));

const folder = await temporaryFolder();

describe("Next.js 16", { skip: ofRun(/** @type {string | boolean} */ ("only in a long run"), false) }, () => {
  /** @type {import("@playwright/test").Browser} */
  let browser;
  before(async () => {
    await cp(new URL("next/", import.meta.url), folder, { recursive: true });
    await mkdir(join(folder, "public"));
    await writeFile(join(folder, "public/model.gguf"), smallModel());
    await writeFile(join(folder, "public/icon.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const guide = await readFile(new URL("../../../docs/site/guides/embed-the-viewer.md", import.meta.url), "utf8");
    const [, page = ""] = /^```jsx\n(.*?)^```$/ms.exec(guide) ?? [];
    await mkdir(join(folder, "app/guide"));
    await writeFile(join(folder, "app/guide/page.jsx"), page);
    await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    await npm(["install", "--no-audit", "--no-fund", "next@16", "react@19", "react-dom@19"], folder);
    await cp(PACKAGE, join(folder, "node_modules/gguf-wasm-viewer"), { recursive: true });
    browser = await chromium.launch({ executablePath: process.env.GGUF_CHROMIUM || undefined, args: ["--no-sandbox"] });
  });
  after(() => browser?.close());

  /** @param {string} origin */
  async function check(origin) {
    const rendered = await (await fetch(origin)).text();
    assert.match(rendered, /<gguf-viewer src="\/model\.gguf" editable=""><\/gguf-viewer>/);
    await works(browser, origin);
    const page = await browser.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.setDefaultTimeout(60_000);
    await page.goto(`${origin}/small`);
    await page.locator("h1", { hasText: "3 open; unknown-tensor" }).waitFor();
    await page.locator("gguf-summary gguf-details").waitFor();
    await page.locator("gguf-tensor gguf-heat-map canvas").first().waitFor();
    await page.locator("gguf-memory").getByText("of 16.0 GiB").first().waitFor();
    // The page of the guide.
    await page.goto(`${origin}/guide`);
    await page.locator("h1", { hasText: "Tiny Test" }).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  }

  for (const bundler of ["--turbopack", "--webpack"])
    test(`with ${bundler}: in development and in production`, async () => {
      const next = join(folder, "node_modules/next/dist/bin/next");
      await rm(join(folder, ".next"), { recursive: true, force: true });
      await withServer(folder, (port) => [next, "dev", bundler, "-p", String(port)], check);
      await run(process.execPath, [next, "build", bundler], folder);
      await withServer(folder, (port) => [next, "start", "-p", String(port)], check);
    });
});
