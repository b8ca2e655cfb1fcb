// Helpers for tests of the layout: the sizes of screens, and the tabs.

import { expect, type Page } from "@playwright/test";

/** A small phone, a phone, and a phone on its side. */
export const PHONES = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
] as const;

export const SIZES = [
  ...PHONES,
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
] as const;

/** The names of the panels that have a tab. A file is open a moment before its tabs are rendered. */
export async function shownTabs(page: Page): Promise<string[]> {
  await expect(page.locator("gguf-viewer [role=tab]").first()).toBeAttached();
  return page
    .locator("gguf-viewer")
    .evaluate((viewer) =>
      [...(viewer.shadowRoot?.querySelectorAll("[role=tab]") ?? [])].map(({ id }) => id.slice("tab-".length)),
    );
}

/** Shows the panel of a tab. */
export async function showTab(page: Page, name: string): Promise<void> {
  const tab = page.locator(`gguf-viewer #tab-${name}`);
  await tab.evaluate((element: HTMLElement) => element.click());
  await expect(tab).toHaveAttribute("aria-selected", "true");
  // The panel renders its parts, and measures its width.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
