import type { Locator } from "@playwright/test";
import { expect, openUrl, test } from "../support/fixtures.ts";
import { beginEditing } from "../support/editing.ts";
import { rowOf, openMetadata } from "../support/metadata-table.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test("a token is found in its array, with its type, and shown among its neighbours", async ({ page, app }) => {
  await openMetadata(page, app, smallModel());
  await rowOf(page, "ggml.tokens").click();
  const array = page.locator("gguf-array-view");
  await expect(array.locator(".row").nth(2)).toContainText("Control");
  const search = array.getByRole("searchbox");
  await search.fill("NEEDLE");
  await expect(array.locator(".row")).toHaveCount(1);
  await expect(array.locator(".count")).toHaveText("1 of 1,000");
  await search.press("Enter");
  await expect(array.locator(".row", { hasText: "Ġneedle" })).toBeVisible();
  await expect(array.locator(".row", { hasText: "tok776" })).toBeVisible();
  await expect(search).toHaveValue("");
  await array.getByRole("spinbutton").fill("123");
  await array.getByRole("spinbutton").press("Enter");
  await expect(array.locator(".row.active")).toContainText("tok123");
});

test("a token of the sample is found among its 32,000", async ({ page, app }) => {
  await openUrl(page, app, "sample.gguf", "&key=tokenizer.ggml.tokens");
  const array = page.locator("gguf-array-view");
  const last = array.locator(".row").first();
  await expect(last).toBeVisible();
  await array.getByRole("spinbutton").fill("31999");
  await array.getByRole("spinbutton").press("Enter");
  const active = array.locator(".row.active");
  await expect(active).toContainText("31999");
  const token = await active.locator(".element").innerText();
  await page.getByRole("searchbox", { name: "Search keys, values and tokens" }).fill(token.trim());
  await expect(rowOf(page, "ggml.tokens")).toContainText(/[\d,]+ match(es)? inside/);
  await array.getByRole("searchbox").fill(token.trim());
  await expect(array.locator(".count")).toHaveText(/^[\d,]+ of 32,000$/);
  await expect(array.locator(".row", { hasText: "31999" })).toBeVisible();
});

for (const edited of [false, true]) {
  test(`“Go to #” brings the element into view, ${edited ? "in edit mode" : "when reading"}`, async ({ page, app }) => {
    await page.setViewportSize({ width: 1280, height: 420 });
    await openMetadata(page, app, smallModel());
    if (edited) await beginEditing(page);
    await rowOf(page, "ggml.tokens").click();
    const array: Locator = page.locator(edited ? "gguf-edit-array" : "gguf-array-view");
    const goTo = array.getByRole("spinbutton", { name: "Go to element number" });
    // The toolbar of the array is at the end of the view, and its elements are below.
    await goTo.evaluate((element) => element.scrollIntoView({ block: "end" }));
    await goTo.fill("900");
    await goTo.press("Enter");
    await expect(array.locator(".row", { hasText: "tok900" })).toBeInViewport({ ratio: 0.9 });
  });
}
