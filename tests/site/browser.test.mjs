// The documentation site in Chromium, in a folder of a static server and with a strict Content-Security-Policy: the search, the theme, and
// what people need who use a keyboard, a screen reader or a small window.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { basename, dirname } from "node:path";
import { chromium } from "@playwright/test";
import axe from "axe-core";
import { serveFolder } from "../support/file-server.mjs";
import { SITE } from "./site.mjs";

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'";
const PAGES = [
  "index.html",
  "guides/values-and-heat-maps.html",
  "format/keys/arch.rope.scaling.type.html",
  "format/checks/gap.html",
];

describe("the documentation site", () => {
  /** @type {import("@playwright/test").Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let server;

  before(async () => {
    browser = await chromium.launch({
      executablePath: process.env["GGUF_CHROMIUM"] || undefined,
      args: ["--no-sandbox"],
    });
    server = await serveFolder(dirname(SITE), { "Content-Security-Policy": POLICY });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /**
   * Opens a page of the site. Errors of the page fail the test.
   *
   * @param {string} path
   * @param {import("@playwright/test").BrowserContextOptions} [options]
   */
  async function open(path, options) {
    const page = await browser.newPage(options);
    /** @type {string[]} */
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(`${server.origin}/${basename(SITE)}/${path}`);
    return { page, problems };
  }

  test("the search finds a key, a check and a guide, and its links lead to them", async () => {
    const { page, problems } = await open("guides/check.html");
    await page.keyboard.press("/");
    await page.keyboard.type("rope scaling type");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "{arch}.rope.scaling.type", exact: true }).click();
    assert.match(await page.title(), /^\{arch\}\.rope\.scaling\.type/);

    for (const [words, found] of [
      ["overlapping-tensors", "overlapping-tensors"],
      ["heat map", "Values and heat maps"],
    ]) {
      await page.goto(`${server.origin}/${basename(SITE)}/search.html?q=${words}`);
      await page
        .getByRole("link", { name: String(found), exact: true })
        .and(page.locator("#results a"))
        .waitFor();
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a chosen theme stays", async () => {
    const { page, problems } = await open("index.html", { colorScheme: "light" });
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(await background(), "rgb(247, 247, 245)");
    await page.getByRole("button", { name: "Dark" }).click();
    await page.reload();
    assert.equal(await background(), "rgb(18, 20, 22)");
    assert.deepEqual(problems, []);
    await page.close();
  });

  for (const [colorScheme, width] of /** @type {const} */ ([
    ["light", 1440],
    ["dark", 400],
  ]))
    test(`pages have no barriers and do not scroll sideways, ${colorScheme}, ${width} px`, async () => {
      for (const path of PAGES) {
        const { page, problems } = await open(path, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path);
        await page.addScriptTag({ content: axe.source });
        const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run());
        assert.deepEqual(
          violations.map((/** @type {any} */ { id, nodes }) => `${path}: ${id}: ${nodes[0].html}`),
          [],
        );
        assert.deepEqual(problems, []);
        await page.close();
      }
    });
});
