// The dense and the comfortable form of the tables, and the bars of the sizes.

import type { Page } from "@playwright/test";
import { expect, openFile, test } from "../support/fixtures.ts";
import { routeHub } from "../support/hub.ts";
import { leaveDocument } from "../support/shared-page.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

const button = (page: Page) => page.getByRole("button", { name: /^Rows: / }).and(page.locator(":visible"));
const rowHeight = async (page: Page, table: string) =>
  (await page.locator(`${table} .row.opens`).nth(2).boundingBox())?.height;

async function showTensors(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /^Tensors/ }).click();
  await expect(page.locator("gguf-tensor-table .row").first()).toBeVisible();
}

async function showMetadata(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /^Metadata/ }).click();
  await expect(page.locator("gguf-metadata-table .row").first()).toBeVisible();
}

test.beforeEach(async ({ page, app }) => {
  // A stored choice is for the tests after this one, too.
  await leaveDocument(page);
  await page.goto(app.origin);
  await page.evaluate(() => localStorage.removeItem("table-rows"));
});
test.afterEach(async ({ page }) => {
  await page.evaluate(() => localStorage.removeItem("table-rows"));
  await leaveDocument(page);
});

test("one switch changes all tables, and is remembered", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await showTensors(page);
  await expect(button(page)).toHaveAccessibleName("Rows: dense. Switch to comfortable");
  expect(await rowHeight(page, "gguf-tensor-table")).toBe(28);
  await button(page).focus();
  await page.keyboard.press("Enter");
  await expect(button(page)).toHaveAccessibleName("Rows: comfortable. Switch to dense");
  await expect.poll(() => rowHeight(page, "gguf-tensor-table")).toBe(46);
  await showMetadata(page);
  await expect.poll(() => rowHeight(page, "gguf-metadata-table")).toBe(46);
  await page.reload();
  await openFile(page, app, smallModel());
  await showMetadata(page);
  await expect(button(page)).toHaveAccessibleName("Rows: comfortable. Switch to dense");
  await button(page).click();
  await expect.poll(() => rowHeight(page, "gguf-metadata-table")).toBe(28);
});

test("tables that show all of their rows follow the switch, on every page", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  const row = page.locator("gguf-details tbody tr").first();
  const height = async (of = row) => Math.round((await of.boundingBox())?.height ?? 0);
  await expect(row).toBeVisible();
  const dense = await height();
  await showTensors(page);
  await button(page).click();
  await page.getByRole("tab", { name: "Summary" }).click();
  await expect.poll(() => height()).toBe(dense + 10);
  // The choice is for a list of files, too.
  await routeHub(page);
  await page.goto(`${app.origin}/#repo=owner/name`);
  const file = page.locator("gguf-repository tbody tr").first();
  await expect(file).toBeVisible();
  const comfortable = await height(file);
  await page.evaluate(() => localStorage.removeItem("table-rows"));
  await page.reload();
  await expect(file).toBeVisible();
  expect(comfortable - (await height(file))).toBe(10);
});

test("the first visible row stays, and an open row too", async ({ page, app }) => {
  await page.setViewportSize({ width: 1280, height: 480 });
  await openFile(page, app, smallModel());
  await showTensors(page);
  const scroller = page.locator("gguf-tensor-table .scroller");
  const firstVisible = () =>
    scroller.evaluate((list) => {
      const top =
        list.getBoundingClientRect().top + (list.querySelector<HTMLElement>("[data-head]")?.offsetHeight ?? 0);
      const rows = [...list.querySelectorAll<HTMLElement>(".row.opens")];
      return rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.querySelector(".name")?.textContent;
    });
  await scroller.evaluate((list) => {
    list.scrollTop = 10 * 28;
  });
  await expect.poll(firstVisible).toBe("blk.3.attn_q.weight");
  const before = await firstVisible();
  await button(page).click();
  await expect.poll(() => rowHeight(page, "gguf-tensor-table")).toBe(46);
  await expect.poll(firstVisible).toBe(before);
  await button(page).click();
  await expect.poll(() => rowHeight(page, "gguf-tensor-table")).toBe(28);
  await expect.poll(firstVisible).toBe(before);
});

test.describe("on a screen for fingers", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("tables are comfortable until a person chooses", async ({ page, app }) => {
    await openFile(page, app, smallModel());
    await showTensors(page);
    await expect(button(page)).toHaveAccessibleName("Rows: comfortable. Switch to dense");
    expect(await rowHeight(page, "gguf-tensor-table")).toBe(68);
    await button(page).tap();
    await expect.poll(() => rowHeight(page, "gguf-tensor-table")).toBe(48);
  });
});

test("the bar of a size is its share of the block, which is also there in words", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await showTensors(page);
  const table = page.locator("gguf-tensor-table");
  const sizes = await table.locator(".row .size").evaluateAll((cells) =>
    (cells as HTMLElement[]).map((cell) => ({
      part: Number.parseFloat(cell.style.getPropertyValue("--part")),
      words: /, (.*)$/.exec(cell.title)?.[1] ?? "",
      text: cell.textContent.trim(),
    })),
  );
  const inBlock = sizes.filter(({ words }) => words.endsWith("of blk.3"));
  expect(inBlock).toHaveLength(3);
  expect(inBlock.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1, 3);
  for (const { text, words } of sizes) expect(text.endsWith(`, ${words}`)).toBe(true);
  const outside = sizes.filter(({ words }) => words.endsWith("outside blocks"));
  expect(outside.map(({ words }) => words)).toEqual(["99.6% outside blocks"]);
  await expect(table.getByRole("columnheader", { name: "Size" }).getByRole("button")).toHaveAttribute(
    "title",
    /share of the tensor in the bytes of its block/,
  );
});
