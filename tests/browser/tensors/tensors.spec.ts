import type { Page } from "@playwright/test";
import { column, expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

const table = "gguf-tensor-table";
const names = (page: Page) => column(page, table, ".name");
const header = (page: Page, name: string) => page.locator(table).getByRole("columnheader", { name, exact: true });

async function openTensors(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await expect(page.locator(`${table} .row`).first()).toBeVisible();
}

test("tensors sort by every column", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await openTensors(page);
  expect((await names(page)).slice(0, 2)).toEqual(["token_embd.weight", "blk.0.attn_q.weight"]);

  await header(page, "Name").getByRole("button").click();
  await expect(header(page, "Name")).toHaveAttribute("aria-sort", "ascending");
  // Numbers are sorted by value: 2 before 10.
  expect((await names(page)).filter((name) => name.includes("attn_norm")).slice(0, 4)).toEqual([
    "blk.0.attn_norm.weight",
    "blk.1.attn_norm.weight",
    "blk.2.attn_norm.weight",
    "blk.3.attn_norm.weight",
  ]);
  await header(page, "Name").getByRole("button").click();
  await expect(header(page, "Name")).toHaveAttribute("aria-sort", "descending");
  expect((await names(page))[0]).toBe("token_embd.weight");

  await header(page, "Size").getByRole("button").click();
  await expect(header(page, "Size")).toHaveAttribute("aria-sort", "descending");
  expect((await names(page)).slice(0, 3)).toEqual(["token_embd.weight", "blk.0.ffn_up.weight", "blk.1.ffn_up.weight"]);
  await expect(page.getByRole("status")).toHaveText("Sorted by Size, descending");

  await header(page, "Elements").getByRole("button").click();
  expect((await names(page))[0]).toBe("blk.0.ffn_up.weight");
  await header(page, "Type").getByRole("button").click();
  expect((await names(page))[0]).toBe("blk.0.attn_norm.weight");
  await header(page, "Dimensions").getByRole("button").click();
  expect((await names(page))[0]).toBe("blk.0.attn_norm.weight");
  await header(page, "Offset").getByRole("button").click();
  expect((await names(page))[0]).toBe("token_embd.weight");
  await header(page, "Index").getByRole("button").click();
  await header(page, "Index").getByRole("button").click();
  await expect(header(page, "Index")).toHaveAttribute("aria-sort", "descending");
  expect((await names(page))[0]).toBe("output_norm.weight");
});

test("tensors filter by name and by type", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await openTensors(page);
  const filter = page.getByRole("searchbox", { name: "Filter tensors by name" });
  await filter.fill("ffn blk.1");
  // A number matches as a whole: blocks 10 and 11 are not shown.
  await expect(page.locator(`${table} .row`)).toHaveCount(1);
  await expect(page.locator(`${table} .count`)).toHaveText("1 of 38");
  await filter.press("Escape");
  await page.getByRole("button", { name: /^Q8_0/ }).click();
  expect(await names(page)).toEqual(["token_embd.weight"]);
  await page.getByRole("button", { name: /^F32/ }).click();
  await expect(page.locator(`${table} .count`)).toHaveText("14 of 38");
  await filter.fill("zzz");
  await expect(page.getByText("No tensors match.")).toBeVisible();
});

test("the counts on the type filters follow the filter by name", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await openTensors(page);
  const chip = (type: string) =>
    page.getByRole("group", { name: "Filter by type" }).getByRole("button", { name: type });
  await expect(chip("Q4_K")).toHaveText(/Q4_K\s*12\s*$/);
  await page.getByRole("searchbox", { name: "Filter tensors by name" }).fill("blk.1");
  // Blocks 10 and 11 do not match.
  await expect(chip("Q4_K")).toHaveText(/Q4_K\s*1\s*$/);
  await expect(chip("Q8_0")).toHaveText(/Q8_0\s*0\s*$/);
  await expect(page.locator(`${table} .count`)).toHaveText("3 of 38");
  // A selected type does not change the counts. Each count says how many tensors the selection of that type adds.
  await chip("F32").click();
  await expect(chip("Q4_K")).toHaveText(/Q4_K\s*1\s*$/);
});

test("the page says that an order applies within groups", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await openTensors(page);
  await page.getByRole("button", { name: "Group by block" }).click();
  const within = page.locator(`${table} .within`);
  await expect(within).toHaveCount(0);
  await header(page, "Size").getByRole("button").click();
  await expect(within).toHaveText("Sorted by Size, descending, within each block");
  await expect(page.getByRole("status")).toHaveText("Sorted by Size, descending, within each block");
  await page.getByRole("button", { name: "Group by block" }).click();
  await expect(within).toHaveCount(0);
});

test("tensors group by block, with subtotals, and groups close", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await openTensors(page);
  await page.getByRole("button", { name: "Group by block" }).click();
  const grid = page.getByRole("treegrid", { name: "Tensors" });
  await expect(grid).toBeVisible();
  const groups = page.locator(`${table} .row.group`);
  await expect(groups.first()).toContainText("Outside blocks");
  await expect(groups.first()).toContainText("2 tensors");
  await expect(groups.nth(1)).toContainText("blk.0");
  await expect(groups.nth(1)).toContainText("3 tensors · 328 K · 253 kB");
  const before = Number(await grid.getAttribute("aria-rowcount"));
  await groups.nth(1).click();
  await expect(groups.nth(1)).toHaveAttribute("aria-expanded", "false");
  await expect(grid).toHaveAttribute("aria-rowcount", String(before - 3));
  await grid.focus();
  await page.keyboard.press("ArrowRight");
  await expect(grid).toHaveAttribute("aria-rowcount", String(before));
});

test("an opened tensor shows its details and its first bytes", async ({ page, app }) => {
  const url = app.file("/models/bytes.gguf", smallModel());
  await openUrl(page, app, url);
  await openTensors(page);
  await page.locator(`${table} .row`, { hasText: "blk.0.attn_q.weight" }).click();
  const detail = page.locator(`${table} .detail`);
  await expect(detail).toContainText("256 elements in 144 bytes");
  await expect(detail).toContainText("36,864 bytes");
  await expect(detail).toContainText("65,536");
  await detail.getByRole("button", { name: /^Show the first/ }).click();
  await expect(detail.locator("pre")).toContainText("00 00 00 00");
  // A line has the offset, the bytes and their text.
  expect((await detail.locator("pre").innerText()).split("\n")[0]).toMatch(
    /^[\da-f]{8} (?: ?[\da-f]{2} ?){16} +·{16}$/,
  );
});

test("the details are in a pane that stays, and the arrow keys go from tensor to tensor", async ({ page, app }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await openFile(page, app, smallModel());
  await openTensors(page);
  const row = (name: string) => page.locator(`${table} .row`, { hasText: name });
  const pane = page.getByRole("region", { name: /^Details of / });
  // The last visible row shows its details at once.
  await page.locator(`${table} .scroller`).evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await row("output_norm.weight").click();
  await expect(pane.getByRole("heading", { name: "output_norm.weight" })).toBeInViewport({ ratio: 1 });
  await expect(pane.locator("gguf-heat-map canvas")).toBeInViewport();
  await expect(row("output_norm.weight")).toBeInViewport({ ratio: 1 });
  // The pane follows the keys, and the list keeps the focus.
  await page.keyboard.press("ArrowUp");
  await expect(pane).toHaveAccessibleName("Details of blk.11.attn_norm.weight");
  await expect(row("blk.11.attn_norm.weight")).toHaveClass(/\bopen\b/);
  await expect(page.getByRole("treegrid", { name: "Tensors" })).toBeFocused();
  await pane.getByRole("button", { name: "Next tensor" }).click();
  await expect(pane).toHaveAccessibleName("Details of output_norm.weight");
  await expect(pane.getByRole("button", { name: "Next tensor" })).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("treegrid", { name: "Tensors" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(pane).toHaveCount(0);
});

test("on a narrow screen, the details cover the list until a person goes back", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openFile(page, app, smallModel());
  await openTensors(page);
  await page.locator(`${table} .row`, { hasText: "blk.2.attn_q.weight" }).click();
  const pane = page.getByRole("region", { name: "Details of blk.2.attn_q.weight" });
  await expect(pane.getByRole("heading", { name: "blk.2.attn_q.weight" })).toBeInViewport({ ratio: 1 });
  await expect(pane.locator("gguf-heat-map canvas")).toBeInViewport({ ratio: 1 });
  const back = pane.getByRole("button", { name: "Back to the list" });
  await expect(back).toBeFocused();
  await back.click();
  await expect(pane).toHaveCount(0);
  await expect(page.getByRole("treegrid", { name: "Tensors" })).toBeFocused();
});
