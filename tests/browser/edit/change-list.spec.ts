import { expect, test } from "../support/fixtures.ts";
import { bar, changes, setValue, startEditing, typeOf, valueOf } from "../support/editing.ts";
import { rowOf, table } from "../support/metadata-table.ts";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";

const TEMPLATE = Array.from({ length: 40 }, (_, at) => `{{ line ${at} }}`);

test("shows a chat template line by line", async ({ page, app }) => {
  await startEditing(page, app, ggufBytes([["tokenizer.chat_template", text(TEMPLATE.join("\n"))]]));
  const after = [...TEMPLATE];
  after[20] = "{{ <b>another</b> }}";
  await rowOf(page, "chat_template").click();
  await valueOf(page, "tokenizer.chat_template").fill(after.join("\n"));
  await valueOf(page, "tokenizer.chat_template").press("Control+Enter");
  await page.getByRole("tab", { name: /Changes/ }).click();
  const lines = changes(page).locator("gguf-line-diff p");
  await expect(lines).toHaveText([
    "17 unchanged lines",
    ...TEMPLATE.slice(17, 20),
    "−Removed: {{ line 20 }}",
    "+Added: {{ <b>another</b> }}",
    ...TEMPLATE.slice(21, 24),
    "16 unchanged lines",
  ]);
});

test("has the net difference: steps that cancel each other are no change", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  await setValue(page, "general.name", "First");
  await setValue(page, "llama.context_length", "4096");
  await setValue(page, "llama.context_length", "16384");
  await setValue(page, "general.name", "Tiny Test");
  await expect(bar(page)).toContainText("1 change");
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(1);
  await expect(changes(page).locator(".from").last()).toContainText("8192");
  await expect(changes(page).locator(".to").last()).toContainText("16384");
  // Both steps are reverted.
  await page.getByRole("button", { name: /^Revert change 1: llama\.context_length/ }).click();
  await expect(changes(page)).toHaveCount(0);
  await expect(bar(page).getByRole("button", { name: "Save…" })).toBeDisabled();
  await expect(bar(page).getByRole("button", { name: "Undo" })).toBeEnabled();
});

test("reverts one change and keeps the others; Undo restores the change", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  await setValue(page, "general.name", "First");
  await setValue(page, "llama.context_length", "4096");
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(2);
  await page.getByRole("button", { name: /^Revert change 1: general\.name/ }).click();
  await expect(changes(page)).toHaveCount(1);
  await expect(changes(page)).toContainText("llama.context_length");
  // The focus is on the button at the position of the removed button.
  await expect(page.getByRole("button", { name: /^Revert change 1: llama\.context_length/ })).toBeFocused();
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await expect(rowOf(page, "general.name")).toContainText("Tiny Test");
  await expect(rowOf(page, "general.name")).not.toContainText("Changed");
  await expect(rowOf(page, "llama.context_length")).toContainText("Changed");
  await bar(page).getByRole("button", { name: "Undo" }).click();
  await expect(rowOf(page, "general.name")).toContainText("First");
  await bar(page).getByRole("button", { name: "Redo" }).click();
  await expect(rowOf(page, "general.name")).toContainText("Tiny Test");
});

test("the list of steps undoes and redoes several changes at once", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  await setValue(page, "general.name", "First");
  await setValue(page, "llama.context_length", "4096");
  await setValue(page, "general.name", "Second");
  const list = bar(page).getByRole("button", { name: "List of steps" });
  await list.click();
  await expect(page.getByRole("menuitem")).toHaveText([
    /general\.name.*Second/,
    /context_length/,
    /general\.name.*First/,
  ]);
  await page.getByRole("menuitem", { name: /context_length/ }).click();
  await expect(bar(page)).toContainText("1 change");
  await expect(rowOf(page, "general.name")).toContainText("First");
  await list.click();
  await page.getByRole("menuitem", { name: /general\.name.*Second/ }).click();
  await expect(rowOf(page, "general.name")).toContainText("Second");
  await expect(bar(page)).toContainText("2 changes");
});

test("shows both types of a change of the type, and both values only if their texts differ", async ({ page, app }) => {
  await startEditing(
    page,
    app,
    ggufBytes([
      ["own.number", uint32(1)],
      ["own.decimal", { type: "float32", value: 0.1 }],
    ]),
  );
  await rowOf(page, "own.number").click();
  await typeOf(page, "own.number").selectOption("FLOAT32");
  await expect(rowOf(page, "own.number")).toContainText("FLOAT32");
  await rowOf(page, "own.number").click();
  await rowOf(page, "own.decimal").click();
  await typeOf(page, "own.decimal").selectOption("FLOAT64");
  await page.getByRole("tab", { name: /Changes/ }).click();
  const [same, differs] = [changes(page).nth(0), changes(page).nth(1)];
  await expect(same.locator(".what")).toHaveText(/^\s*own\.number\s+Type: UINT32 → FLOAT32\s+Revert\s*$/);
  await expect(same.locator(".values")).toHaveCount(0);
  await expect(differs.locator(".what")).toHaveText(/^\s*own\.decimal\s+Type: FLOAT32 → FLOAT64\s+Revert\s*$/);
  await expect(differs.locator(".from").last()).toHaveText("Before: 0.1");
  await expect(differs.locator(".to").last()).toHaveText("After: 0.10000000149011612");
  await expect(page.getByRole("button", { name: /^Revert/ })).toHaveCount(2);
  await expect(
    page.getByRole("button", { name: "Revert change 1: own.number: Type: UINT32 → FLOAT32", exact: true }),
  ).toBeVisible();
});

test("says why a change cannot be reverted", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  await rowOf(page, "general.name").click();
  await page.getByRole("button", { name: "Remove general.name" }).click();
  await bar(page).getByRole("button", { name: "Add entry" }).click();
  const box = page.getByRole("dialog");
  await box.getByRole("combobox", { name: "Key" }).fill("general.name");
  await box.getByRole("textbox", { name: "Value" }).fill("Another");
  await box.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("tab", { name: /Changes/ }).click();
  await page.getByRole("button", { name: /^Revert change 1/ }).click();
  await expect(changes(page).getByRole("alert")).toHaveText(/^Not reverted\. \S/);
  await expect(changes(page)).toHaveCount(2);
});

test("links to a removed entry and to a tensor", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  await rowOf(page, "general.file_type").click();
  await page.getByRole("button", { name: "Remove general.file_type" }).click();
  await page.getByRole("tab", { name: /Changes/ }).click();
  await changes(page).getByRole("button", { name: "general.file_type", exact: true }).click();
  await expect(page.locator(`${table} .row.active`)).toContainText("general.file_type");
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(rowOf(page, "general.file_type")).not.toContainText("Removed");
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(0);
});
