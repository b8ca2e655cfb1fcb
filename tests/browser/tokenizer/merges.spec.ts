// The table of merges in the tokenizer panel.

import type { Page } from "@playwright/test";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { expect, openFile, test } from "../support/fixtures.ts";
import type { TestServer } from "../support/server.ts";

const strings = (texts: readonly string[]) => ({
  type: "strings" as const,
  count: texts.length,
  at: (index: number) => texts[index] ?? "",
});

const table = (page: Page) => page.getByRole("grid", { name: "Merges" });
const row = (page: Page, index: number) => table(page).getByRole("row").nth(index);

async function openMerges(page: Page, app: TestServer, merges: readonly string[] | undefined): Promise<void> {
  const file = ggufBytes([
    ["general.architecture", text("llama")],
    ["llama.block_count", uint32(1)],
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.tokens", strings(["a", "b", "Ġ", "ab", "Ġab"])],
    ...(merges ? ([["tokenizer.ggml.merges", strings(merges)]] as const) : []),
  ]);
  await openFile(page, app, file, "small.gguf");
  await page.getByRole("tab", { name: "Tokenizer" }).click();
  await expect(page.getByRole("treegrid", { name: "Tokens" })).toBeVisible();
}

test("merges are listed by rank, with the texts that their parts stand for", async ({ page, app }) => {
  await openMerges(page, app, ["a b", "Ġ ab", "nopair"]);
  await expect(row(page, 0)).toHaveText(/Rank\s*First part\s*Second part\s*Together/);
  await expect(row(page, 1)).toHaveText(/0\s*a\s*b\s*ab/);
  await expect(row(page, 2)).toHaveText(/1\s*·\s*ab\s*·ab/);
  await expect(row(page, 3)).toHaveText(/2\s*nopair\s*not a pair/);
});

test("a search finds merges by the text of both parts together", async ({ page, app }) => {
  const merges = Array.from({ length: 3000 }, (_, index) => `x${index} y`);
  await openMerges(page, app, [...merges, "Ġ ab"]);
  const search = page.getByRole("searchbox", { name: "Search merges" });
  await search.fill(" AB");
  await expect(page.getByText("1 of 3,001")).toBeVisible();
  await expect(row(page, 1)).toHaveText(/3000\s*·\s*ab\s*·ab/);
  await search.fill("x12y");
  await expect(row(page, 1)).toHaveText(/12\s*x12\s*y\s*x12y/);
  await search.fill("nothing");
  await expect(table(page)).toContainText("No merge matches.");
  await search.fill("");
  await expect(row(page, 1)).toHaveText(/0\s*x0\s*y\s*x0y/);
});

test("a vocabulary without merges has no table of merges", async ({ page, app }) => {
  await openMerges(page, app, undefined);
  await expect(table(page)).toBeHidden();
});
