import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { fileOf, matrix } from "../support/tensor-files.ts";
import { colour, detail, map, openTensor, pointAt, readout, shownValues, wave } from "../support/values-panel.ts";
import { formatFloat } from "../../../www/src/ui/numbers.ts";

test("an opened tensor shows its heat map, histogram, statistics and values", async ({ page, app }) => {
  await openFile(page, app, fileOf(matrix("w", 32, 24, (row, column) => row * 32 + column - 300)));
  await openTensor(page, "w");
  await expect(detail(page)).toContainText("Numbers of 32 bits: a float");
  const canvas = page.locator("gguf-heat-map canvas");
  await expect(canvas).toBeVisible();
  await expect(page.locator("gguf-heat-map .ends span")).toHaveText(["-467", "0", "467"]);
  // Blue below zero, orange above zero.
  const [low, high] = [await colour(canvas, 0, 0, 24, 32), await colour(canvas, 23, 31, 24, 32)];
  expect(low[2]).toBeGreaterThan((low[0] ?? 0) + 60);
  expect(high[0]).toBeGreaterThan((high[2] ?? 0) + 60);

  const statistics = page.locator("gguf-statistics-table");
  await expect(statistics).toContainText("of all 768 elements");
  const figure = (name: string) => statistics.locator("tr", { hasText: name }).locator("td");
  await expect(figure("Minimum")).toHaveText("-300");
  await expect(figure("Maximum")).toHaveText("467");
  await expect(figure("Mean")).toHaveText("83.5");
  await expect(figure("Standard deviation")).toHaveText("221.7");
  await expect(figure("Zeros")).toHaveText(/^\s*1\s+0\.1%\s*$/);
  await expect(page.getByRole("button", { name: "Compute statistics of the whole tensor" })).toHaveCount(0);

  expect((await shownValues(page))[1]?.slice(0, 3)).toEqual(["-268", "-267", "-266"]);
  await pointAt(page, 10, 20, 24, 32);
  await expect(readout(page)).toHaveText(/Row\s+10\s+·\s+column\s+20\s+40/);

  const histogram = page.locator("gguf-histogram");
  await histogram.getByText("As a table").click();
  const counts = await histogram.locator("tbody td:nth-child(3)").allInnerTexts();
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(768);
  const toggle = histogram.getByRole("button", { name: "Logarithmic counts" });
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await histogram.locator(".plot").focus();
  await page.keyboard.press("End");
  await expect(histogram.locator(".readout")).toContainText("to");
});

test("a link shows the values of a tensor; the heat map shows the values that `read` returns", async ({
  page,
  app,
}) => {
  const url = app.file("/values/wave.gguf", fileOf(matrix("first", 4, 4, wave), matrix("w", 256, 128, wave)));
  await openUrl(page, app, url, "&tensor=w");
  await expect(map(page)).toBeVisible();
  await pointAt(page, 5, 9, 64, 64);
  await expect(readout(page)).toContainText("10–11");
  await expect(readout(page)).toContainText("36–39");
  const cell = [10, 11].flatMap((row) => [36, 37, 38, 39].map((column) => wave(row, column)));
  const rounded = (value: number) => String(Number(value.toPrecision(4)));
  const [magnitude, mean = "", min = "", max = ""] = await readout(page).locator("b").allInnerTexts();
  expect(Number(mean)).toBeCloseTo(cell.reduce((sum, value) => sum + value, 0) / 8, 3);
  expect(magnitude).toBe(rounded(Math.max(...cell.map(Math.abs))));
  expect([min, max]).toEqual([rounded(Math.min(...cell)), rounded(Math.max(...cell))]);

  // A click shows the elements of the cell in the table, highlighted.
  await page.mouse.down();
  await page.mouse.up();
  const values = await shownValues(page);
  expect(values[0]?.[0]).toBe(formatFloat(wave(10, 36), 32));
  await expect(page.locator("gguf-value-table td.highlighted")).toHaveCount(8);

  // The same with the keyboard.
  await map(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await expect(readout(page)).toContainText("12–13");
  await expect(readout(page)).toContainText("0–3");
  await page.keyboard.press("Enter");
  await expect(page.locator("gguf-value-table .where")).toContainText("Rows 12–23");

  const before = await colour(page.locator("gguf-heat-map canvas"), 20, 20, 64, 64);
  await page.getByRole("button", { name: "max", exact: true }).click();
  await expect.poll(() => colour(page.locator("gguf-heat-map canvas"), 20, 20, 64, 64)).not.toEqual(before);
});

test("outliers do not determine the colours, and the legend counts them", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(matrix("w", 64, 64, (row, column) => (row === 5 && column === 7 ? 1e6 : Math.sin(row * 7 + column)))),
  );
  await openTensor(page, "w");
  await expect(page.locator("gguf-heat-map .legend")).toContainText(
    "1 cell beyond the ends of the scale; the furthest value is 1e6",
  );
  const canvas = page.locator("gguf-heat-map canvas");
  expect(await colour(canvas, 0, 1, 64, 64)).not.toEqual(await colour(canvas, 0, 5, 64, 64));
});

test("cells without a finite number are hatched and counted", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(matrix("w", 8, 8, (row, column) => (row === 0 ? NaN : row === 1 && column < 3 ? -Infinity : row))),
  );
  await openTensor(page, "w");
  await expect(page.locator("gguf-heat-map .legend")).toContainText("11 cells without a finite number");
  const figure = (name: string) => page.locator("gguf-statistics-table tr", { hasText: name }).locator("td");
  await expect(figure("NaN")).toContainText("8");
  await expect(figure("−Infinity")).toContainText("3");
  expect((await shownValues(page))[1]?.slice(2, 4)).toEqual(["-Infinity", "1"]);
});

test("the heat map follows the theme", async ({ page, app }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openUrl(page, app, app.file("/values/theme.gguf", fileOf(matrix("w", 64, 64, wave))), "&tensor=w");
  const canvas = page.locator("gguf-heat-map canvas");
  await expect(canvas).toBeVisible();
  const brightness = async () => (await colour(canvas, 0, 0, 64, 64)).reduce((sum, part) => sum + part, 0);
  await expect.poll(brightness).toBeGreaterThan(600);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(brightness).toBeLessThan(200);
  await page.getByRole("button", { name: /^Theme/ }).click();
  await expect.poll(brightness).toBeGreaterThan(600);
});

test.describe(() => {
  test.use({ deviceScaleFactor: 2 });
  test("the heat map has the resolution of the screen", async ({ page, app }) => {
    await openUrl(page, app, app.file("/values/sharp.gguf", fileOf(matrix("w", 64, 64, wave))), "&tensor=w");
    const canvas = page.locator("gguf-heat-map canvas");
    await expect(canvas).toBeVisible();
    await expect
      .poll(() => canvas.evaluate((element) => (element as HTMLCanvasElement).width / element.clientWidth))
      .toBe(2);
  });
});
