import type { Page } from "@playwright/test";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { fileOf, stack } from "../support/tensor-files.ts";
import { map, openHeatMap } from "../support/values-panel.ts";

const picker = (page: Page) => page.locator("gguf-slice-picker");
const where = (page: Page) => page.locator("gguf-value-table .where");
const statistic = (page: Page, name: string) =>
  page.locator("gguf-statistics-table tr", { hasText: name }).locator("td");
const firstValue = (page: Page) => page.locator("gguf-value-table tbody tr").first().locator("td").first();

/** Four experts of 16 rows of 32 elements. Each element is made of its expert, row and column: 3 · 15 · 31 is 31531. */
const experts = () =>
  stack(
    "blk.0.ffn_gate_exps.weight",
    [32, 16, 4],
    ([column = 0, row = 0, expert = 0]) => expert * 10_000 + row * 100 + column,
  );

test("a row of a stacked tensor is addressed by expert and row", async ({ page, app }) => {
  await openFile(page, app, fileOf(experts()));
  await openHeatMap(page, "ffn_gate_exps");
  await expect(page.locator("gguf-value-table thead th").first()).toHaveText("Expert · row");
  await expect(where(page)).toHaveText(/^Expert 0 · rows 0–11 of 16 · columns/);
  await page.getByRole("spinbutton", { name: "Expert to go to" }).fill("2");
  await page.getByRole("spinbutton", { name: "Row to go to" }).fill("5");
  await page.getByRole("spinbutton", { name: "Column to go to" }).fill("31");
  await page.getByRole("button", { name: "Go to", exact: true }).click();
  await expect(page.locator("gguf-value-table td.highlighted")).toHaveText("20531");
  await expect(page.locator("gguf-value-table tr", { has: page.locator("td.highlighted") }).locator("th")).toHaveText(
    "2 · 5",
  );
  // A row without an expert is in the expert that is shown.
  await page.getByRole("spinbutton", { name: "Expert to go to" }).fill("");
  await page.getByRole("spinbutton", { name: "Row to go to" }).fill("3");
  await page.getByRole("spinbutton", { name: "Column to go to" }).fill("0");
  await page.getByRole("button", { name: "Go to", exact: true }).click();
  await expect(page.locator("gguf-value-table td.highlighted")).toHaveText("20300");

  await map(page).focus();
  // The first key press moves to the first cell.
  await page.keyboard.press("End");
  await page.keyboard.press("End");
  for (let i = 0; i < 8; i += 1) await page.keyboard.press("PageDown");
  await expect(page.locator("gguf-heat-map .readout")).toContainText("Expert 3 · row 15 · column 31");
  await expect(page.locator("gguf-heat-map .row-axis .title")).toHaveText("Expert · row");
  await expect(page.locator("gguf-heat-map .row-axis .labels span").last()).toHaveText("3 · 15");
});

test("one expert is shown, and no other expert is read", async ({ page, app }) => {
  // Far more bytes than a preview reads: 64 experts of 256 rows of 1024 elements, each a megabyte.
  const made = stack("blk.0.ffn_up_exps.weight", [1024, 256, 64], ([, row = 0, expert = 0]) => expert + row / 1000);
  const url = app.file("/slices/large.gguf", fileOf(made));
  await openUrl(page, app, url, "&tensor=blk.0.ffn_up_exps.weight");
  await expect(map(page)).toHaveAttribute("aria-label", /64 by 64 cells/);
  await expect(page.locator("gguf-statistics-table")).toContainText("of a sample");
  await page.waitForLoadState("networkidle");

  app.log.length = 0;
  await page.getByRole("spinbutton", { name: "Expert", exact: true }).fill("7");
  await page.keyboard.press("Enter");
  await expect(page.locator("gguf-statistics-table")).toContainText("of all 262,144 elements, Expert 7");
  await expect(statistic(page, "Minimum")).toHaveText("7");
  await expect(statistic(page, "Maximum")).toHaveText("7.255");
  await expect(page.getByRole("button", { name: /^Compute statistics/ })).toHaveCount(0);
  await expect(where(page)).toHaveText(/^Expert 7 · rows 0–11 of 256/);
  await expect(firstValue(page)).toHaveText("7");
  await expect(map(page)).toHaveAttribute("aria-label", /Expert 7/);
  await expect(page.locator("gguf-heat-map .row-axis .labels span")).toHaveText(["0", "64", "128", "188", "255"]);
  const expert = 1024 * 256 * 4;
  const data = fileOf(made).length - expert * 64;
  const reads = app.log
    .filter((request) => request.url === "/slices/large.gguf")
    .map(
      (request) =>
        /^bytes=(\d+)-(\d+)$/
          .exec(request.headers.range ?? "")
          ?.slice(1)
          .map(Number) ?? [],
    );
  expect(reads.length).toBeGreaterThan(0);
  for (const [start = 0, last = 0] of reads) {
    expect(start).toBeGreaterThanOrEqual(data + 7 * expert);
    expect(last).toBeLessThan(data + 8 * expert);
  }

  await page.getByRole("button", { name: "Next expert" }).click();
  await expect(statistic(page, "Minimum")).toHaveText("8");
  await page.getByRole("button", { name: "All 64 experts" }).click();
  await expect(page.locator("gguf-statistics-table")).toContainText("of a sample");
  await expect(where(page)).toHaveText(/^Expert 0/);
  // A number out of range selects the nearest expert.
  await page.getByRole("spinbutton", { name: "Expert", exact: true }).fill("1000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("spinbutton", { name: "Expert", exact: true })).toHaveValue("63");
  await expect(statistic(page, "Minimum")).toHaveText("63");
});

test("a slice of a tensor with four dimensions is chosen by two numbers", async ({ page, app }) => {
  const made = stack(
    "v.patch_embd.weight",
    [8, 4, 3, 2],
    ([column = 0, row = 0, channel = 0, filter = 0]) => filter * 1000 + channel * 100 + row * 10 + column,
  );
  await openFile(page, app, fileOf(made));
  await openHeatMap(page, "patch_embd");
  await expect(picker(page).getByRole("button", { name: "All 6 slices" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("spinbutton", { name: "Dimension 2", exact: true }).fill("2");
  await page.keyboard.press("Enter");
  await page.getByRole("spinbutton", { name: "Dimension 3", exact: true }).fill("1");
  await page.keyboard.press("Enter");
  await expect(where(page)).toHaveText(/^Dimension 3: 1 · Dimension 2: 2 · rows 0–3 of 4/);
  await expect(firstValue(page)).toHaveText("1200");
  await expect(statistic(page, "Minimum")).toHaveText("1200");
  await expect(statistic(page, "Maximum")).toHaveText("1237");
  await expect(page.locator("gguf-value-table tbody th").nth(3)).toHaveText("1 · 2 · 3");
});

test("the chosen slice is kept while other tensors are shown; a matrix has no slice picker", async ({ page, app }) => {
  await openFile(
    page,
    app,
    fileOf(
      stack("a.matrix", [32, 16], () => 1),
      experts(),
      stack("one.slice", [32, 16, 1], () => 2),
      ...Array.from({ length: 60 }, (_, i) => stack(`filler.${i}`, [32], () => i)),
    ),
  );
  await openHeatMap(page, "ffn_gate_exps");
  await page.getByRole("button", { name: "Next expert" }).click();
  await page.getByRole("button", { name: "Next expert" }).click();
  await expect(statistic(page, "Minimum")).toHaveText("10000");
  // The pane stays while the list is scrolled.
  const scroller = page.locator("gguf-tensor-table .scroller");
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.locator("gguf-tensor-table .row", { hasText: "filler.59" }).click();
  await expect(picker(page)).toHaveCount(0);
  await scroller.evaluate((element) => element.scrollTo(0, 0));
  await openHeatMap(page, "ffn_gate_exps");
  await expect(statistic(page, "Minimum")).toHaveText("10000");
  await expect(page.getByRole("spinbutton", { name: "Expert", exact: true })).toHaveValue("1");

  await page.locator("gguf-tensor-table .row", { hasText: "ffn_gate_exps" }).click();
  for (const name of ["a.matrix", "one.slice"]) {
    await openHeatMap(page, name);
    await expect(picker(page)).toHaveCount(0);
    await expect(where(page)).toHaveText(/^Rows 0–11 of 16/);
    await page.locator("gguf-tensor-table .row", { hasText: name }).click();
  }
});

test("the slice is in the address, and a link opens it", async ({ page, app }) => {
  const url = app.file(
    "/slices/linked.gguf",
    fileOf(
      experts(),
      stack("a.matrix", [32, 16], () => 1),
    ),
  );
  await openUrl(page, app, url, "&tensor=blk.0.ffn_gate_exps.weight&tensors.slice=2");
  await expect(statistic(page, "Minimum")).toHaveText("20000");
  const expert = page.getByRole("spinbutton", { name: "Expert", exact: true });
  await expect(expert).toHaveValue("2");
  await page.getByRole("button", { name: "Next expert" }).click();
  await expect(page).toHaveURL(/&tensors\.slice=3&tensor=blk\.0\.ffn_gate_exps\.weight$/);
  await page.reload();
  await expect(expert).toHaveValue("3");
  await expect(statistic(page, "Minimum")).toHaveText("30000");
  // A link within the page selects another tensor.
  await page.evaluate((address) => {
    location.hash = `#url=${address}&tensors.slice=1&tensor=blk.0.ffn_gate_exps.weight`;
  }, url);
  await expect(expert).toHaveValue("1");
  await expect(statistic(page, "Minimum")).toHaveText("10000");
  // The slice belongs to the selected tensor.
  await page.locator("gguf-tensor-table .row", { hasText: "a.matrix" }).click();
  await expect(page).toHaveURL(/tensor=a\.matrix$/);
  await expect(page).not.toHaveURL(/tensors\.slice/);
});

test("a filter that hides the tensor keeps its slice in the address", async ({ page, app }) => {
  const made = stack(
    "blk.0.ffn.weight",
    [64, 8, 3],
    ([column = 0, row = 0, slice = 0]) => slice * 10_000 + row * 100 + column,
  );
  const url = app.file("/slices/filtered.gguf", fileOf(made));
  await openUrl(page, app, url, "&view=tensors");
  await openHeatMap(page, "blk.0.ffn.weight");
  await page.locator("gguf-slice-picker input").fill("2");
  await page.keyboard.press("Enter");
  await expect(statistic(page, "Minimum")).toHaveText("20000");
  const shown = /&view=tensors&tensors\.slice=2&tensor=blk\.0\.ffn\.weight$/;
  await expect(page).toHaveURL(shown);
  const filter = page.getByRole("searchbox", { name: "Filter tensors by name" });
  await filter.fill("zzz");
  const hidden = /&view=tensors&tensors\.filter=zzz&tensors\.slice=2&tensor=blk\.0\.ffn\.weight$/;
  await expect(page).toHaveURL(hidden);
  await filter.fill("");
  await expect(statistic(page, "Minimum")).toHaveText("20000");
  await expect(page).toHaveURL(shown);

  // The same after a reload with the tensor hidden.
  await filter.fill("zzz");
  await expect(page).toHaveURL(hidden);
  await page.reload();
  await expect(page.locator("gguf-tensor-table .count")).toHaveText("0 of 1");
  await filter.fill("");
  await expect(statistic(page, "Minimum")).toHaveText("20000");
  await expect(page).toHaveURL(shown);
});

test("a slice that the tensor does not have is ignored", async ({ page, app }) => {
  const url = app.file("/slices/hostile.gguf", fileOf(experts()));
  for (const slice of ["4", "1,1", "-1", "1e9", "999999999999999"]) {
    await openUrl(page, app, url, `&tensors.slice=${slice}&tensor=blk.0.ffn_gate_exps.weight`);
    await page.reload();
    await expect(statistic(page, "Minimum")).toHaveText("0");
    await expect(page.getByRole("button", { name: "All 4 experts" })).toHaveAttribute("aria-pressed", "true");
    await expect(page).not.toHaveURL(/tensors\.slice/);
  }
});
