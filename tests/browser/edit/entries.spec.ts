import { expect, test } from "../support/fixtures.ts";
import { bar, changes, startEditing } from "../support/editing.ts";
import { rowOf, table } from "../support/metadata-table.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test("entries are added, renamed, retyped, moved and removed, and what is refused changes nothing", async ({
  page,
  app,
}) => {
  await startEditing(page, app, smallModel());
  await bar(page).getByRole("button", { name: "Add entry" }).click();
  const box = page.getByRole("dialog", { name: "Add an entry" });
  await box.getByLabel("Key").fill("general.name");
  await expect(box.getByRole("alert").filter({ hasText: "Another entry has this key" })).toBeVisible();
  await box.getByLabel("Key").fill("general.license");
  await box.getByLabel("Value").fill("mit");
  await box.getByRole("button", { name: "Add", exact: true }).click();
  await expect(rowOf(page, "general.license")).toContainText("Added");
  const detail = page.locator("gguf-edit-entry");
  await detail.getByRole("textbox", { name: "Key" }).fill("general.name");
  await page.keyboard.press("Tab");
  await expect(detail.getByRole("alert").filter({ hasText: "Another entry has this key" })).toBeVisible();
  await detail.getByRole("textbox", { name: "Key" }).fill("general.licence");
  await page.keyboard.press("Tab");
  await expect(rowOf(page, "general.licence")).toContainText("mit");
  // A renamed entry keeps its row, which stays open.
  await expect(page.getByRole("button", { name: "Remove general.licence" })).toBeVisible();
  await rowOf(page, "file_type").click();
  const type = page.getByRole("combobox", { name: "Type of general.file_type" });
  await type.selectOption("UINT64");
  await expect(rowOf(page, "file_type")).toContainText("UINT64");
  await page.getByRole("button", { name: "Move general.file_type up" }).click();
  await expect(page.locator(`${table} .row:not(.section)`).nth(1)).toContainText("general.file_type");
  await page.getByRole("button", { name: "Remove general.file_type" }).click();
  await expect(rowOf(page, "file_type")).toContainText("Removed");
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(rowOf(page, "file_type")).not.toContainText("Removed");
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toContainText(["Added", "Type", "Moved to position 2"]);
  await bar(page).getByRole("button", { name: "Discard all" }).click();
  await expect(page.getByText("No changes yet.")).toBeVisible();
});
