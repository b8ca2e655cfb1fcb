// Operates the page in edit mode, as a person does.

import { readFile } from "node:fs/promises";
import { expect, type Download, type Locator, type Page } from "@playwright/test";
import { openFile } from "./fixtures.ts";
import { rowOf } from "./metadata-table.ts";

/** The toolbar of edit mode. */
export const bar = (page: Page) => page.getByRole("toolbar", { name: "Editing" });

/** The rows of the list of changes. */
export const changes = (page: Page) => page.locator("gguf-changes li");

export const typeOf = (page: Page, key: string) => page.getByRole("combobox", { name: `Type of ${key}` });
export const valueOf = (page: Page, key: string) => page.getByRole("textbox", { name: `Value of ${key}` });

/** Opens a local file and begins to edit it. */
export async function startEditing(
  page: Page,
  app: Parameters<typeof openFile>[1],
  data: Uint8Array,
  name?: string,
): Promise<void> {
  await openFile(page, app, data, name);
  await beginEditing(page);
}

/** Begins to edit the open file. The bar moves the rows, so nothing may be clicked before it is there. */
export async function beginEditing(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(bar(page)).toBeVisible();
}

/** Expands the row of an entry and returns its form. */
export async function openEntry(page: Page, key: string): Promise<Locator> {
  const row = rowOf(page, key);
  await expect(row).toBeVisible();
  if ((await row.getAttribute("aria-expanded")) === "false") await row.click();
  const remove = page.getByRole("button", { name: new RegExp(`^Remove \\S*${key}$`) });
  const found = page.locator("gguf-edit-entry").filter({ has: remove });
  await expect(found).toBeVisible();
  return found;
}

/** Sets the value of an entry, from a collapsed row to a collapsed row. */
export async function setValue(page: Page, key: string, value: string): Promise<void> {
  await rowOf(page, key).click();
  await valueOf(page, key).fill(value);
  await valueOf(page, key).press("Control+Enter");
  await rowOf(page, key).click();
}

export async function downloadedBytes(download: Download): Promise<Uint8Array> {
  return new Uint8Array(await readFile(await download.path()));
}

/** Saves the edited file as a download and returns its bytes. */
export async function downloadEdited(page: Page): Promise<Uint8Array> {
  await page.getByRole("button", { name: "Save…" }).click();
  const waiting = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Download", exact: true }).click();
  return downloadedBytes(await waiting);
}
