import type { Page } from "@playwright/test";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { fileOf, matrix } from "../support/tensor-files.ts";
import { map, openTensor, shownValues } from "../support/values-panel.ts";
import { sendRange } from "../support/server.ts";

const I64 = 27;

test("the table pages by rows, columns and elements; only the shown elements are read", async ({ page, app }) => {
  const asked: string[] = [];
  const data = fileOf(matrix("w", 65_536, 20, (row, column) => row * 100_000 + column));
  const url = app.on("/values/paged.gguf", (request, response) => {
    asked.push(request.headers.range ?? "");
    sendRange(request, response, data, "application/octet-stream");
  });
  await openUrl(page, app, url, "&tensor=w");
  const where = page.locator("gguf-value-table .where");
  await expect(map(page)).toBeVisible();
  await expect(where).toHaveText(/^Rows 0–11 of 20 · columns 0–3 of 65,536$/);
  await page.getByRole("button", { name: "Next columns" }).click();
  expect((await shownValues(page))[3]?.slice(0, 2)).toEqual(["300004", "300005"]);
  asked.length = 0;
  await page.getByRole("button", { name: "Next rows" }).click();
  await expect(where).toHaveText(/^Rows 8–19 of 20/);
  expect((await shownValues(page)).at(-1)?.[0]).toBe("1900004");
  await expect(page.getByRole("button", { name: "Next rows" })).toBeDisabled();
  const bytes = asked.map((range) => {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    return Number(end) - Number(start) + 1;
  });
  expect(bytes).toEqual(Array.from({ length: 12 }, () => 16));

  await page.getByRole("spinbutton", { name: "Row to go to" }).fill("3");
  await page.getByRole("spinbutton", { name: "Column to go to" }).fill("65535");
  await page.getByRole("button", { name: "Go to", exact: true }).click();
  await expect(where).toHaveText(/^Rows 3–14 of 20 · columns 65532–65535/);
  expect((await shownValues(page))[0]?.[3]).toBe("365535");
  await expect(page.locator("gguf-value-table td.highlighted")).toHaveText("365535");

  await page.getByRole("button", { name: "Flat" }).click();
  await expect(where).toHaveText("Elements 262140–262187 of 1,310,720");
  await page.getByRole("spinbutton", { name: "Element to go to" }).fill("1310719");
  await page.keyboard.press("Enter");
  await expect(where).toHaveText("Elements 1310672–1310719 of 1,310,720");
  expect((await shownValues(page)).at(-1)?.at(-1)).toBe("1965535");
});

test("integers are exact", async ({ page, app }) => {
  const values = BigInt64Array.of(9_007_199_254_740_993n, -1n, 0n, 7n);
  const made = { name: "positions", dimensions: [4], type: I64, data: new Uint8Array(values.buffer) };
  await openFile(page, app, fileOf(made));
  await openTensor(page, "positions");
  expect(await shownValues(page)).toEqual([["9007199254740993", "-1", "0", "7"].concat(await rest(page))]);
});

test("a narrow column leaves out digits, not the exponent", async ({ page, app }) => {
  const values = [1.2345679e-10, -1.1754944e-38, 3.4028235e38, 1];
  await page.setViewportSize({ width: 390, height: 844 });
  await openFile(page, app, fileOf(matrix("w", 4, 2, (_row, column) => values[column] ?? 0)));
  await openTensor(page, "w");
  expect((await shownValues(page))[0]?.slice(0, 3)).toEqual(["1.2345679e-10", "-1.1754944e-38", "3.4028235e+38"]);
  const cells = page.locator("gguf-value-table tbody tr").first().locator("td");
  for (const at of [0, 1, 2]) {
    const [cell, exponent] = await Promise.all([
      cells.nth(at).boundingBox(),
      cells.nth(at).locator(".number > :last-child").boundingBox(),
    ]);
    if (!cell || !exponent) throw new Error("the cell is not visible");
    expect(exponent.width).toBeGreaterThan(20);
    expect(exponent.x).toBeGreaterThan(cell.x);
    expect(exponent.x + exponent.width).toBeLessThanOrEqual(cell.x + cell.width);
  }
});

/** The empty cells of a short line. */
async function rest(page: Page): Promise<string[]> {
  const columns = await page.locator("gguf-value-table thead th").count();
  return Array.from({ length: columns - 5 }, () => "");
}
