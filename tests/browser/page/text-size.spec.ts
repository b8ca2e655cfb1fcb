import type { Page } from "@playwright/test";
import { expect, expectOpen, openUrl, sampleBytes, test } from "../support/fixtures.ts";
import { answerWithZeros, largeModel } from "../support/large-model.ts";
import { cutParts, setTextSize, settled, shownTabs, showTab } from "../support/layout.ts";

// The document stays for the next test.
test.afterEach(({ page }) => setTextSize(page, ""));

/** The tables of rows, each with the panel that shows it. */
const TABLES = [
  ["metadata", "gguf-metadata-table"],
  ["tensors", "gguf-tensor-table"],
  ["tokenizer", "gguf-token-table"],
] as const;

/** The height of the first row of a table, the sizes of its text, and the rows whose text ends outside of them. */
function rowsOf(page: Page, table: string) {
  return page.locator(`${table} .scroller`).evaluate((scroller) => {
    const rows = [...scroller.querySelectorAll<HTMLElement>(".row")];
    const place = (element: Element) => element.getBoundingClientRect();
    const leaves = (row: Element) =>
      [...row.querySelectorAll("*")].filter(
        ({ children, textContent }) => children.length === 0 && textContent.trim() !== "",
      );
    const plain = rows.find((row) => !row.matches(".section, .group"));
    const view = place(scroller);
    const active = scroller.querySelector(".row.active");
    return {
      height: plain ? place(plain).height : 0,
      font: plain ? parseFloat(getComputedStyle(plain).fontSize) : 0,
      cut: rows
        .filter((row) =>
          leaves(row).some(
            (leaf) => place(leaf).top < place(row).top - 1 || place(leaf).bottom > place(row).bottom + 1,
          ),
        )
        .map(({ innerText }) => innerText),
      // Each row begins where the one before ends.
      gaps: rows.slice(1).filter((row, at) => Math.abs(place(row).top - place(rows[at] ?? row).bottom) > 0.5).length,
      isActiveShown: active !== null && place(active).top >= view.top && place(active).bottom <= view.bottom + 1,
      active: active?.getAttribute("data-row"),
    };
  });
}

test("rows of tables grow with their text, also while the page is open, and keys still scroll to them", async ({
  page,
  app,
}) => {
  // With twice the size, too, rows have one line.
  await page.setViewportSize({ width: 2400, height: 900 });
  await openUrl(page, app, app.on("/models/text.gguf", answerWithZeros(largeModel())));
  await expectOpen(page, "text.gguf");
  for (const [panel, table] of TABLES) {
    await showTab(page, panel);
    await expect(page.locator(`${table} .row`).first()).toBeVisible();
    const before = await rowsOf(page, table);
    await setTextSize(page, "32px");
    const large = await rowsOf(page, table);
    expect.soft(large.font, table).toBeCloseTo(2 * before.font, 1);
    expect.soft(large.height, table).toBe(2 * before.height);
    for (const key of ["End", "PageUp", "Home", "PageDown"]) {
      await page.locator(`${table} .scroller`).press(key);
      await settled(page);
      const { cut, gaps, isActiveShown } = await rowsOf(page, table);
      expect
        .soft({ cut, gaps, isActiveShown }, `${table} after ${key}`)
        .toEqual({ cut: [], gaps: 0, isActiveShown: true });
    }
    await setTextSize(page, "");
    expect.soft((await rowsOf(page, table)).height, table).toBe(before.height);
  }
});

test("with text of twice the size, a phone shows each panel without scrolling sideways, and nothing is cut", async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openUrl(page, app, app.file("/models/large-text.gguf", await sampleBytes()));
  await expectOpen(page, "large-text.gguf");
  await setTextSize(page, "32px");
  for (const tab of await shownTabs(page)) {
    await showTab(page, tab);
    expect.soft(await cutParts(page), tab).toEqual([]);
  }
});

test("pictures and buttons grow with the text", async ({ page, app }) => {
  await openUrl(page, app, app.file("/models/pictures.gguf", await sampleBytes()));
  await expectOpen(page, "pictures.gguf");
  const label = page.locator("gguf-quantization-map svg text").first();
  const button = page.getByRole("button", { name: "Choose a file" });
  await label.scrollIntoViewIfNeeded();
  const heights = async () => [
    await label.evaluate((element) => element.getBoundingClientRect().height),
    await button.evaluate((element) => element.getBoundingClientRect().height),
  ];
  const before = await heights();
  await setTextSize(page, "32px");
  for (const [at, height] of (await heights()).entries()) expect.soft(height / (before[at] ?? 0)).toBeCloseTo(2, 1);
});

test("in a page whose root has another size, the viewer has the unit that the page gives it", async ({ page, app }) => {
  app.file("/models/unit.gguf", await sampleBytes());
  app.on("/unit.html", (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><meta charset="utf-8"><title>Theirs</title><link rel="icon" href="data:,">
      <style>html { font-size: 62.5% } gguf-viewer { --gguf-unit: calc(1rem / 10) }</style>
      <script type="module" src="/viewer.js"></script>
      <gguf-viewer src="/models/unit.gguf" view="metadata"></gguf-viewer>`);
  });
  await page.setViewportSize({ width: 2400, height: 900 });
  await page.goto(`${app.origin}/unit.html`);
  await expect(page.locator("gguf-metadata-table .row").first()).toBeVisible();
  const own = await rowsOf(page, "gguf-metadata-table");
  expect({ font: own.font, height: own.height, cut: own.cut }).toEqual({ font: 13, height: 28, cut: [] });
  // The person has chosen twice the size in the browser.
  await setTextSize(page, "125%");
  const large = await rowsOf(page, "gguf-metadata-table");
  expect({ font: large.font, height: large.height, cut: large.cut }).toEqual({ font: 26, height: 56, cut: [] });
});
