import type { Page } from "@playwright/test";
import { expect, expectOpen, test } from "../support/fixtures.ts";
import { bar, openEntry } from "../support/editing.ts";
import {
  changeNameAndTemplate,
  TEMPLATE,
  editedModel,
  pickedModel,
  openPicked,
  replacePickers,
  storedBytes,
  setDisk,
} from "../support/picked-file.ts";

test("are saved in place, and opened again", async ({ page, app }) => {
  await replacePickers(page, pickedModel());
  await openPicked(page, app.origin);
  // A text of the same length, so that only these bytes of the file change.
  await changeNameAndTemplate(page, "Nicked", TEMPLATE.replace("messages", "Messages"));
  await page.keyboard.press("Control+s");
  const box = page.getByRole("dialog");
  await expect(box).toContainText("2 changes");
  await expect(box).toContainText(/bytes of .* change, in .* places?\. Tensor data does not change\./);
  await box.getByRole("button", { name: "Save", exact: true }).click();
  await expect(box).toBeHidden();
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  await expect(page.getByRole("heading", { name: "Nicked" })).toBeVisible();
  await expect(page.getByRole("treegrid", { name: "Metadata" })).toBeFocused();
  // It says what was saved, and where, until the file is changed again.
  const note = page.locator("gguf-edit-bar .saved");
  await expect(note).toContainText(/^\s*Saved picked\.gguf, .* bytes?, in place of the original file\./);
  await note.getByText("2 changes").click();
  await expect(note.getByRole("listitem")).toHaveText([
    "general.name: Value: Picked → Nicked",
    /^tokenizer\.chat_template: Value: .*messages.* → .*Messages/,
  ]);
  expect(
    (await storedBytes(page, "picked.gguf")).equals(editedModel("Nicked", TEMPLATE.replace("messages", "Messages"))),
  ).toBe(true);
  // Again, with a text of another length.
  await changeNameAndTemplate(page, "A longer name", "short");
  await expect(note).toHaveCount(0);
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await expect(box).toContainText("The new file is");
  await box.getByRole("button", { name: "Save", exact: true }).click();
  await expect(box).toBeHidden();
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  await expect(page.getByRole("heading", { name: "A longer name" })).toBeVisible();
  expect((await storedBytes(page, "picked.gguf")).equals(editedModel("A longer name", "short"))).toBe(true);
  await page.reload();
  await page.getByRole("button", { name: "Choose a file" }).click();
  await expect(page.getByRole("heading", { name: "A longer name" })).toBeVisible();
});

test("a text that is not applied yet can be saved", async ({ page, app }) => {
  await replacePickers(page, pickedModel());
  await openPicked(page, app.origin);
  const save = bar(page).getByRole("button", { name: "Save…" });
  await expect(save).toBeDisabled();
  const name = (await openEntry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await name.fill("Typed");
  await expect(save).toBeEnabled();
  await name.fill("Picked");
  await expect(save).toBeDisabled();
  await name.fill("Typed");
  await save.click();
  const box = page.getByRole("dialog");
  await expect(box).toContainText("1 change");
  await box.getByRole("button", { name: "Save", exact: true }).click();
  await expect(box).toBeHidden();
  expect((await storedBytes(page, "picked.gguf")).equals(editedModel("Typed", TEMPLATE))).toBe(true);
});

test("a search that hides the selected entry stays after saving in place", async ({ page, app }) => {
  await replacePickers(page, pickedModel());
  await openPicked(page, app.origin);
  await changeNameAndTemplate(page, "Nicked", TEMPLATE);
  const search = page.getByRole("searchbox", { name: "Search keys, values and tokens" });
  await search.fill("architecture");
  await page.keyboard.press("Control+s");
  const box = page.getByRole("dialog");
  await box.getByRole("button", { name: "Save", exact: true }).click();
  await expect(box).toBeHidden();
  await expect(page.getByRole("heading", { name: "Nicked" })).toBeVisible();
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  await expect(search).toHaveValue("architecture");
});

test("are saved to another file, which is then opened", async ({ page, app }) => {
  await replacePickers(page, pickedModel());
  await openPicked(page, app.origin);
  await changeNameAndTemplate(page, "Copy", "other");
  await bar(page).getByRole("button", { name: "Save…" }).click();
  const box = page.getByRole("dialog");
  await box.getByRole("button", { name: "Save as…" }).click();
  await expect(box.getByRole("heading", { level: 2 })).toHaveText("Saved");
  await expect(box.getByRole("status")).toHaveText(/^picked-edited\.gguf, .*, in the folder that you chose\.$/);
  await expect(box.getByRole("list", { name: "What changed" })).toContainText("general.name: Value: Picked → Copy");
  await box.getByRole("button", { name: "Open the new file" }).click();
  await expectOpen(page, "picked-edited.gguf");
  await expect(page.getByRole("heading", { name: "Copy" })).toBeVisible();
  await expect(page).toHaveURL(/picked-edited\.gguf/);
  expect((await storedBytes(page, "picked-edited.gguf")).equals(editedModel("Copy", "other"))).toBe(true);
  expect((await storedBytes(page, "picked.gguf")).equals(pickedModel())).toBe(true);
});

test("do not change when a save fails or is cancelled, and the page reports it", async ({ page, app }) => {
  await replacePickers(page, pickedModel());
  await openPicked(page, app.origin);
  await changeNameAndTemplate(page, "Nicked", "other");
  const waiting = () => page.waitForFunction(() => (window as unknown as { waiting?: boolean }).waiting);
  const box = page.getByRole("dialog");
  await setDisk(page, "full");
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await box.getByRole("button", { name: "Save", exact: true }).click();
  await expect(box).toContainText("The file could not be written");
  await expect(box).toContainText("The file is not changed");
  expect((await storedBytes(page, "picked.gguf")).equals(pickedModel())).toBe(true);
  await setDisk(page, "busy");
  await box.getByRole("button", { name: "Back" }).click();
  await box.getByRole("button", { name: "Save", exact: true }).click();
  await waiting();
  await box.getByRole("button", { name: "Cancel" }).click();
  await expect(box).toContainText("Cancelling…");
  await setDisk(page, undefined);
  await expect(box).toContainText("Cancelled");
  await expect(box).toContainText("The file is not changed");
  expect((await storedBytes(page, "picked.gguf")).equals(pickedModel())).toBe(true);
  // While the browser closes the file, a cancellation is too late and the file is saved.
  await setDisk(page, "busy at last");
  await box.getByRole("button", { name: "Back" }).click();
  await box.getByRole("button", { name: "Save", exact: true }).click();
  await waiting();
  await box.getByRole("button", { name: "Cancel" }).click();
  await expect(box).toContainText("Cancelling…");
  await setDisk(page, undefined);
  await expect(box).toBeHidden();
  await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
  expect((await storedBytes(page, "picked.gguf")).equals(editedModel("Nicked", "other"))).toBe(true);
});

/** The answer of the browser to the request to write to a file. */
const permission = (page: Page, state: PermissionState) =>
  page.evaluate((state) => {
    FileSystemHandle.prototype.requestPermission = () => Promise.resolve(state);
  }, state);

for (const state of ["denied", "prompt"] as const) {
  test(`stay as they are where writing is not allowed: ${state}`, async ({ page, app }) => {
    await replacePickers(page, pickedModel());
    await openPicked(page, app.origin);
    await changeNameAndTemplate(page, "Nicked", "other");
    await permission(page, state);
    await bar(page).getByRole("button", { name: "Save…" }).click();
    const box = page.getByRole("dialog");
    await box.getByRole("button", { name: "Save", exact: true }).click();
    await expect(box.getByRole("heading")).toHaveText("This page may not write to the file");
    await expect(box.getByRole("alert")).toContainText("The file is not changed");
    await expect(box).not.toContainText("free space");
    expect((await storedBytes(page, "picked.gguf")).equals(pickedModel())).toBe(true);
    await expect(page).toHaveTitle(/^• Nicked/);
    await permission(page, "granted");
    await expect(box.getByRole("button", { name: "Back" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(box.getByRole("button", { name: "Save", exact: true })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(box).toBeHidden();
    await expect(page.getByRole("tab", { name: /Changes/ })).toContainText("0");
    expect((await storedBytes(page, "picked.gguf")).equals(editedModel("Nicked", "other"))).toBe(true);
  });
}

test("can be saved as another file later, if the file picker is cancelled or refused", async ({ page, app }) => {
  await replacePickers(page, pickedModel());
  await openPicked(page, app.origin);
  await changeNameAndTemplate(page, "Nicked", "other");
  const picker = (name: string) =>
    page.evaluate((name) => {
      Object.assign(window, { showSaveFilePicker: () => Promise.reject(new DOMException("no", name)) });
    }, name);
  await picker("AbortError");
  await bar(page).getByRole("button", { name: "Save…" }).click();
  const box = page.getByRole("dialog");
  await box.getByRole("button", { name: "Save as…" }).click();
  await expect(box.getByRole("heading", { level: 2 })).toHaveText("Save picked.gguf");
  await picker("SecurityError");
  await box.getByRole("button", { name: "Save as…" }).click();
  await expect(box.getByRole("heading")).toHaveText("This page may not write to the file");
  await expect(box).toContainText("The original file is not changed");
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await expect(bar(page)).toContainText("2 changes");
});
