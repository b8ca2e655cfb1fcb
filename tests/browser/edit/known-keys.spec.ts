import { expect, test } from "../support/fixtures.ts";
import { bar, openEntry, startEditing } from "../support/editing.ts";
import { rowOf } from "../support/metadata-table.ts";
import { miniLm } from "../support/model-files.ts";

test("a key is chosen from the known keys with the keyboard, with its type and its allowed values", async ({
  page,
  app,
}) => {
  await startEditing(page, app, miniLm());
  await bar(page).getByRole("button", { name: "Add entry" }).click();
  const box = page.getByRole("dialog", { name: "Add an entry" });
  const key = box.getByRole("combobox", { name: "Key" });
  await expect(key).toBeFocused();
  await key.fill("rope scaling");
  const options = box.getByRole("listbox").getByRole("option");
  await expect(options.filter({ hasText: "bert.rope.scaling.type" })).toContainText("STRING");
  // The arrow keys go through the list in both directions, and from one end to the other.
  const last = (await options.count()) - 1;
  for (const [pressed, highlighted] of [
    ["ArrowDown", 0],
    ["ArrowDown", 1],
    ["ArrowUp", 0],
    ["ArrowUp", last],
  ] as const) {
    await key.press(pressed);
    await expect(key).toHaveAttribute("aria-activedescendant", `key-${highlighted}`);
  }
  await key.fill("bert.rope.scaling.type");
  await key.press("ArrowDown");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await expect(key).toHaveAttribute("aria-activedescendant", "key-0");
  await key.press("Enter");
  await expect(key).toHaveValue("bert.rope.scaling.type");
  await expect(box.getByRole("listbox")).toBeHidden();
  await expect(box.getByRole("combobox", { name: "Type" })).toHaveValue("STRING");
  await box.getByRole("combobox", { name: "Allowed values" }).selectOption("yarn");
  await box.getByRole("button", { name: "Add", exact: true }).click();
  await expect(rowOf(page, "bert.rope.scaling.type")).toContainText("yarn · YaRN");
});

test("the list leaves out the keys of the file, and Escape closes it before the dialog", async ({ page, app }) => {
  await startEditing(page, app, miniLm());
  await bar(page).getByRole("button", { name: "Add entry" }).click();
  const box = page.getByRole("dialog", { name: "Add an entry" });
  const key = box.getByRole("combobox", { name: "Key" });
  await key.fill("general.");
  await expect(
    box.getByRole("listbox").getByRole("option").filter({ hasText: "general.license" }).first(),
  ).toBeVisible();
  await expect(
    box
      .getByRole("listbox")
      .getByRole("option")
      .filter({ hasText: /general\.name/ }),
  ).toHaveCount(0);
  await key.press("Escape");
  await expect(box.getByRole("listbox")).toBeHidden();
  await expect(box).toBeVisible();
  await key.press("Escape");
  await expect(box).toBeHidden();
});

test("a click below the open list reaches its target", async ({ page, app }) => {
  await startEditing(page, app, miniLm());
  await bar(page).getByRole("button", { name: "Add entry" }).click();
  const box = page.getByRole("dialog", { name: "Add an entry" });
  await box.getByRole("combobox", { name: "Key" }).fill("general.l");
  await expect(box.getByRole("listbox")).toBeVisible();
  await box.getByRole("button", { name: "Cancel" }).click();
  await expect(box).toBeHidden();
});

test("a named value is chosen from a menu, and any value is typed", async ({ page, app }) => {
  await startEditing(page, app, miniLm());
  const detail = await openEntry(page, "bert.pooling_type");
  await detail.getByRole("combobox", { name: /Allowed values/ }).selectOption("2 · CLS");
  await expect(rowOf(page, "bert.pooling_type").locator(".value")).toContainText("2 · CLS");
  const field = detail.getByRole("textbox", { name: /Value of/ });
  await expect(field).toHaveValue("2");
  await field.fill("9");
  await field.press("Enter");
  await expect(detail.getByRole("combobox", { name: /Allowed values/ })).toHaveValue("Another value");
});
