// A million differences in a long run: only the visible rows are in the document and are read.

import { expect, test } from "../support/fixtures.ts";
import { entryTable, openPair, panel, rowOf } from "../support/compare-panel.ts";
import { ggufBytes, uint32 } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";

const COUNT = ofRun(50_000, 1_000_000);

/** A file with many entries. */
const manyEntries = (shift: number) =>
  ggufBytes(Array.from({ length: COUNT }, (_, i) => [`k.${i}`, uint32(i + shift)] as const));

test.describe.configure({ timeout: 240_000 });

test("very many entries that differ are listed, searched and reached at the end", async ({ page, app }) => {
  await openPair(page, app, manyEntries(0), manyEntries(1));
  await expect(panel(page)).toContainText(`Metadata: ${COUNT.toLocaleString("en")} changed, 0 equal.`);
  const rows = entryTable(page).locator(".row");
  await expect(rowOf(page, "k.0").first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(80);
  await entryTable(page).locator(".scroller").focus();
  await page.keyboard.press("End");
  await expect(rowOf(page, `k.${COUNT - 1}`)).toBeVisible();
  expect(await rows.count()).toBeLessThan(80);
  await page.getByRole("searchbox", { name: "Filter entries" }).fill(`k.${COUNT / 10 - 1}`);
  await expect(entryTable(page).locator(".count")).toHaveText(`11 of ${COUNT.toLocaleString("en")}`, {
    timeout: 90_000,
  });
  expect(await rows.count()).toBe(11);
});
