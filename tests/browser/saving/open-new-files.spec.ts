import type { Page } from "@playwright/test";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { bar, beginEditing, openEntry, startEditing } from "../support/editing.ts";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { removeSavePicker, replacePickers } from "../support/picked-file.ts";
import { panel, removeFolderPicker, replaceFolderPicker, showShards, wholeModel } from "../support/shard-files.ts";

// After a download the page still has the bytes, so that no file has to be chosen again.

async function rename(page: Page): Promise<void> {
  const field = (await openEntry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await field.fill("Other");
  await field.press("Enter");
  await page.getByRole("button", { name: "Save…" }).click();
}

const openNew = (page: Page) => page.getByRole("button", { name: /^Open the new files?$/ });

test("an edited file that was downloaded can be opened", async ({ page, app }) => {
  await removeSavePicker(page);
  await startEditing(page, app, smallModel(), "mine.gguf");
  await rename(page);
  await page.getByRole("dialog").getByRole("button", { name: "Download", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("Download started");
  await openNew(page).click();
  await expectOpen(page, "mine-edited.gguf");
  await expect(page.getByRole("heading", { name: "Other" })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  // The original is one step back.
  await page.goBack();
  await expectOpen(page, "mine.gguf");
});

test("a download that was prepared in the private storage can be opened", async ({ page, app }) => {
  await removeSavePicker(page);
  await openUrl(page, app, app.file("/new/far.gguf", smallModel()));
  await beginEditing(page);
  await rename(page);
  await page.getByRole("dialog").getByRole("button", { name: "Download", exact: true }).click();
  await openNew(page).click();
  await expectOpen(page, "far-edited.gguf");
  await expect(page.getByRole("heading", { name: "Other" })).toBeVisible();
});

test("shards that were downloaded can be opened, and the file that they are merged to", async ({ page, app }) => {
  await removeFolderPicker(page);
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showShards(page);
  await panel(page).getByRole("combobox", { name: "Limit of a shard" }).selectOption("Number of tensors");
  await panel(page).getByRole("spinbutton").fill("2");
  await page.getByRole("button", { name: "Download 3 files" }).click();
  await openNew(page).click();
  await expectOpen(page, "whole-00001-of-00003.gguf");
  await showShards(page);
  await page.getByRole("button", { name: "Download", exact: true }).click();
  await openNew(page).click();
  await expectOpen(page, "whole.gguf");
});

test("files that were written into a folder or with a picker can be opened", async ({ page, app }) => {
  await replaceFolderPicker(page);
  await replacePickers(page, new Uint8Array());
  await openFile(page, app, wholeModel(), "whole.gguf");
  await showShards(page);
  await panel(page).getByRole("combobox", { name: "Limit of a shard" }).selectOption("Number of tensors");
  await panel(page).getByRole("spinbutton").fill("2");
  await page.getByRole("button", { name: "Save into a folder…" }).click();
  await openNew(page).click();
  await expectOpen(page, "whole-00001-of-00003.gguf");
  await showShards(page);
  await page.getByRole("button", { name: "Save as…" }).click();
  await openNew(page).click();
  await expectOpen(page, "whole.gguf");
});

test("a download whose bytes are gone names the file to choose", async ({ page, app }) => {
  await removeSavePicker(page);
  await openUrl(page, app, app.file("/new/lost.gguf", smallModel()));
  await beginEditing(page);
  await rename(page);
  await page.getByRole("dialog").getByRole("button", { name: "Download", exact: true }).click();
  await openNew(page).waitFor();
  await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    for await (const name of folder.keys()) await folder.removeEntry(name);
  });
  await openNew(page).click();
  const explained = page.locator("gguf-error-panel");
  await expect(explained).toContainText("lost-edited.gguf");
  await expect(explained).toContainText("Choose the file again");
  await expect(page.getByRole("button", { name: "Choose a file" }).last()).toBeVisible();
});
