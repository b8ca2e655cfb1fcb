import type { Page } from "@playwright/test";
import { expect, expectOpen, openUrl, test } from "../support/fixtures.ts";
import { answerWithZeros, largeModel } from "../support/large-model.ts";
import { PHONES, shownTabs, showTab, SIZES } from "../support/layout.ts";
import type { TestServer } from "../support/server.ts";

/** A large model with findings in every block, so that the panels are long. */
function serveLarge(app: TestServer): string {
  return app.on("/models/long.gguf", answerWithZeros(largeModel({ without: ["attn_q_a.weight", "ffn_norm.weight"] })));
}

/** Scrolls everything in the viewer to its end, and tries to scroll the document. */
async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walk = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        if (getComputedStyle(element).overflowY !== "visible") element.scrollTo({ top: 1e7, behavior: "instant" });
      }
    };
    walk(document);
    scrollTo({ top: 1e7, behavior: "instant" });
  });
}

/** What must not move: the heights of the document and the window, and the places of the bars. */
function bars(page: Page) {
  return page.evaluate(() => {
    const app = document.querySelector("gguf-app")?.shadowRoot;
    const viewer = (app ?? document).querySelector("gguf-viewer");
    const top = (element: Element | null | undefined) => element?.getBoundingClientRect().top;
    return {
      hidden: document.documentElement.scrollHeight - innerHeight,
      scrolled: document.documentElement.scrollTop + document.body.scrollTop,
      header: top(app?.querySelector("header")),
      tabs: top(viewer?.shadowRoot?.querySelector("[role=tablist]")),
    };
  });
}

/** Scrollers of the page that are not the containing block of what is in them, and regions that scroll beyond their content. */
function wrongScrollers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wrong: string[] = [];
    const walk = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        const { overflowY, position } = getComputedStyle(element);
        if (!/auto|scroll/.test(overflowY) || element.localName === "textarea") continue;
        const name = `${root instanceof ShadowRoot ? root.host.localName : ""} ${element.localName}.${element.className}`;
        if (position === "static") wrong.push(`${name} is not positioned`);
        if (!element.matches(".region")) continue;
        const content = Math.max(...[...element.children].map((child) => child.getBoundingClientRect().bottom));
        const end = element.getBoundingClientRect().top - element.scrollTop + element.scrollHeight;
        if (element.scrollHeight > element.clientHeight && end > content + 1)
          wrong.push(`${name} ends with ${end - content} empty px`);
      }
    };
    walk(document);
    return wrong;
  });
}

test("header and tabs stay when a panel is scrolled to its end, and the document is never taller than the window", async ({
  page,
  app,
}) => {
  test.slow();
  await openUrl(page, app, serveLarge(app));
  await expectOpen(page, "long.gguf");
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const tab of await shownTabs(page)) {
      await showTab(page, tab);
      const before = await bars(page);
      await scrollToEnd(page);
      await page.mouse.move(size.width / 2, size.height - 40);
      await page.mouse.wheel(0, 5000);
      await page.keyboard.press("End");
      const place = `${tab} at ${size.width} × ${size.height}`;
      expect.soft(await bars(page), place).toEqual({ ...before, hidden: 0, scrolled: 0 });
      expect.soft(await wrongScrollers(page), place).toEqual([]);
    }
  }
});

test("a viewer in the page of another author makes the page no taller", async ({ page, app }) => {
  const url = serveLarge(app);
  app.on("/tall.html", (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><meta charset="utf-8"><title>Theirs</title><link rel="icon" href="data:,">
      <style>body { margin: 0 }</style><script type="module" src="/viewer.js"></script>
      <gguf-viewer src="${url}" style="height: 350px"></gguf-viewer>`);
  });
  for (const size of PHONES) {
    await page.setViewportSize(size);
    await page.goto(`${app.origin}/tall.html`);
    await expectOpen(page, "long.gguf");
    for (const tab of await shownTabs(page)) {
      await showTab(page, tab);
      const before = await bars(page);
      await scrollToEnd(page);
      expect.soft(await bars(page), tab).toEqual({ ...before, hidden: 0, scrolled: 0 });
    }
  }
});

test("each panel that scrolls as a whole is a region that can have the focus", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openUrl(page, app, serveLarge(app));
  await expectOpen(page, "long.gguf");
  const withTable: string[] = [];
  for (const tab of await shownTabs(page)) {
    await showTab(page, tab);
    const panel = page.locator("gguf-viewer [role=tabpanel]#panel").first();
    const tables = panel.locator(":is(gguf-metadata-table, gguf-tensor-table):visible");
    const region = panel.locator("> [role=region][aria-label]:visible");
    // The code of the panel is loaded when it is first shown.
    await expect(tables.or(region).first()).toBeVisible();
    // The tables of entries and of tensors have the focus themselves.
    if (await tables.count()) {
      withTable.push(tab);
      continue;
    }
    await region.focus();
    await expect.soft(region, tab).toBeFocused();
  }
  expect(withTable).toEqual(["metadata", "tensors"]);
});
