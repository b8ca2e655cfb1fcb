// Unsaved edits survive a reload of the page.

import type { Page } from "@playwright/test";
import { bar, beginEditing, changes, openEntry, setValue, startEditing, typeOf, valueOf } from "../support/editing.ts";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { rowOf } from "../support/metadata-table.ts";
import { helloVocabulary } from "../support/tokenizer-panel.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

const notice = (page: Page) => page.getByRole("status").filter({ hasText: "when the page was closed" });
const stored = (page: Page) => page.evaluate(() => Object.keys(sessionStorage));

/** Reloads the page although it asks. */
async function reload(page: Page): Promise<void> {
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
}

test("unsaved changes and typed text are restored after a reload, and are gone once they are discarded", async ({
  page,
  app,
}) => {
  const address = app.file("/kept/model.gguf", smallModel());
  await openUrl(page, app, address, "&view=metadata");
  await expectOpen(page, "model.gguf");
  await beginEditing(page);
  expect(await stored(page)).toEqual([]);
  await setValue(page, "general.name", "Changed");
  await openEntry(page, "llama.block_count");
  await valueOf(page, "llama.block_count").fill("no number");
  await reload(page);
  await expect(notice(page)).toContainText("2 unsaved changes to this file were kept");
  // The file itself is as it is stored.
  await expect(rowOf(page, "general.name")).toContainText("Tiny Test");
  await notice(page).getByRole("button", { name: "Restore 2 unsaved changes" }).click();
  await expect(notice(page)).toHaveCount(0);
  await expect(bar(page)).toContainText("1 change");
  await expect(rowOf(page, "general.name")).toContainText("Changed");
  await openEntry(page, "llama.block_count");
  await expect(valueOf(page, "llama.block_count")).toHaveValue("no number");
  // The steps are there, too.
  await bar(page).getByRole("button", { name: "Undo", exact: true }).click();
  await expect(rowOf(page, "general.name")).toContainText("Tiny Test");
  await bar(page).getByRole("button", { name: "Redo", exact: true }).click();
  await bar(page).getByRole("button", { name: "Discard all" }).click();
  await expect(bar(page)).not.toContainText("change");
  expect(await stored(page)).toEqual([]);
  await page.reload();
  await expect(rowOf(page, "general.name")).toContainText("Tiny Test");
  await expect(notice(page)).toHaveCount(0);
});

test("kept changes are offered for the same local file only, and new ones do not replace them", async ({
  page,
  app,
}) => {
  await startEditing(page, app, smallModel());
  await setValue(page, "general.name", "First");
  await reload(page);
  // Another header.
  await openFile(page, app, helloVocabulary());
  await expect(notice(page)).toHaveCount(0);
  await startEditing(page, app, smallModel());
  await expect(notice(page)).toBeVisible();
  await openEntry(page, "llama.block_count");
  await typeOf(page, "llama.block_count").selectOption("UINT64");
  await reload(page);
  await openFile(page, app, smallModel());
  await notice(page).getByRole("button", { name: "Restore 2 unsaved changes" }).click();
  await expect(bar(page)).toContainText("2 changes");
  await expect(rowOf(page, "general.name")).toContainText("First");
  await reload(page);
  await openFile(page, app, smallModel());
  await notice(page).getByRole("button", { name: "Discard" }).click();
  await expect(notice(page)).toHaveCount(0);
  expect(await stored(page)).toEqual([]);
  await expect(changes(page)).toHaveCount(0);
});

test("the page says that changes cannot be kept, also small ones", async ({ page, app }) => {
  await openUrl(page, app, app.file("/kept/model.gguf", smallModel()), "&view=metadata");
  await expectOpen(page, "model.gguf");
  await beginEditing(page);
  // Something else of the page takes all room.
  await page.evaluate(() => {
    for (let length = 1 << 22; length > 0;) {
      try {
        sessionStorage.setItem(`other ${sessionStorage.length}`, "x".repeat(length));
      } catch {
        length >>= 1;
      }
    }
  });
  await setValue(page, "general.name", "Changed");
  await expect(page.getByText("The browser has no room to keep these changes for a reload of the page.")).toBeVisible();
  await page.evaluate(() => sessionStorage.clear());
});
