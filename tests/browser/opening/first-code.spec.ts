/** The code that the first facts of a link need: the page names all of it, and asks for all of it at once. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { DIST, expect, factOf, openUrl, test } from "../support/fixtures.ts";
import { leaveDocument } from "../support/shared-page.ts";
import type { TestServer } from "../support/server.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { PUBLISHED_HEADERS, type PublishedHeader } from "../../support/published-headers.mjs";

const FILE_SIZE = 4_920_739_232;
const [LLAMA] = PUBLISHED_HEADERS as readonly [PublishedHeader];

/** Serves the first bytes of a header only, so that the page asks for nothing that it needs after the first facts. */
function beginning(app: TestServer): string {
  const header = LLAMA.bytes();
  return app.on(`/first-code/${LLAMA.fileName}`, ({ headers }, response) => {
    const [, end] = /^bytes=0-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (end === undefined) return;
    response.writeHead(206, { "content-range": `bytes 0-${end}/${FILE_SIZE}` });
    response.end(header.subarray(0, Number(end) + 1));
  });
}

/** The addresses that a new document asks for. */
async function requestsOf(page: Page): Promise<string[]> {
  await leaveDocument(page);
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

/** The scripts, the styles and the WebAssembly that the page names. */
async function namedByPage(): Promise<string[]> {
  const page = await readFile(join(DIST, "index.html"), "utf8");
  const addresses = [...page.matchAll(/<(?:script|link)\b[^>]*\s(?:src|href)="\.(\/[^"]+\.(?:js|css|wasm))"/g)];
  return [...new Set(addresses.map(([, path = ""]) => path))].sort();
}

async function expectFacts(page: Page): Promise<void> {
  await expect(factOf(page, "Architecture")).toHaveText(LLAMA.architecture);
  await expect(factOf(page, "Context length")).toHaveText(LLAMA.context);
  await expect(factOf(page, "File size")).toHaveText("4.92 GB");
}

test("the first facts need no code that the page itself does not name", async ({ page, app }) => {
  const asked = await requestsOf(page);
  const url = beginning(app);
  await openUrl(page, app, url);
  await expectFacts(page);
  const code = new Set(asked.filter((path) => /\.(?:js|css|wasm)$/.test(path)));
  expect([...code].sort()).toEqual(await namedByPage());
});

test("all code is asked for before the first script of the page has come", async ({ page, app }) => {
  const asked = await requestsOf(page);
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/first-request\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  const opened = openUrl(page, app, beginning(app));
  const named = await namedByPage();
  expect(named.filter((path) => /^\/assets\/(?:index|start|reader)-.*\.js$/.test(path))).toHaveLength(3);
  await expect.poll(() => named.filter((path) => !asked.includes(path))).toEqual([]);
  go();
  await opened;
  await expectFacts(page);
  expect(asked.filter((path) => path.endsWith(".gguf"))).not.toEqual([]);
});

test("the code of the parts that are in view first is asked for beside the main module", async ({ page, app }) => {
  const asked = await requestsOf(page);
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/gguf_wasm_explain_bg-[^/]*\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  await openUrl(page, app, app.file("/models/first-parts.gguf", smallModel()));
  for (const name of ["answers", "will-it-run", "quantization-map"])
    await expect.poll(() => asked.filter((path) => path.startsWith(`/assets/${name}-`)), name).toHaveLength(1);
  await expect(page.locator("gguf-answers")).toHaveCount(0);
  go();
  await expect(page.locator("gguf-answers")).toBeVisible();
});
