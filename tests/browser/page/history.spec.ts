import type { Page } from "@playwright/test";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { bar, openEntry, startEditing } from "../support/editing.ts";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { HUB, routeHub } from "../support/hub.ts";
import { rowOf } from "../support/metadata-table.ts";
import { mistypedMiniLm } from "../support/model-files.ts";

const tab = (page: Page, name: string) => page.getByRole("tab", { name: new RegExp(`^${name}`) });
const shown = (page: Page, name: string) => expect(tab(page, name)).toHaveAttribute("aria-selected", "true");
const entries = (page: Page) => page.evaluate(() => history.length);

/** Lets the time pass after which another panel is a step of its own. */
const pause = (page: Page) => page.clock.fastForward(1000);

async function choose(page: Page, name: string): Promise<void> {
  await pause(page);
  await tab(page, name).click();
  await shown(page, name);
}

test("going back leads to the panel before, with its row and filter, and opens nothing again", async ({
  page,
  app,
}) => {
  await page.clock.install();
  const filter = page.locator("gguf-tensor-table input[type=search]");
  await page.goto(app.origin);
  const url = app.file("/models/steps.gguf", smallModel());
  await openUrl(page, app, url, "&view=metadata");
  await rowOf(page, "general.name").click();
  await choose(page, "Tensors");
  await filter.fill("ffn");
  await page.locator("gguf-tensor-table .row", { hasText: "blk.1.ffn_up.weight" }).click();
  await choose(page, "Memory");
  await choose(page, "Tensors");
  await filter.fill("attn");
  await expect(page).toHaveURL(/tensors\.filter=attn/);
  await page.evaluate(() => {
    const seen = Object.assign(window, { opened: 0 });
    addEventListener("gguf-open", () => (seen.opened += 1));
  });

  await page.goBack();
  await shown(page, "Memory");
  await expect(page).toHaveURL(/&view=memory/);
  await page.goBack();
  await shown(page, "Tensors");
  await expect(page).toHaveURL(/&view=tensors&tensors\.filter=ffn&tensor=blk\.1\.ffn_up\.weight$/);
  await expect(filter).toHaveValue("ffn");
  await expect(page.locator("gguf-tensor-table .row.active")).toContainText("blk.1.ffn_up.weight");
  await page.goBack();
  await shown(page, "Metadata");
  await expect(page.locator("gguf-metadata-table .row.active")).toContainText("general.name");
  // The filter of a panel that is not shown stays.
  await expect(filter).toHaveValue("ffn");
  await page.goForward();
  await page.goForward();
  await page.goForward();
  await shown(page, "Tensors");
  await expect(filter).toHaveValue("attn");
  for (let step = 0; step < 4; step += 1) await page.goBack();
  await expect(page.getByRole("heading", { name: "Look inside a GGUF model" })).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { opened: number }).opened)).toBe(0);
});

test("a row that a finding leads to is a step, and a panel without a name in the address comes back", async ({
  page,
  app,
}) => {
  await page.clock.install();
  await openFile(page, app, mistypedMiniLm());
  await choose(page, "Checks");
  const before = await entries(page);
  await pause(page);
  await page
    .locator("gguf-checks")
    .getByRole("button", { name: /^Show (entry|tensor)/ })
    .first()
    .click();
  await expect(tab(page, "Checks")).toHaveAttribute("aria-selected", "false");
  expect(await entries(page)).toBe(before + 1);
  await page.goBack();
  await shown(page, "Checks");
  await page.goBack();
  await shown(page, "Summary");
  await expect(page).toHaveURL(/#file=model\.gguf$/);
});

test("panels that are passed by holding a key are one step", async ({ page, app }) => {
  await page.clock.install();
  await openUrl(page, app, app.file("/models/passed.gguf", smallModel()), "&view=metadata");
  await tab(page, "Metadata").waitFor();
  const before = await entries(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await tab(page, "Metadata").focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowRight");
  expect(await entries(page)).toBe(before + 1);
  await page.clock.resume();
  await pause(page);
  const [last] = await page.getByRole("tab", { selected: true }).allInnerTexts();
  await page.goBack();
  await shown(page, "Metadata");
  await page.goForward();
  await expect(page.getByRole("tab", { selected: true }).first()).toHaveText(last ?? "");
});

test("going back between panels keeps unsaved changes; leaving the file asks", async ({ page, app }) => {
  await page.clock.install();
  await startEditing(page, app, smallModel());
  const field = (await openEntry(page, "general.name")).getByRole("textbox", { name: /Value of/ });
  await field.fill("Other");
  await field.press("Enter");
  await choose(page, "Tensors");
  await choose(page, "Memory");
  const box = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.goBack();
  await shown(page, "Tensors");
  // A keyboard user is still on the tabs.
  await expect(tab(page, "Tensors")).toBeFocused();
  await page.goBack();
  await shown(page, "Metadata");
  await expect(rowOf(page, "general.name")).toContainText("Other");
  await expect(box).toBeHidden();
  await page.goBack();
  await expect(box).toContainText("1 change will be lost");
  await box.getByRole("button", { name: "Continue editing" }).click();
  await expect(bar(page)).toBeVisible();
  await expect(rowOf(page, "general.name")).toContainText("Other");
});

test("going back from a file leads to the list of its repository, with the filter that was typed last", async ({
  page,
  app,
}) => {
  await page.clock.install();
  await routeHub(page, { "owner/name": { files: { "small.gguf": smallModel(), "large.gguf": 5 } } });
  await page.goto(`${app.origin}/#repo=owner/name`);
  const filter = page.getByRole("searchbox", { name: "Filter files" });
  await filter.waitFor();
  // The file is opened before the address has the filter.
  await page.clock.pauseAt(Date.now() + 60_000);
  await filter.fill("small");
  await page.locator("gguf-repository tbody th a").click();
  await page.clock.resume();
  await shown(page, "Summary");
  await expect(page).toHaveURL(new RegExp(`#url=${HUB}`));
  await choose(page, "Tensors");
  await page.goBack();
  await shown(page, "Summary");
  await page.goBack();
  await expect(filter).toHaveValue("small");
  await expect(page.locator("gguf-repository tbody th a")).toHaveCount(1);
});
