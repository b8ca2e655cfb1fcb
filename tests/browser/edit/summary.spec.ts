import { expect, factOf, test } from "../support/fixtures.ts";
import { bar, openEntry, startEditing } from "../support/editing.ts";
import { miniLm } from "../support/model-files.ts";
import { rowOf } from "../support/metadata-table.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test("the summary and the title show the new values and the old ones", async ({ page, app }) => {
  const set = async (key: string, value: string) => {
    const field = (await openEntry(page, key)).getByRole("textbox", { name: /Value of/ });
    await field.fill(value);
    await field.press("Enter");
    await rowOf(page, key).click();
  };
  await startEditing(page, app, smallModel());
  const summary = page.locator("gguf-identity");
  await expect(summary).not.toContainText("After editing");
  await set("general.name", "Another name");
  await set("context_length", "4096");
  await expect(summary.locator("h2")).toHaveText("Another name");
  await expect(summary).toContainText("After editing, with 2 changes");
  await expect(summary).toContainText("was Tiny Test");
  await expect(factOf(page, "Context length")).toHaveText(/4,096\s+was 8,192/);
  await expect(factOf(page, "Architecture")).toHaveText("llama");
  await expect(page).toHaveTitle("• Another name – GGUF viewer");
  await rowOf(page, "file_type").click();
  await page.getByRole("button", { name: "Remove general.file_type" }).click();
  await expect(factOf(page, "Metadata")).toHaveText(/11 entries\s+was 12 entries/);
  // Without the file type, the summary shows the type of most weights.
  await expect(factOf(page, "Quantization")).toHaveText(/Q6_K\s+was Q4_K_M/);
  await bar(page).getByRole("button", { name: "Discard all" }).click();
  await expect(summary.locator("h2")).toHaveText("Tiny Test");
  await expect(summary).not.toContainText("was");
  await expect(page).toHaveTitle("Tiny Test – GGUF viewer");
  await bar(page).getByRole("button", { name: "Redo" }).click();
  await expect(page).toHaveTitle("• Another name – GGUF viewer");
  await bar(page).getByRole("button", { name: "Stop editing" }).click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await expect(summary.locator("h2")).toHaveText("Tiny Test");
  await expect(page).toHaveTitle("Tiny Test – GGUF viewer");
});

test("the summary shows the new special tokens", async ({ page, app }) => {
  await startEditing(page, app, miniLm());
  await expect(factOf(page, "bos")).toHaveText("1 · tok1");
  await openEntry(page, "tokenizer.ggml.bos_token_id");
  const field = page.getByRole("combobox", { name: "Value of tokenizer.ggml.bos_token_id" });
  await field.fill("tok7");
  await field.press("Enter");
  await expect(factOf(page, "bos")).toHaveText(/^7 · tok7\s+was 1 · tok1$/);
});
