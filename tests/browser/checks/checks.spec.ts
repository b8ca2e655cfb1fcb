import type { Page } from "@playwright/test";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { bar, changes, startEditing } from "../support/editing.ts";
import { miniLm, mistypedMiniLm } from "../support/model-files.ts";
import { rowOf } from "../support/metadata-table.ts";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

const tab = (page: Page) => page.getByRole("tab", { name: /Checks/ });
const panel = (page: Page) => page.locator("gguf-checks");

test("a healthy model has no problems, and the page says what was checked", async ({ page, app }) => {
  const checked = panel(page).getByRole("region", { name: "Checked", exact: true });
  await openUrl(page, app, "sample.gguf");
  await tab(page).click();
  // The chat template is reviewed after the other checks.
  await expect(checked).toContainText("writes the messages of test conversations");
  await expect(tab(page)).toHaveAccessibleName(/No problems found in the header/);
  await expect(tab(page).locator(".badge")).toHaveCount(0);

  await openUrl(page, app, app.file("/models/minilm.gguf", miniLm()));
  await expectOpen(page, "minilm.gguf");
  await expect(tab(page)).toHaveAccessibleName(/No problems found in the header/);
  await expect(tab(page).locator(".badge")).toHaveCount(0);
  await tab(page).click();
  await expect(panel(page)).toContainText("Tensor values are not checked.");
  await expect(checked).toContainText("The file is long enough for the data of every tensor.");
  await expect(checked).toContainText("the keys and tensors that llama.cpp needs of its architecture");
  const unchecked = panel(page).getByRole("region", { name: "Not checked" });
  await expect(unchecked).toContainText("files that are no whole model, such as adapters");
  await expect(panel(page).getByRole("button", { name: /Fix/ })).toHaveCount(0);
});

test("a name that contradicts the file is a warning, also while editing", async ({ page, app }) => {
  await openUrl(page, app, app.file("/models/MiniLM-109K-Q4_K_M.gguf", miniLm()));
  await expect(tab(page)).toHaveAccessibleName(/1 warning/);
  await tab(page).click();
  await expect(panel(page)).toContainText("file-name-contradiction");
  await page.getByRole("button", { name: "Edit" }).click();
  await expect(bar(page)).toBeVisible();
  await expect(panel(page)).toContainText("file-name-contradiction");
});

test("a model without its token embeddings has an error", async ({ page, app }) => {
  await startEditing(page, app, miniLm());
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row", { hasText: "token_embd.weight" }).click();
  await page.getByRole("button", { name: "Remove tensor token_embd.weight" }).click();
  await expect(tab(page)).toHaveAccessibleName(/1 error/);
  await expect(tab(page).locator(".badge.error")).toHaveText("1");
  await tab(page).click();
  await expect(panel(page).getByRole("region", { name: /1 error/ })).toContainText("token_embd.weight is missing");
});

test("a fix begins to edit the file, and the list of changes shows it", async ({ page, app }) => {
  await openFile(page, app, mistypedMiniLm());
  await expect(tab(page)).toHaveAccessibleName(/2 errors/);
  await expect(tab(page).locator(".badge.error")).toHaveText("2");
  await tab(page).click();
  const finding = panel(page).locator("li", { hasText: "bert.block_count" });
  await finding.getByRole("button", { name: "Fix: Convert to UINT32" }).click();
  await expect(bar(page)).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Fixed: Convert to UINT32" })).toHaveCount(1);
  await expect(finding).toHaveCount(0);
  await expect(tab(page)).toHaveAccessibleName(/1 error/);
  // The button is gone, so the focus moves to an element that is not.
  await expect(page.locator("body:focus")).toHaveCount(0);
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(1);
  await expect(changes(page)).toContainText("UINT64 → UINT32");
});

test("all safe fixes are made in one step, which undo reverts", async ({ page, app }) => {
  await openFile(page, app, mistypedMiniLm());
  await tab(page).click();
  await panel(page).getByRole("button", { name: "Fix all safe (2)" }).click();
  await expect(page.getByRole("status").filter({ hasText: "2 findings fixed." })).toHaveCount(1);
  await expect(panel(page)).toContainText("No problems found in the header");
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("2");
  await bar(page).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  await expect(panel(page).getByRole("button", { name: "Fix all safe (2)" })).toBeVisible();
  await bar(page).getByRole("button", { name: "Redo" }).click();
  await expect(panel(page)).toContainText("No problems found in the header");
});

test("safe fixes that other fixes uncover are part of the same step", async ({ page, app }) => {
  const name = "tokenizer.ggml.prefix_token_id";
  await openFile(page, app, ggufBytes([[name, { type: "int32", value: 1 }]]));
  await tab(page).click();
  // The old key is renamed after its value has the type of the new key.
  await panel(page).getByRole("button", { name: "Fix all safe (1)" }).click();
  await expect(page.getByRole("status").filter({ hasText: "2 findings fixed." })).toHaveCount(1);
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(2);
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await expect(rowOf(page, "tokenizer.ggml.fim_pre_token_id")).toContainText("UINT32");
  await bar(page).getByRole("button", { name: "Undo" }).click();
  await expect(rowOf(page, name)).toContainText("INT32");
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  await bar(page).getByRole("button", { name: "Redo" }).click();
  await expect(rowOf(page, "tokenizer.ggml.fim_pre_token_id")).toContainText("UINT32");
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("2");
});

test("fixes that need a decision are left to the reader", async ({ page, app }) => {
  const entries = [
    ["general.descripton", text("misspelt")],
    ["general.name", text("First")],
    ["general.name", text("Second")],
    ["tokenizer.ggml.bos_token_id", { type: "int32", value: 1 }],
  ] as const;
  await openFile(page, app, ggufBytes(entries));
  await tab(page).click();
  const rename = panel(page).getByRole("button", { name: "Fix: Rename to general.description" });
  await expect(rename).toBeVisible();
  const decisions = panel(page).locator("button.fix");
  await expect(decisions).toHaveCount(3);
  await panel(page).getByRole("button", { name: "Fix all safe (1)" }).click();
  await expect(page.getByRole("status").filter({ hasText: "1 finding fixed." })).toHaveCount(1);
  await expect(decisions).toHaveCount(2);
  await expect(panel(page).getByRole("button", { name: /Fix all safe/ })).toHaveCount(0);
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(1);
  await expect(changes(page)).toContainText("INT32 → UINT32");
  await page.getByRole("tab", { name: /Metadata/ }).click();
  for (const key of ["general.descripton", "First", "Second"]) await expect(rowOf(page, key)).toBeVisible();
  // The reader decides.
  await tab(page).click();
  await rename.click();
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await expect(rowOf(page, "general.description")).toContainText("misspelt");
});
