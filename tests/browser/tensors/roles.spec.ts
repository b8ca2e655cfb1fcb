import { expect, openFile, test } from "../support/fixtures.ts";
import { miniLm } from "../support/model-files.ts";

test("a tensor has a role, by which it is found, and its open row explains it", async ({ page, app }) => {
  await openFile(page, app, miniLm());
  await page.getByRole("tab", { name: /Tensors/ }).click();
  const rows = page.locator("gguf-tensor-table .row");
  await expect(rows.filter({ hasText: "blk.0.attn_q.weight" })).toContainText("Attention query");
  await page.getByRole("searchbox", { name: "Filter tensors by name or role" }).fill("attention query 1");
  await expect(rows.locator(".name")).toHaveText(["blk.1.attn_q.weight", "blk.1.attn_q.bias"]);
  await rows.first().click();
  const detail = page.locator("gguf-tensor-table .detail dl").first();
  await expect(detail).toContainText("Projects the hidden state to the queries.");
  await expect(detail.locator("div", { hasText: "Number of the block" }).last()).toContainText("1");
});
