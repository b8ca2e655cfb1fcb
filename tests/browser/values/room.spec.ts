// The detail of a tensor has room for its texts at all usual widths.

import type { Page } from "@playwright/test";
import { expect, openUrl, test } from "../support/fixtures.ts";
import { answerWithZeros, largeModel } from "../support/large-model.ts";
import { detail } from "../support/values-panel.ts";

/** The texts of the detail that are wider than their box, or leave a box that cuts them. Texts in a box that scrolls can be read. */
const cutTexts = (page: Page) =>
  detail(page).evaluate((root) => {
    const cut: string[] = [];
    const visit = (element: Element, bounds: DOMRect | undefined): void => {
      // The bar with the name repeats the row and the list of facts.
      if (!element.checkVisibility() || element.matches("canvas, select, .sr, .name-bar")) return;
      const { overflowX } = getComputedStyle(element);
      const isText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
      const box = element.getBoundingClientRect();
      const isWider = overflowX !== "visible" && overflowX !== "auto" && element.scrollWidth > element.clientWidth;
      const isOutside = bounds !== undefined && (box.left < bounds.left - 1 || box.right > bounds.right + 1);
      if (isText && (isWider || isOutside)) cut.push(`${element.localName} ${element.textContent?.trim()}`);
      const own =
        overflowX === "auto" ? undefined : overflowX === "visible" && !element.matches("button") ? bounds : box;
      for (const child of [...(element.shadowRoot?.children ?? []), ...element.children]) visit(child, own);
    };
    visit(root, root.getBoundingClientRect());
    return cut;
  });

test("no text of a tensor's detail is cut at any usual width", async ({ page, app }) => {
  const url = app.on("/values/room.gguf", answerWithZeros(largeModel()));
  for (const width of [320, 390, 768, 1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    // Closes the file: each width opens it, and makes the detail, anew.
    await page.goto(`${app.origin}/#`);
    await expect(detail(page)).toHaveCount(0);
    await openUrl(page, app, url, "&view=tensors&tensors.filter=blk.3.ffn_down_exps&tensor=blk.3.ffn_down_exps.weight");
    await expect(page.getByRole("button", { name: "Compute statistics of the whole tensor" })).toBeAttached();
    expect(await cutTexts(page), `${width} px`).toEqual([]);
  }
});
