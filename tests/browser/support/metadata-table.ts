import type { Locator, Page } from "@playwright/test";

/** The metadata table. */
export const table = "gguf-metadata-table";

/** The first row of the metadata table that contains this text. */
export const rowOf = (page: Page, key: string): Locator => page.locator(`${table} .row`, { hasText: key }).first();
