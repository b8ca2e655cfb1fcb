/** The code of panels: when it is loaded, and what the page says if it does not load. */

import type { Page } from "@playwright/test";
import { startEditing } from "../support/editing.ts";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { leaveDocument } from "../support/shared-page.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { showTool } from "../support/tools.ts";

/** The addresses of scripts that a new document loads. */
async function scriptsOf(page: Page): Promise<string[]> {
  // A pointer that an earlier test has left on a tab would load its panel.
  await page.mouse.move(0, 0);
  await leaveDocument(page);
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
  });
  return scripts;
}

const isCodeOf = (name: string) => (path: string) => path.startsWith(`/assets/${name}-`);

test("a panel is loaded when it is first shown, or when the pointer is on its tab", async ({ page, app }) => {
  const scripts = await scriptsOf(page);
  await openUrl(page, app, "sample.gguf", "&view=metadata");
  await expectOpen(page, "sample.gguf");
  await expect(page.locator("gguf-metadata-table .row").first()).toBeVisible();
  expect(scripts.filter(isCodeOf("metadata-table"))).toHaveLength(1);
  for (const name of ["tensor-table", "graph", "tokenizer", "memory", "checks", "compare", "convert", "hash"])
    expect(scripts.filter(isCodeOf(name)), name).toEqual([]);

  await page.getByRole("tab", { name: "Memory" }).hover();
  await expect.poll(() => scripts.filter(isCodeOf("memory"))).toHaveLength(1);
  await expect(page.locator("gguf-memory-panel")).toHaveCount(0);

  await showTool(page, "Hash");
  await expect(page.locator("gguf-hash").getByRole("button").first()).toBeVisible();
  expect(scripts.filter(isCodeOf("hash"))).toHaveLength(1);
});

test("a panel that a link names is loaded while the header is read", async ({ page, app }) => {
  const scripts = await scriptsOf(page);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    app.on("/models/slow.gguf", async (_request, response) => {
      resolve();
      await new Promise<void>((next) => (answer = next));
      response.writeHead(200).end(smallModel());
    });
  });
  await openUrl(page, app, "models/slow.gguf", "&view=tensors");
  await asked;
  await expect.poll(() => scripts.filter(isCodeOf("tensor-table"))).toHaveLength(1);
  await expect(page.getByRole("progressbar", { name: "Header read" })).toBeVisible();
  answer();
  await expect(page.locator("gguf-tensor-table .row").first()).toBeVisible();
});

test("while a panel is loaded, its place shows that; the row that a link names is shown then", async ({
  page,
  app,
}) => {
  let answer = () => {};
  await page.route(/\/assets\/tensor-table-/, async (route) => {
    await new Promise<void>((next) => (answer = next));
    await route.continue();
  });
  await openUrl(page, app, "sample.gguf", "&view=tensors&tensor=token_embd.weight");
  await expectOpen(page, "sample.gguf");
  await expect(page.getByRole("progressbar", { name: "The Tensors panel is loading" })).toBeVisible();
  answer();
  const row = page.locator("gguf-tensor-table .row", { hasText: "token_embd.weight" }).first();
  await expect(row).toHaveAttribute("aria-expanded", "true");
});

test("the key / moves the focus to the search of a panel that is being loaded", async ({ page, app }) => {
  let answer = () => {};
  await page.route(/\/assets\/tensor-table-/, async (route) => {
    await new Promise<void>((next) => (answer = next));
    await route.continue();
  });
  await openFile(page, app, smallModel());
  await expectOpen(page, "model.gguf");
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await expect(page.getByRole("progressbar", { name: "The Tensors panel is loading" })).toBeVisible();
  await page.keyboard.press("/");
  answer();
  await expect(page.getByRole("searchbox", { name: "Filter tensors by name or role" })).toBeFocused();
});

test("a panel that is loaded after its file was closed does nothing", async ({ page, app }) => {
  let answer = () => {};
  await page.route(/\/assets\/tensor-table-/, async (route) => {
    await new Promise<void>((next) => (answer = next));
    await route.continue();
  });
  await openFile(page, app, smallModel());
  await page.locator("gguf-viewer").evaluate((viewer) => {
    // The viewer is outside of the document when the code arrives.
    const detail = { filter: "weight" };
    const summary = viewer.shadowRoot?.querySelector("gguf-summary-panel");
    summary?.dispatchEvent(new CustomEvent("gguf-show-tensors", { detail, bubbles: true, composed: true }));
    Object.assign(window, { viewer });
  });
  await expect(page.getByRole("progressbar", { name: "The Tensors panel is loading" })).toBeVisible();
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(page.locator("gguf-viewer")).toHaveCount(0);
  answer();
  // It is shown in the viewer nevertheless. The page has no error.
  await page.waitForFunction(() =>
    (window as unknown as { viewer: Element }).viewer.shadowRoot?.querySelector("gguf-tensor-table"),
  );
});

test.describe("a panel that does not load", () => {
  test.use({ expected: /^Failed to load resource/ });

  test("says so, and loads when a person tries again", async ({ page, app }) => {
    await page.route(/\/assets\/tensor-table-/, (route) => route.abort());
    await openFile(page, app, smallModel());
    await expectOpen(page, "model.gguf");
    await page.getByRole("tab", { name: /Tensors/ }).click();
    const message = page.getByRole("alert");
    await expect(message).toContainText("The Tensors panel could not be loaded. Check the connection, and try again.");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(message).toBeVisible();
    await page.unroute(/\/assets\/tensor-table-/);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.locator("gguf-tensor-table .row").first()).toBeVisible();
    await expect(message).toHaveCount(0);
  });

  test("leaves the other panels and edit mode as they are", async ({ page, app }) => {
    await page.route(/\/assets\/memory-/, (route) => route.abort());
    await startEditing(page, app, smallModel());
    await page.getByRole("tab", { name: "Memory" }).click();
    await expect(page.getByRole("alert")).toContainText("The Memory panel could not be loaded.");
    await page.getByRole("tab", { name: /Metadata/ }).click();
    await expect(page.locator("gguf-metadata-table .row").first()).toBeVisible();
  });
});
