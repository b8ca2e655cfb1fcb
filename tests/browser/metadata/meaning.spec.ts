import { expect, test } from "../support/fixtures.ts";
import { rowOf, table, openMetadata } from "../support/metadata-table.ts";
import { miniLm } from "../support/model-files.ts";
import { uint32 } from "../../support/gguf-bytes.mjs";

test("a row has the title of its key, and an open row its meaning", async ({ page, app }) => {
  await openMetadata(page, app, miniLm());
  const row = rowOf(page, "bert.context_length");
  await expect(row.getByRole("rowheader")).toHaveAccessibleName(/bert\.context_length\s*, Context length/);
  await row.click();
  const detail = page.locator(`${table} .detail`);
  await expect(detail.getByRole("heading", { name: "Context length" })).toBeVisible();
  await expect(detail).toContainText("UINT32");
  await expect(detail).toContainText("tokens");
  await expect(detail).toContainText("llama.cpp");
  await expect(detail).toContainText(/Required by\s+llama\.cpp, for bert/);
});

test("named values are shown by name, with their meaning in the open row", async ({ page, app }) => {
  await openMetadata(page, app, miniLm([["general.file_type", uint32(15 + 1024)]]));
  await expect(rowOf(page, "general.file_type").locator(".value")).toHaveText("1039 · Q4_K_M, guessed");
  await expect(rowOf(page, "bos_token_id").locator(".value")).toHaveText("1 · tok1");
  const pooling = rowOf(page, "bert.pooling_type");
  await expect(pooling.locator(".value")).toHaveText("1 · Mean");
  await pooling.click();
  const detail = page.locator(`${table} .detail`);
  await expect(detail).toContainText("1 · Mean: The average of all vectors stands for the text.");
  await expect(detail.locator(".values li")).toContainText(["0 · None", "1 · Mean", "2 · CLS", "3 · Last", "4 · Rank"]);
  await expect(detail.locator("[aria-current]")).toContainText("Mean");
});

test("nothing is invented about a key that is not known", async ({ page, app }) => {
  await openMetadata(page, app, miniLm());
  await page.getByRole("searchbox", { name: "Search keys, values and tokens" }).fill("own.key");
  await expect(page.locator(`${table} .section`)).toHaveText(/^\s*Other keys\s*1\s*$/);
  await rowOf(page, "own.key").click();
  await expect(page.locator(`${table} .detail`)).toContainText("This key is not known.");
  await expect(page.locator(`${table} .detail h3`)).toHaveCount(0);
});

test("a section is collapsed, and the address keeps it", async ({ page, app }) => {
  await openMetadata(page, app, miniLm());
  const model = page.locator(`${table} .section`, { hasText: "Model" }).first();
  await expect(model).toHaveAttribute("aria-expanded", "true");
  await model.click();
  await expect(model).toHaveAttribute("aria-expanded", "false");
  await expect(rowOf(page, "bert.context_length")).toHaveCount(0);
  await expect(page).toHaveURL(/metadata\.closed=Model/);
  await page.keyboard.press("ArrowRight");
  await expect(rowOf(page, "bert.context_length")).toBeVisible();
  await expect(page).not.toHaveURL(/metadata\.closed/);
});

test("a narrow table has the titles, too", async ({ page, app }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await openMetadata(page, app, miniLm());
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await expect(rowOf(page, "bert.pooling_type")).toContainText("Pooling");
});
