import { expect, openFile, test } from "../support/fixtures.ts";
import { bar, openEntry } from "../support/editing.ts";
import { rowOf } from "../support/metadata-table.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test("a value is changed with the keyboard alone", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await page.getByRole("button", { name: "Edit", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("treegrid", { name: "Metadata" }).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Value of general.name" });
  await expect(field).toBeVisible();
  for (let tabs = 0; tabs < 12 && !(await field.evaluate((element) => element.matches(":focus"))); tabs += 1)
    await page.keyboard.press("Tab");
  await expect(field).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Typed");
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "general.name")).toContainText("Typed");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("treegrid", { name: "Metadata" })).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(rowOf(page, "general.name")).toContainText("Tiny Test");
  await page.keyboard.press("Control+y");
  await page.keyboard.press("Control+s");
  const box = page.getByRole("dialog");
  await expect(box).toContainText("1 change");
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await expect(page.getByRole("treegrid", { name: "Metadata" })).toBeFocused();
});

test("the focus is never lost: at the start and the end of editing, and after undo and redo", async ({ page, app }) => {
  const metadata = page.getByRole("treegrid", { name: "Metadata" });
  const button = (name: string) => bar(page).getByRole("button", { name });
  await openFile(page, app, smallModel());
  await page.getByRole("button", { name: "Edit", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(metadata).toBeFocused();
  const field = (await openEntry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await field.fill("Other");
  await field.press("Enter");
  for (const [name, count] of [
    ["Undo", 0],
    ["Redo", 1],
    ["Discard all", 0],
  ] as const) {
    await button(name).focus();
    await page.keyboard.press("Enter");
    await expect(button("Undo")).toBeEnabled({ enabled: count > 0 });
    await expect(button(name)).toBeFocused();
    await expect(button(name)).toBeDisabled();
  }
  await button("Stop editing").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Edit", exact: true })).toBeFocused();
});
