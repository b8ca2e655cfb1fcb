import type { Locator, Page } from "@playwright/test";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { fileOf, matrix } from "../support/tensor-files.ts";
import { colour, map } from "../support/values-panel.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

const canvas = (page: Page) => page.locator("gguf-heat-map canvas");
const tip = (page: Page) => page.locator("gguf-heat-map .tip");

/** A matrix in which each element is 100 × its row + its column: row 3, column 7 is 307. */
const numbered = (columns: number, rows: number) =>
  fileOf(matrix("w", columns, rows, (row, column) => row * 100 + column));

async function box(locator: Locator) {
  const found = await locator.boundingBox();
  if (!found) throw new Error(`${locator} is not on the page`);
  return found;
}

/** The middle of a cell, in the coordinates of the page. */
async function middle(page: Page, row: number, column: number, rows: number, columns: number) {
  const { x, y, width, height } = await box(canvas(page));
  return { x: x + ((column + 0.5) / columns) * width, y: y + ((row + 0.5) / rows) * height };
}

for (const [width, height] of [
  [1440, 900],
  [1366, 768],
] as const) {
  test(`at ${width} × ${height} the whole map is visible, and the value is beside the pointer`, async ({
    page,
    app,
  }) => {
    await page.setViewportSize({ width, height });
    await openUrl(page, app, app.file("/heat/numbered.gguf", numbered(64, 64)), "&tensor=w");
    await expect(canvas(page)).toBeVisible();
    const shown = await box(canvas(page));
    expect(shown.y + shown.height).toBeLessThan(height);
    for (const [row, column] of [
      [5, 7],
      [5, 60],
      [60, 7],
      [60, 60],
    ] as const) {
      const at = await middle(page, row, column, 64, 64);
      await page.mouse.move(at.x, at.y);
      await expect(tip(page).locator("b")).toHaveText(String(row * 100 + column));
      await expect(tip(page)).toContainText(`Row ${row} · column ${column}`);
      const beside = await box(tip(page));
      // The value is near the pointer, not below it, and inside of the window.
      const [right, bottom] = [beside.x + beside.width, beside.y + beside.height];
      const [dx, dy] = [Math.max(beside.x - at.x, at.x - right), Math.max(beside.y - at.y, at.y - bottom)];
      expect(Math.max(dx, dy)).toBeGreaterThan(0);
      expect(Math.max(dx, dy)).toBeLessThan(40);
      expect(beside.x).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
      expect(bottom).toBeLessThanOrEqual(height);
    }
    await page.mouse.move(10, 10);
    await expect(tip(page)).toHaveCount(0);
  });
}

test("keys move to a cell, with its value beside it; Escape first hides the value", async ({ page, app }) => {
  await openUrl(page, app, app.file("/heat/keys.gguf", numbered(8, 8)), "&tensor=w");
  await map(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(tip(page).locator("b")).toHaveText("101");
  const cell = await middle(page, 1, 1, 8, 8);
  const beside = await box(tip(page));
  expect(beside.x - cell.x).toBeGreaterThan(0);
  expect(beside.x - cell.x).toBeLessThan(80);
  await expect(page.getByRole("status")).toHaveText("101, Row 1 · column 1");
  await page.keyboard.press("Escape");
  await expect(tip(page)).toHaveCount(0);
  await expect(map(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("treegrid", { name: "Tensors" })).toBeFocused();
});

test.describe(() => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 740 } });
  test("when a finger is lifted, the value stays above its position", async ({ page, app }) => {
    await openUrl(page, app, app.file("/heat/touch.gguf", numbered(64, 64)), "&tensor=w");
    await map(page).scrollIntoViewIfNeeded();
    const at = await middle(page, 30, 40, 64, 64);
    await page.touchscreen.tap(at.x, at.y);
    await expect(tip(page).locator("b")).toHaveText("3040");
    const above = await box(tip(page));
    expect(above.y + above.height).toBeLessThan(at.y - 20);
    expect(above.x).toBeGreaterThanOrEqual(0);
    expect(above.x + above.width).toBeLessThanOrEqual(360);
  });
});

test("the axes are labelled from the first to the last row and column", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(
      matrix("w", 4096, 1000, () => 1),
      matrix("vector", 1000, 1, (_row, column) => column),
    ),
  );
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row", { hasText: "w" }).first().click();
  const axis = (name: string) => page.locator(`gguf-heat-map .${name}-axis`);
  await expect(axis("column").locator(".title")).toHaveText("Column");
  await expect(axis("column").locator(".labels span").first()).toHaveText("0");
  await expect(axis("column").locator(".labels span").last()).toHaveText("4095");
  await expect(axis("row").locator(".title")).toHaveText("Row");
  const labels = await axis("row").locator(".labels span").allInnerTexts();
  expect(labels).toHaveLength(5);
  // A large tensor is sampled. The first rows that are shown are near its start.
  expect(Number(labels[0])).toBeLessThan(20);
  expect(Number(labels[4])).toBeGreaterThan(980);
  // A label is beside its cell.
  const label = await box(axis("row").locator(".labels span").nth(2));
  const shown = await box(canvas(page));
  expect(Math.abs(label.y + label.height / 2 - (shown.y + shown.height / 2))).toBeLessThan(shown.height / 40);

  await page.locator("gguf-tensor-table .row", { hasText: "w" }).first().click();
  await page.locator("gguf-tensor-table .row", { hasText: "vector" }).click();
  await expect(axis("column").locator(".title")).toHaveText("Element");
  await expect(axis("column").locator(".labels span").last()).toHaveText("999");
  await expect(axis("row")).toHaveCount(0);
});

test("the heat map comes before the details, and the name of the tensor stays visible", async ({ page, app }) => {
  await openUrl(page, app, app.file("/heat/sticky.gguf", smallModel()), "&tensor=blk.3.ffn_up.weight");
  await expect(canvas(page)).toBeVisible();
  const detail = page.locator("gguf-tensor-table .detail");
  expect((await box(canvas(page))).y).toBeLessThan((await box(detail.locator("dl"))).y);
  const title = detail.locator(".name-bar");
  await expect(title).toContainText("blk.3.ffn_up.weight");
  await expect(title).toContainText("Q6_K");
  const pane = await box(detail);
  await detail.evaluate((element) => element.scrollBy(0, 500));
  await expect.poll(async () => (await box(canvas(page))).y).toBeLessThan(pane.y);
  // At the top of the pane, and not covered.
  await expect.poll(async () => Math.abs((await box(title)).y - pane.y)).toBeLessThan(2);
  await title.getByRole("button", { name: "Copy name of the tensor" }).click({ trial: true });
});

test("the heat map shows first where the values are large, not the mean of noise", async ({ page, app }) => {
  // Every cell has values of both signs. The mean of each is zero; column 100 has values that are ten times as large.
  const data = fileOf(matrix("w", 512, 512, (row, column) => (row % 2 === 0 ? 1 : -1) * (column === 100 ? 10 : 1)));
  await openUrl(page, app, app.file("/heat/columns.gguf", data), "&tensor=w");
  await expect(page.getByRole("button", { name: "magnitude" })).toHaveAttribute("aria-pressed", "true");
  const at = (column: number) => colour(canvas(page), 20, column, 64, 64);
  await expect.poll(() => at(12)).not.toEqual(await at(20));
  await page.getByRole("button", { name: "mean" }).click();
  await expect.poll(async () => (await at(12)).join() === (await at(20)).join()).toBe(true);
});
