// The pictures of errors: what they show, while values are compared and afterwards, their text, the keyboard, and where they lead.

import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { entriesWith, openPair, panel, rowOf, tensorTable } from "../support/compare-panel.ts";
import { sendRange } from "../support/server.ts";
import { fileWith, type Made, matrix } from "../support/tensor-files.ts";

const BLOCKS = [0, 1, 2];

/** A model with two roles in three blocks. Each number of block `n` in `ffn_down` is multiplied by `1 + noise(n)`. */
function modelWith(noise: (block: number) => number, ...more: Made[]): Uint8Array<ArrayBuffer> {
  return fileWith(entriesWith(), [
    ...BLOCKS.flatMap((block) => [
      matrix(`blk.${block}.attn_q.weight`, 32, 4, (row, column) => row + column + 1),
      matrix(`blk.${block}.ffn_down.weight`, 32, 4, (row, column) => (row + column + 1) * (1 + noise(block))),
    ]),
    ...more,
  ]);
}

const noise = (block: number) => [0, 0.125, 0.5][block] ?? 0;
const map = (page: Page) => panel(page).locator("gguf-error-map");
const points = (page: Page) => panel(page).locator("gguf-bits-error");

async function compareValues(page: Page): Promise<void> {
  await panel(page).getByRole("button", { name: "Compare the values" }).click();
  await expect(panel(page)).toContainText(/in both files was compared|could not be compared|All tensor data was/);
}

test("the error of each block and role is a cell, and a cell leads to its differences", async ({ page, app }) => {
  await openPair(
    page,
    app,
    modelWith(() => 0),
    modelWith(noise),
  );
  await compareValues(page);
  await expect(panel(page).getByRole("tab", { name: "Error" })).toHaveAttribute("aria-selected", "true");
  // (x - 1.5 x)² / x² is 0.25.
  const cell = (name: string | RegExp) =>
    map(page)
      .locator("[data-row]")
      .and(page.getByLabel(name, { exact: true }));
  await expect(cell("Block 2, down: error 0.25, F32")).toHaveCount(1);
  await expect(cell("Block 1, down: error 0.0156, F32")).toHaveCount(1);
  await expect(cell("Block 0, down: equal, F32")).toHaveClass(/equal/);
  await expect(cell("Block 2, whole block: error 0.25, F32")).toHaveCount(1);
  await expect(map(page).locator(".intro")).toContainText("The largest of all: 0.25 in blk.2.ffn_down.weight");
  await expect(map(page).locator(".intro")).toContainText("6 tensors compared, 4 equal.");
  await map(page).getByText("As text").click();
  const row = map(page).getByRole("row", { name: /^Down/ });
  await expect(row.getByRole("cell")).toHaveText(["equal in block 0", "error 0.25 in block 2", "0"]);

  // The keyboard: the first cell, then down to its role and to the end of the row.
  await map(page).locator('[tabindex="0"][data-row]').focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await expect(cell("Block 2, down: error 0.25, F32")).toBeFocused();
  await expect(map(page).locator(".readout")).toHaveText("Block 2, down: error 0.25, F32");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: /^Tensors 2/ })).toHaveAttribute("aria-selected", "true");
  await expect(tensorTable(page).locator(".row .name")).toHaveText(["blk.2.ffn_down.weight"]);
  await expect(tensorTable(page).locator(".scroller")).toBeFocused();
  // A person who looks at the tensors stays there.
  await panel(page).getByRole("button", { name: "Compare the values" }).click();
  await expect(tensorTable(page)).toBeVisible();
});

test("each tensor is a mark by its bits and its error, and is named in words", async ({ page, app }) => {
  await openPair(
    page,
    app,
    modelWith(() => 0),
    modelWith(noise),
  );
  await compareValues(page);
  const mark = (name: string) =>
    points(page)
      .locator("[data-row]")
      .and(page.getByLabel(name, { exact: true }));
  await expect(points(page).locator("[data-row]")).toHaveCount(6);
  await expect(mark("blk.2.ffn_down.weight: F32, 32 bits per weight, error 0.25")).toHaveClass(/feed-forward/);
  await expect(mark("blk.1.attn_q.weight: F32, 32 bits per weight, equal")).toHaveClass(/attention/);
  await points(page).getByText("As text").click();
  await expect(points(page).getByRole("row", { name: /^F32/ }).getByRole("cell")).toHaveText([
    "32",
    "6",
    "4",
    "0.0156",
    "0.25",
    "0.25",
  ]);
  // From the largest error down to the next, and to the equal ones.
  await mark("blk.2.ffn_down.weight: F32, 32 bits per weight, error 0.25").focus();
  await page.keyboard.press("ArrowDown");
  await expect(mark("blk.1.ffn_down.weight: F32, 32 bits per weight, error 0.0156")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await expect(points(page).locator(".readout")).toHaveText(/^blk\.2\..*, equal$/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(tensorTable(page).locator(".row .name")).toHaveText(["blk.1.ffn_down.weight"]);
  // The Graph panel shows the measured errors, too.
  await page.getByRole("tab", { name: "Graph" }).click();
  await page.locator("gguf-graph").getByLabel("Colour").selectOption("error");
  await expect(page.locator("gguf-graph").getByRole("button", { name: /^Feed-forward.*error 0\.0885/ })).toBeVisible();
});

test("exchanged sides have the errors relative to the other file", async ({ page, app }) => {
  await openPair(
    page,
    app,
    modelWith(() => 0),
    modelWith(noise),
  );
  await compareValues(page);
  await panel(page).getByRole("button", { name: "Swap sides" }).click();
  // (1.5 x - x)² / (1.5 x)² is 1/9.
  await expect(map(page).getByLabel("Block 2, down: error 0.111, F32", { exact: true })).toHaveCount(1);
});

test("tensors that cannot be compared are crossed out, with the reason", async ({ page, app }) => {
  const other = fileWith(entriesWith(), [
    matrix("blk.0.attn_q.weight", 32, 4, (row, column) => row + column + 1),
    matrix("blk.0.ffn_down.weight", 32, 4, (row, column) => (row + column + 1) * 2),
    matrix("blk.1.attn_q.weight", 32, 2, () => 1),
    matrix("output.weight", 32, 2, () => 1),
  ]);
  await openPair(
    page,
    app,
    modelWith(() => 0),
    other,
  );
  await compareValues(page);
  const label = (name: string) => map(page).getByLabel(name, { exact: true });
  await expect(label("Block 0, down: error 1, F32")).toHaveCount(1);
  await expect(label("Block 1, query: not compared: its dimensions differ, F32")).toHaveClass(/unmeasured/);
  await expect(label("Block 1, down: not compared: only in A, F32")).toHaveClass(/unmeasured/);
  await expect(map(page).locator("figure > svg .cross")).toHaveCount(6);
  await expect(map(page).locator(".intro")).toContainText("4 tensors of A not compared. 1 tensor only in B.");
  await expect(map(page).getByRole("list", { name: "Errors" })).toContainText("Not compared");
  await label("Block 1, query: not compared: its dimensions differ, F32").click();
  await expect(rowOf(page, "blk.1.attn_q.weight")).toBeVisible();
});

test("the pictures are drawn while the values are compared", async ({ page, app }) => {
  const big = (name: string, factor: number) => matrix(name, 1024, 2048, (row, column) => (row + column + 1) * factor);
  const file = (factor: number) =>
    fileWith(entriesWith(), [big("blk.0.ffn_down.weight", factor), big("blk.1.ffn_down.weight", factor)]);
  const bytes = file(1.5);
  const held: (() => void)[] = [];
  let isHeld = true;
  // The data of the second tensor waits.
  const second = bytes.length - 4 * 1024 * 2048;
  await openPair(page, app, file(1), bytes);
  app.on("/pair/b.gguf", (request, response) => {
    const [, last = ""] = /-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const send = () => sendRange(request, response, bytes, "application/octet-stream");
    if (isHeld && Number(last) >= second) held.push(send);
    else send();
  });
  await panel(page).getByLabel("Read").selectOption("whole");
  await panel(page).getByRole("button", { name: "Compare the values" }).click();
  const label = (name: string) => map(page).getByLabel(name, { exact: true });
  await expect(label("Block 0, down: error 0.25, F32")).toHaveCount(1);
  await expect(label("Block 1, down: not compared yet, F32")).toHaveClass(/pending/);
  await expect(map(page).locator(".intro")).toContainText("1 tensor of 2 compared so far, 0 equal.");
  isHeld = false;
  for (const send of held) send();
  await expect(label("Block 1, down: error 0.25, F32")).toHaveCount(1);
  await expect(map(page).locator(".intro")).toContainText("2 tensors compared, 0 equal.");
});
