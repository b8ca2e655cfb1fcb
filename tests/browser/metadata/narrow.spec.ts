import type { Page } from "@playwright/test";
import { expect, openUrl, test } from "../support/fixtures.ts";
import { answerWithZeros, largeModel } from "../support/large-model.ts";

const table = (page: Page) => page.locator("gguf-metadata-table");
const heading = (page: Page, name: string) => table(page).getByRole("row", { name: new RegExp(`^${name}`) });

/** The distances between the rows that are in the document, without open details. */
function gaps(page: Page): Promise<number[]> {
  return table(page)
    .locator(".row")
    .evaluateAll((rows) => {
      const boxes = rows.map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top);
      return boxes.slice(1).map(({ top }, at) => Math.round(top - (boxes[at]?.bottom ?? NaN)));
    });
}

test("on a phone the sections have headings that are lower than the rows, and close", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openUrl(page, app, app.on("/models/sections.gguf", answerWithZeros(largeModel())), "&view=metadata");
  await expect(heading(page, "General")).toBeVisible();
  expect((await heading(page, "General").boundingBox())?.height).toBe(30);
  expect(new Set(await gaps(page))).toEqual(new Set([0]));
  // The last row ends where the list ends.
  const scroller = table(page).getByRole("treegrid");
  await scroller.focus();
  await page.keyboard.press("End");
  const last = table(page).locator(".row.active");
  await expect(last).toHaveAttribute("aria-rowindex", (await scroller.getAttribute("aria-rowcount")) ?? "");
  await expect
    .poll(async () => {
      const [row, list] = [await last.boundingBox(), await scroller.boundingBox()];
      return row && list && Math.round(list.y + list.height - row.y - row.height);
    })
    .toBe(0);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await expect(heading(page, "General")).toHaveAttribute("aria-expanded", "false");
  await expect(table(page).locator(".row", { hasText: "general.architecture" })).toHaveCount(0);
  expect(new Set(await gaps(page))).toEqual(new Set([0]));
  // In a wide window the headings are as high as the rows.
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect.poll(async () => (await heading(page, "General").boundingBox())?.height).toBe(28);
  expect(new Set(await gaps(page))).toEqual(new Set([0]));
});
