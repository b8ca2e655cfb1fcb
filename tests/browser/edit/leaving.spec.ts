import { expect, test } from "../support/fixtures.ts";
import { bar, startEditing, openEntry } from "../support/editing.ts";
import { rowOf } from "../support/metadata-table.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test("the page asks before it discards unsaved changes", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  const field = (await openEntry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await field.fill("Other");
  await field.press("Enter");
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  const box = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(box).toContainText("1 change will be lost");
  await box.getByRole("button", { name: "Continue editing" }).click();
  await expect(bar(page)).toBeVisible();
  // The page stays, so there is no navigation to wait for.
  await page.evaluate(() => history.back());
  await expect(box).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rowOf(page, "general.name")).toContainText("Other");
  const question = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const asked = await question;
  expect(asked.type()).toBe("beforeunload");
  // The page takes no clicks before the dialog is gone.
  await asked.dismiss();
  await bar(page).getByRole("button", { name: "Stop editing" }).click();
  await box.getByRole("button", { name: "Leave without saving" }).click();
  await expect(bar(page)).toBeHidden();
  await expect(rowOf(page, "general.name")).toContainText("Tiny Test");
});
