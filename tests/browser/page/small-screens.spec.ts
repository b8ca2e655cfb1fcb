import type { Page } from "@playwright/test";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { answerWithZeros, largeModel } from "../support/large-model.ts";
import { cutParts, shownTabs, showTab } from "../support/layout.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

const more = (page: Page) => page.getByRole("button", { name: "More", exact: true });
const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

/** The share of the window that the shown panel scrolls: the rows of a table, or the whole panel. */
function contentShare(page: Page): Promise<number> {
  return page
    .locator("#panel > :is(gguf-metadata-table, gguf-tensor-table):visible .scroller, #panel > .region:visible")
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
    });
}

test("on a phone most of the height belongs to the content of each panel, and nothing is cut, also while editing", async ({
  page,
  app,
}) => {
  test.slow();
  await page.setViewportSize({ width: 390, height: 844 });
  await openUrl(
    page,
    app,
    app.on("/models/tall.gguf", answerWithZeros(largeModel({ without: ["attn_q_a.weight"], experts: "IQ1_S" }))),
  );
  await expectOpen(page, "tall.gguf");
  for (const mode of ["view", "edit"]) {
    if (mode === "edit") await page.getByRole("button", { name: "Edit", exact: true }).click();
    for (const [width, height, share] of [
      [390, 844, 0.65],
      [844, 390, 0.5],
      [320, 640, 0.5],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const tab of await shownTabs(page)) {
        await showTab(page, tab);
        const place = `${tab} at ${width} × ${height}, ${mode} mode`;
        expect.soft(await contentShare(page), place).toBeGreaterThanOrEqual(share);
        expect.soft(await cutParts(page), place).toEqual([]);
      }
    }
  }
});

test("the menu of a small window opens another address, copies the link, exports and sets the theme", async ({
  page,
  app,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await openUrl(page, app, "sample.gguf");
  await expectOpen(page, "sample.gguf");
  const field = page.getByRole("textbox", { name: "Address of a GGUF file" });
  await expect(field).toHaveCount(0);
  await more(page).click();
  await item(page, "Copy link").click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await more(page).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await more(page).click();
  await expect(page.getByRole("menuitemradio", { name: "Dark" })).toHaveAttribute("aria-checked", "true");
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Tensors as CSV" }).click();
  await download;
  await more(page).click();
  await item(page, "Open another address…").click();
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  // The name of the file opens the field, too.
  await page.getByRole("button", { name: /^sample\.gguf: open/ }).click();
  await expect(field).toBeFocused();
  // What is typed replaces the address of the open file.
  await page.keyboard.type(app.file("/models/next.gguf", smallModel()));
  await field.press("Enter");
  await expectOpen(page, "next.gguf");
  await expect(field).toHaveCount(0);
});

test("in a small window the edit bar takes the place of the header, and its menu has the other actions", async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openFile(page, app, smallModel(), "small.gguf");
  await expectOpen(page, "small.gguf");
  const header = page.getByRole("banner");
  const edit = page.getByRole("button", { name: "Edit", exact: true });
  await edit.click();
  await expect(header).toBeHidden();
  // The focus is not lost with the button: it is in the table that is edited.
  await expect(page.getByRole("tab", { name: /Metadata/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("gguf-metadata-table :focus").first()).toBeAttached();
  const bar = page.getByRole("toolbar", { name: "Editing" });
  await more(page).click();
  await item(page, "Add entry").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Key" }).fill("general.author");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(bar).toContainText("1 change");
  await more(page).click();
  await expect(page.getByRole("menu")).toContainText("Exports the edited file, with 1 change.");
  await item(page, "Discard all").click();
  await expect(bar).toContainText("Editing");
  await page.getByRole("button", { name: "Stop editing" }).click();
  await expect(header).toBeVisible();
  await expect(edit).toBeFocused();
});

test("a small viewer in the page of another author has a menu beside its tabs", async ({ page, app }) => {
  app.file("/models/embedded.gguf", smallModel());
  app.on("/small.html", (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><meta charset="utf-8"><title>Theirs</title><link rel="icon" href="data:,">
      <script type="module" src="/viewer.js"></script>
      <gguf-viewer src="/models/embedded.gguf" editable style="width: 320px; height: 500px"></gguf-viewer>`);
  });
  await page.goto(`${app.origin}/small.html`);
  await expectOpen(page, "embedded.gguf");
  await expect(page.getByRole("button", { name: "Tools" })).toBeHidden();
  await more(page).click();
  await expect(page.getByRole("menuitem", { name: "Tensors as CSV" })).toBeVisible();
  await item(page, "Edit").click();
  await expect(page.getByRole("toolbar", { name: "Editing" })).toBeVisible();
  await expect(more(page)).toHaveCount(1);
});

test("the bars of the memory panel stay on a phone, but leave most of it to the settings", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  app.on("/models/large.gguf", answerWithZeros(largeModel()));
  await openUrl(page, app, "models/large.gguf", "&view=memory");
  const bars = page.locator("gguf-memory-panel .overview");
  const toEnd = () =>
    page.locator("#panel > .region:visible").evaluate((region) => region.scrollTo(0, region.scrollHeight));
  await page.getByRole("combobox", { name: "GPU memory", exact: true }).selectOption("24 GB");
  await expect(bars).toContainText("Does not fit");
  await toEnd();
  await expect(bars.locator(".bar").first()).toBeInViewport();
  const bottom = await bars.evaluate((element) => element.getBoundingClientRect().bottom);
  expect((844 - bottom) / 844).toBeGreaterThanOrEqual(0.65);
  // In a lower window they would take half of it.
  await page.setViewportSize({ width: 320, height: 640 });
  await toEnd();
  await expect(bars).not.toBeInViewport();
});

test("a link to a row far down shows the row and its detail", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  app.on("/models/large.gguf", answerWithZeros(largeModel()));
  const shown = (table: string) => page.locator(`${table} [id^=row-].active`);
  await openUrl(page, app, "models/large.gguf", "&tensor=blk.3.ffn_down_exps.weight");
  await expect(shown("gguf-tensor-table")).toContainText("blk.3.ffn_down_exps.weight");
  await expect(shown("gguf-tensor-table")).toBeInViewport();
  await openUrl(page, app, "models/large.gguf", "&view=metadata&key=tokenizer.chat_template");
  await expect(shown("gguf-metadata-table")).toContainText("tokenizer.chat_template");
  await expect(shown("gguf-metadata-table")).toBeInViewport();
});
