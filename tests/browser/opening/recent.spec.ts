import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test("the start page lists recent addresses, the newest first, and each can be removed", async ({ page, app }) => {
  const items = page.getByRole("list", { name: "Recent files" }).getByRole("listitem");
  await page.goto(app.origin);
  await expect(items).toHaveCount(0);
  for (const name of ["first", "second", "first"]) {
    await openUrl(page, app, app.file(`/recent/${name}.gguf`, smallModel()));
    await expectOpen(page, `${name}.gguf`);
  }
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(items).toHaveCount(2);
  await expect(items.first()).toContainText("Tiny Test");
  await expect(items.first()).toContainText("first.gguf · 127.0.0.1");
  await page.reload();
  await items.nth(1).getByRole("link").click();
  await expectOpen(page, "second.gguf");
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(items.first()).toContainText("second.gguf");
  await items.first().getByRole("button", { name: "Remove Tiny Test from this list" }).click();
  await expect(items).toHaveCount(1);
  await items.first().getByRole("button").click();
  await expect(page.getByText("Recent files")).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem("recent"))).toBeNull();
});

test("the sample, local files and signed links are not stored", async ({ page, app }) => {
  await openUrl(page, app, "sample.gguf");
  await expect(page.getByRole("tab", { name: /Tensors/ })).toBeVisible();
  await openUrl(page, app, `${app.file("/recent/signed.gguf", smallModel())}?X-Amz-Signature=abc`);
  await expectOpen(page, "signed.gguf");
  await openFile(page, app, smallModel(), "mine.gguf");
  await expectOpen(page, "mine.gguf");
  expect(await page.evaluate(() => localStorage.getItem("recent"))).toBeNull();
});

test("without storage the page works", async ({ page, app }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "localStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await openUrl(page, app, app.file("/recent/denied.gguf", smallModel()));
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await expect(page.getByRole("heading", { name: "Look inside a GGUF model" })).toBeVisible();
});

test("the copied link opens the same file and row", async ({ page, app, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openUrl(page, app, app.file("/recent/shared.gguf", smallModel()), "&view=tensors");
  await page.locator("gguf-tensor-table .row", { hasText: "blk.1.attn_q" }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("status")).toHaveText("Copied");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const second = await context.newPage();
  await second.goto(link);
  await expect(second.locator("gguf-tensor-table .row.active")).toContainText("blk.1.attn_q");
  await second.close();
  // A local file has no link.
  await openFile(page, app, smallModel(), "mine.gguf");
  await expectOpen(page, "mine.gguf");
  await expect(page.getByRole("button", { name: "Copy link" })).toBeHidden();
});
