// Helpers for tests of the layout: the sizes of screens, and the tabs.

import { expect, type Page } from "@playwright/test";
import { ofRun } from "../../support/long.mjs";

interface Size {
  readonly width: number;
  readonly height: number;
}

const SMALL_PHONE: Size = { width: 320, height: 640 };
const PHONE_ON_ITS_SIDE: Size = { width: 844, height: 390 };
const SCREEN: Size = { width: 1280, height: 720 };

/** The narrowest phone and the lowest one; in a long run also a usual one. */
export const PHONES: readonly Size[] = [SMALL_PHONE, PHONE_ON_ITS_SIDE, ...ofRun([], [{ width: 390, height: 844 }])];

export const SIZES: readonly Size[] = [
  ...PHONES,
  SCREEN,
  ...ofRun(
    [],
    [
      { width: 768, height: 1024 },
      { width: 1440, height: 900 },
    ],
  ),
];

/** Waits until what follows the size of the window has its new size: in the frame of the change, and in the next one. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}

/** Sets the size of the text, as a person does in the settings of the browser. "" is the size that it has at first. */
export async function setTextSize(page: Page, size: string): Promise<void> {
  await page.evaluate((value) => document.documentElement.style.setProperty("font-size", value), size);
  await settled(page);
}

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

/** Boxes that scroll sideways, controls outside of the window, and buttons with cut text. Rows that may scroll sideways are left out. */
export function cutParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = [];
    const name = (element: Element) =>
      `${element.localName}.${element.className} ${element.textContent.trim().slice(0, 40)}`;
    const parent = (element: Element) =>
      element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as ShadowRoot).host;
    const mayScroll = (element: Element): boolean => {
      for (let at: Element | null | undefined = element; at; at = parent(at))
        if (
          /auto|scroll/.test(getComputedStyle(at).overflowX) &&
          !at.matches(".region, .scroller[role], :host, textarea")
        )
          return true;
      return false;
    };
    const walk = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll<HTMLElement>("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".sr, [aria-hidden=true]"))
          continue;
        if (element.matches(".region, [role=treegrid], [role=grid]") && element.scrollWidth > element.clientWidth)
          cut.push(`${name(element)} is ${element.scrollWidth - element.clientWidth} px wider than its box`);
        if (!element.matches("button, input, select, textarea, a, [role=slider]") || mayScroll(element)) continue;
        const { left, right, width } = element.getBoundingClientRect();
        if (width > 0 && (left < 0 || right > innerWidth)) cut.push(`${name(element)} ends outside of the window`);
        // The name of the file is in the summary, too.
        if (element.matches("button:not(.name)") && element.scrollWidth > element.clientWidth)
          cut.push(`${name(element)} is cut`);
      }
    };
    walk(document);
    if (document.documentElement.scrollWidth > innerWidth) cut.push("the document scrolls sideways");
    return cut;
  });
}
