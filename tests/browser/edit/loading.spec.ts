import { startEditing, bar } from "../support/editing.ts";
import { expect, expectOpen, openFile, test } from "../support/fixtures.ts";
import { chooseFiles } from "../support/local-files.ts";
import { leaveDocument } from "../support/shared-page.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test.use({ expected: /^Failed to load resource/ });

test("the code of edit mode is loaded when editing begins, and not before", async ({ page, app }) => {
  await leaveDocument(page);
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  const isEditMode = (url: string) => /\/assets\/edit-mode-[^/]*\.js$/.test(url);
  await openFile(page, app, smallModel());
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.getByRole("tab", { name: /Checks/ }).click();
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter(isEditMode)).toEqual([]);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(bar(page)).toBeVisible();
  expect(scripts.filter(isEditMode)).toHaveLength(1);
});

test("if the code of edit mode does not load, the page says so and keeps the file", async ({ page, app }) => {
  await page.route(/\/assets\/edit-mode-[^/]*\.js$/, (route) => route.abort());
  await openFile(page, app, smallModel());
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("The editor could not be loaded.");
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);

  await page.unroute(/\/assets\/edit-mode-[^/]*\.js$/);
  await page.reload();
  await startEditing(page, app, smallModel());
});

test("a file that is opened while the editor loads is not edited", async ({ page, app }) => {
  await leaveDocument(page);
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(/gguf_wasm_full_bg/, async (route) => {
    await held;
    await route.continue();
  });
  await openFile(page, app, smallModel(), "first.gguf");
  const asked = page.waitForRequest(/gguf_wasm_full_bg/);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await asked;
  await chooseFiles(page, [{ name: "second.gguf", bytes: smallModel() }]);
  await expectOpen(page, "second.gguf");
  const loaded = page.waitForResponse(/gguf_wasm_full_bg/);
  go();
  await (await loaded).finished();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(bar(page)).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
