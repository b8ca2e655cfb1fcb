import { expect, test } from "../support/fixtures.ts";
import { bar, changes, startEditing } from "../support/editing.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test("tensors are renamed and removed, and the settings of the file change", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  await page.getByRole("tab", { name: /Tensors/ }).click();
  const row = (name: string) => page.locator("gguf-tensor-table .row", { hasText: name });
  await row("token_embd.weight").click();
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("x".repeat(64));
  await expect(page.getByRole("alert").filter({ hasText: "at most 63 bytes" })).toBeVisible();
  await name.fill("output_norm.weight");
  await name.press("Tab");
  await expect(page.getByRole("alert").filter({ hasText: "Another tensor has this name" })).toBeVisible();
  await name.fill("embd.weight");
  await name.press("Tab");
  await expect(row("embd.weight").first()).toContainText("Changed");
  await page.getByRole("button", { name: "Remove tensor embd.weight" }).click();
  await expect(row("token_embd.weight")).toContainText("Removed");
  await bar(page).getByRole("button", { name: "File…" }).click();
  await page.getByLabel("Alignment of tensor data").selectOption("64");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toContainText(["Tensor removed", "general.alignment"]);
});
