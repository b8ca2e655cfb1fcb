// A million differences: only the visible rows are in the document and are read.

import { expect, test } from "../support/fixtures.ts";
import { entryTable, openPair, panel, rowOf } from "../support/compare-panel.ts";
import { ggufBytes, uint32 } from "../../support/gguf-bytes.mjs";

const COUNT = 1_000_000;

/** A file with a million entries. */
const manyEntries = (shift: number) =>
  ggufBytes(Array.from({ length: COUNT }, (_, i) => [`k.${i}`, uint32(i + shift)] as const));

test.describe.configure({ timeout: 240_000 });

test("a million entries that differ are listed, searched and reached at the end", async ({ page, app }) => {
  await openPair(page, app, manyEntries(0), manyEntries(1));
  await expect(panel(page)).toContainText("Metadata: 1,000,000 changed, 0 equal.");
  const rows = entryTable(page).locator(".row");
  await expect(rowOf(page, "k.0").first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(80);
  await entryTable(page).locator(".scroller").focus();
  await page.keyboard.press("End");
  await expect(rowOf(page, "k.999999")).toBeVisible();
  expect(await rows.count()).toBeLessThan(80);
  await page.getByRole("searchbox", { name: "Filter entries" }).fill("k.77777");
  await expect(entryTable(page).locator(".count")).toHaveText("11 of 1,000,000", { timeout: 90_000 });
  expect(await rows.count()).toBe(11);
});
