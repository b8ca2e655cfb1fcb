import type { Locator, Page } from "@playwright/test";
import { openFile } from "./fixtures.ts";

/** The metadata table. */
export const table = "gguf-metadata-table";

/** The first row of the metadata table that contains this text. */
export const rowOf = (page: Page, key: string): Locator => page.locator(`${table} .row`, { hasText: key }).first();

/** Opens a local file, and shows its metadata. */
export async function openMetadata(...[page, app, data, name]: Parameters<typeof openFile>): Promise<void> {
  await openFile(page, app, data, name);
  await page.getByRole("tab", { name: /^Metadata/ }).click();
}
