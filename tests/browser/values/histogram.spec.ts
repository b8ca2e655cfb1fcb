import { expect, openFile, test } from "../support/fixtures.ts";
import { fileOf, matrix } from "../support/tensor-files.ts";
import { openTensor } from "../support/values-panel.ts";

test("the histogram of a constant tensor is one bar at its value", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(
      matrix("zeros", 64, 64, () => 0),
      matrix("fives", 64, 64, (row) => (row === 0 ? NaN : -5.5)),
    ),
  );
  await openTensor(page, "zeros");
  const histogram = page.locator("gguf-histogram");
  await expect(histogram).toContainText("All 4,096 finite numbers are 0.");
  await expect(histogram.locator(".numbers span")).toHaveText(["0"]);
  // The bar is in the middle of the plot, and is wide enough to be seen.
  const bar = await histogram.locator("path.bars:not(.beyond)").boundingBox();
  const plot = await histogram.locator(".plot").boundingBox();
  if (!bar || !plot) throw new Error("there is no bar");
  expect(Math.abs(bar.x + bar.width / 2 - (plot.x + plot.width / 2))).toBeLessThan(3);
  expect(bar.width).toBeGreaterThan(4);
  expect(bar.height).toBeGreaterThan(plot.height * 0.9);
  await histogram.locator(".plot").focus();
  await page.keyboard.press("Home");
  await expect(histogram.locator(".readout")).toHaveText(/^\s*0: 4,096 numbers \(100\.0%\)\s*$/);
  await histogram.getByText("As a table").click();
  await expect(histogram.locator("tbody tr")).toHaveCount(1);

  await page.locator("gguf-tensor-table .row", { hasText: "zeros" }).click();
  await openTensor(page, "fives");
  await expect(histogram).toContainText("All 4,032 finite numbers are -5.5.");
  await expect(histogram).toContainText("Not in the histogram: 64 NaN.");
  await expect(histogram.locator(".numbers span")).toHaveText(["-5.5"]);
});

test("without a finite number there is no histogram, but a note that counts the values", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(
      matrix("nans", 64, 64, () => NaN),
      matrix("infinities", 64, 64, (row) => (row < 16 ? -Infinity : Infinity)),
      matrix("mixed", 64, 64, (row, column) => (row === 0 ? Infinity : column)),
    ),
  );
  const histogram = page.locator("gguf-histogram");
  await openTensor(page, "nans");
  await expect(histogram).toContainText("No finite numbers: 4,096 NaN.");
  await expect(histogram.locator(".plot")).toHaveCount(0);
  await page.locator("gguf-tensor-table .row", { hasText: "nans" }).click();
  await openTensor(page, "infinities");
  await expect(histogram).toContainText("No finite numbers: 3,072 +Infinity, 1,024 −Infinity.");
  await page.locator("gguf-tensor-table .row", { hasText: "infinities" }).click();
  await openTensor(page, "mixed");
  await expect(histogram).toContainText("Not in the histogram: 64 +Infinity.");
  await expect(histogram.locator(".plot")).toBeVisible();
});

test("an outlier is beside the histogram, whose axis can be logarithmic", async ({ page, app }) => {
  const weight = (row: number, column: number) => 0.02 * (Math.sin(row * 64 + column) + Math.sin(1.7 * column + row));
  const data = fileOf(matrix("w", 64, 64, (row, column) => (row === 3 && column === 5 ? 7.9 : weight(row, column))));
  await openFile(page, app, data);
  await openTensor(page, "w");
  const histogram = page.locator("gguf-histogram");
  await expect(histogram.locator(".note.beyond")).toHaveText(/Outliers:\s+1 above 0\.0\d+, up to 7\.9\./);
  const plot = await histogram.locator(".plot").boundingBox();
  const bars = await histogram.locator("path.bars:not(.beyond)").boundingBox();
  // The other numbers take the width of the plot, not one bar.
  expect((bars?.width ?? 0) / (plot?.width ?? 1)).toBeGreaterThan(0.8);
  await histogram.locator(".plot").focus();
  await page.keyboard.press("End");
  await expect(histogram.locator(".readout")).toHaveText(/^\s*above 0\.0\d+, up to 7\.9: 1 number/);
  await histogram.getByRole("button", { name: "Logarithmic axis" }).click();
  await expect(histogram.locator(".note.beyond")).toHaveCount(0);
  await expect(histogram.locator(".numbers span").last()).toHaveText(/^10?$/);
});
