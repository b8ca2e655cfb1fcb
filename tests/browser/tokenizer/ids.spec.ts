// The number of a token is written in one way.

import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { expect, openFile, test } from "../support/fixtures.ts";
import { tokenizerPanel } from "../support/tokenizer-panel.ts";

test("the id of a token has no separators in any panel, and the number of tokens has", async ({ page, app }) => {
  const tokens = { type: "strings", count: 2000, at: (id: number) => `word${id}` } as const;
  const file = ggufBytes([
    ["general.architecture", text("llama")],
    ["general.name", text("Ids")],
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.tokens", tokens],
    ["tokenizer.ggml.bos_token_id", uint32(1500)],
  ]);
  await openFile(page, app, file);
  const summary = page.locator("gguf-summary-panel");
  await expect(summary).toContainText("1500 · word1500");
  await expect(summary).toContainText("2,000 · gpt2");
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await page.locator("gguf-metadata-table .row", { hasText: "ggml.tokens" }).click();
  const array = page.locator("gguf-array-view");
  await array.getByRole("searchbox").fill("word1500");
  await expect(array.locator(".row").first()).toHaveText(/^\s*1500\s*word1500/);
  await page.getByRole("tab", { name: "Tokenizer" }).click();
  await page.getByRole("searchbox", { name: "Search tokens" }).fill("word1500");
  await expect(tokenizerPanel(page).locator("gguf-token-table .row .id")).toHaveText("1500");
  await expect(tokenizerPanel(page).locator(".role").last()).toHaveText("1500");
});
