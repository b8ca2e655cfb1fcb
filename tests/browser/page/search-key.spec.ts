// The key "/".

import type { Page } from "@playwright/test";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { startEditing } from "../support/editing.ts";
import { expect, openFile, test } from "../support/fixtures.ts";
import { editor, templateFile } from "../support/template-panel.ts";

const search = (page: Page, name: string) => page.getByRole("searchbox", { name, exact: true });

/** Takes the focus from every element, so that the body has it. */
const blur = (page: Page) =>
  page.evaluate(() => {
    for (let active = document.activeElement; active; active = active.shadowRoot?.activeElement ?? null)
      (active as HTMLElement).blur();
  });

test("moves the focus to the search of the shown panel, wherever the focus is", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  const fields = [
    { tab: /Metadata/, name: "Search keys, values and tokens" },
    { tab: /Tensors/, name: "Filter tensors by name or role" },
    { tab: "Tokenizer", name: "Search tokens" },
  ];
  for (const { tab, name } of fields) {
    await page.getByRole("tab", { name: tab }).click();
    await page.keyboard.press("/");
    await expect(search(page, name)).toBeFocused();
    await blur(page);
    await page.keyboard.press("/");
    await expect(search(page, name)).toBeFocused();
  }
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.getByRole("button", { name: "Group by block" }).focus();
  await page.keyboard.press("/");
  await expect(search(page, "Filter tensors by name or role")).toBeFocused();
  // A panel without a search.
  await page.getByRole("tab", { name: "Memory" }).click();
  await page.keyboard.press("/");
  await expect(page.getByRole("tab", { name: "Memory" })).toBeFocused();
});

test("is text in fields and in the code editor, and has no meaning with Ctrl", async ({ page, app }) => {
  await startEditing(page, app, templateFile({ "": "x" }));
  await page.getByRole("tab", { name: "Chat template" }).click();
  await editor(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("/");
  await expect(editor(page)).toHaveText("x/");
  await page.getByRole("tab", { name: /Metadata/ }).click();
  const field = search(page, "Search keys, values and tokens");
  await field.fill("a");
  await page.keyboard.press("/");
  await expect(field).toHaveValue("a/");
  await blur(page);
  await page.keyboard.press("Control+/");
  await expect(field).not.toBeFocused();
});

test("in a page of another author, belongs to the viewer only while the focus is in it", async ({ page, app }) => {
  app.file("/models/search-key.gguf", smallModel());
  app.on("/search-key.html", (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><meta charset="utf-8"><title>Theirs</title><link rel="icon" href="data:,">
      <script type="module" src="/viewer.js"></script><button>Theirs</button>
      <gguf-viewer src="/models/search-key.gguf" view="tensors" style="height: 500px"></gguf-viewer>`);
  });
  await page.goto(`${app.origin}/search-key.html`);
  const field = search(page, "Filter tensors by name or role");
  await expect(field).toBeVisible();
  for (const isTheirs of [true, false]) {
    if (isTheirs) await page.getByRole("button", { name: "Theirs" }).focus();
    else await blur(page);
    await page.keyboard.press("/");
    await expect(field).not.toBeFocused();
  }
  await page.getByRole("tab", { name: /Tensors/ }).focus();
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
});
