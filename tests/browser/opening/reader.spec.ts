/** A file is opened with the reader. The main module is loaded while the header is shown. */

import type { Page } from "@playwright/test";
import { expect, expectOpen, factOf, openFile, openUrl, test } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

const MAIN_MODULE = /\/gguf_wasm_explain_bg-[^/]*\.wasm$/;

/** Holds back the main module. Returns a function that lets it go. */
async function holdMainModule(page: Page): Promise<() => void> {
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(MAIN_MODULE, async (route) => {
    await held;
    await route.continue();
  });
  return go;
}

async function expectHeader(page: Page): Promise<void> {
  await expect(page.locator("gguf-identity h2").first()).toHaveText("Tiny Test");
  await expect(factOf(page, "Architecture")).toHaveText("llama");
  await expect(factOf(page, "File size")).toHaveText(/kB|MB|bytes/);
  await expect(factOf(page, "Header size")).toHaveText(/kB|bytes/);
}

test("the header is shown before the main module is loaded, and the panels after it", async ({ page, app }) => {
  const go = await holdMainModule(page);
  await openUrl(page, app, app.file("/models/early.gguf", smallModel()));
  await expectHeader(page);
  const rows = page.locator("gguf-known-header");
  await expect(rows.getByText("general.architecture")).toBeVisible();
  await expect(rows.getByText("token_embd.weight")).toBeVisible();
  await expect(page.getByRole("tab")).toHaveCount(0);
  go();
  await expect(page.getByRole("tab", { name: "Summary" })).toHaveAttribute("aria-selected", "true");
  await expect(rows).toHaveCount(0);
  await expect(factOf(page, "Header size")).toHaveText(/kB|bytes/);
  await expect(page.getByRole("status").first()).toContainText("Tiny Test opened:");
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await expect(page.locator("gguf-tensor-table .row").first()).toBeVisible();
});

test("the header is requested once", async ({ page, app }) => {
  const go = await holdMainModule(page);
  let requests = 0;
  await page.route("**/models/once.gguf", async (route) => {
    requests += 1;
    await route.continue();
  });
  await openUrl(page, app, app.file("/models/once.gguf", smallModel()));
  await expectHeader(page);
  const before = requests;
  go();
  await expect(page.getByRole("tab", { name: /Tensors/ })).toBeVisible();
  expect(requests).toBe(before);
});

test("a local file shows its header in a narrow window, too", async ({ page, app }) => {
  const go = await holdMainModule(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await openFile(page, app, smallModel());
  await expectHeader(page);
  go();
  await expectOpen(page, "model.gguf");
  await expect(page.getByRole("tab", { name: /Summary/ })).toBeVisible();
});

test("while the main module is loaded, opening can be cancelled", async ({ page, app }) => {
  const go = await holdMainModule(page);
  await openFile(page, app, smallModel());
  await expectHeader(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toContainText("Opening was cancelled");
  go();
  await page.getByRole("button", { name: "Open again" }).click();
  await expect(page.getByRole("tab", { name: /Tensors/ })).toBeVisible();
});

test("the reader is loaded first, and a file that is no model needs the reader only", async ({ page, app }) => {
  const go = await holdMainModule(page);
  const modules: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".wasm")) modules.push(request.url());
  });
  await openUrl(page, app, app.file("/models/none.gguf", new TextEncoder().encode("not a model")));
  await expect(page.getByRole("alert")).toBeVisible();
  expect(modules).toHaveLength(1);
  expect(modules[0]).toContain("reader");
  go();
});

test("values, checks with fixes and editing load their modules, and nothing else does", async ({ page, app }) => {
  const modules: string[] = [];
  page.context().on("request", (request) => {
    const [, name] = /\/(gguf_wasm\w*)_bg-[^/]*\.wasm$/.exec(request.url()) ?? [];
    if (name !== undefined) modules.push(name);
  });
  // The file has a chat template, which is reviewed when the page is idle.
  const known = ["gguf_wasm_reader", "gguf_wasm_explain", "gguf_wasm_template"];
  await openUrl(page, app, app.file("/models/need.gguf", smallModel()));
  for (const tab of [/Metadata/, /Tokenizer/, /Memory/, /Summary/]) await page.getByRole("tab", { name: tab }).click();
  await expect.poll(() => modules.toSorted()).toEqual(known.toSorted());
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row").first().click();
  await expect(page.locator("gguf-heat-map canvas").first()).toBeVisible();
  await expect.poll(() => modules.toSorted()).toEqual([...known, "gguf_wasm"].toSorted());
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect.poll(() => modules.toSorted()).toEqual([...known, "gguf_wasm", "gguf_wasm_full"].toSorted());
});
