import { expect, openUrl, test } from "../support/fixtures.ts";
import { fileOf, matrix } from "../support/tensor-files.ts";
import { detail, map, shownValues, wave } from "../support/values-panel.ts";
import { sendRange } from "../support/server.ts";

test("the strip of a block reads visible tensors only, and a click shows a tensor", async ({ page, app }) => {
  const count = 24;
  const data = fileOf(
    ...Array.from({ length: count }, (_, i) => matrix(`blk.0.part_${i}.weight`, 64, 64, (row) => row * i)),
    matrix("blk.1.other.weight", 64, 64, wave),
  );
  const size = 64 * 64 * 4;
  const first = data.length - (count + 1) * size;
  const read = new Set<number>();
  const url = app.on("/values/strip.gguf", (request, response) => {
    const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    if (start >= first) read.add(Math.floor((start - first) / size));
    sendRange(request, response, data, "application/octet-stream");
  });
  await openUrl(page, app, url, "&tensor=blk.0.part_0.weight");
  const strip = page.locator("gguf-tensor-strip");
  await expect(map(page)).toBeVisible();
  await shownValues(page);
  await page.waitForTimeout(300);
  // The strip is below the visible part.
  expect([...read]).toEqual([0]);
  await strip.scrollIntoViewIfNeeded();
  await expect(strip.locator("h4")).toHaveText(/Block\s+blk\.0\s+24 tensors/);
  await expect(strip.locator("canvas").nth(3)).toBeVisible();
  await page.waitForTimeout(500);
  expect(read.size).toBeGreaterThan(3);
  expect(read.size).toBeLessThan(count / 2);
  const last = strip.getByRole("button", { name: /part_23/ });
  await last.scrollIntoViewIfNeeded();
  await expect.poll(() => read.has(23)).toBe(true);
  expect(read.has(12)).toBe(false);
  await last.click();
  await expect(page.locator("gguf-tensor-table .detail .name-bar")).toContainText("blk.0.part_23.weight");
  await expect(strip.locator("[aria-current=true]")).toContainText("part_23.weight");
  await expect(page).toHaveURL(/tensor=blk\.0\.part_23\.weight/);
  await expect(detail(page)).toHaveCount(1);
});
