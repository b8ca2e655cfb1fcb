import type { Page } from "@playwright/test";
import { column, expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { beginEditing } from "../support/editing.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

const tensorTable = "gguf-tensor-table";
const names = (page: Page) => column(page, tensorTable, ".name");
const filter = (page: Page) => page.getByRole("searchbox", { name: "Filter tensors by name" });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search keys, values and tokens" });
const group = (page: Page) => page.getByRole("button", { name: "Group by block" });
const type = (page: Page, name: string) =>
  page.getByRole("group", { name: "Filter by type" }).getByRole("button", { name });
const sortedBy = (page: Page, name: string) =>
  page.locator(tensorTable).getByRole("columnheader", { name, exact: true });

/** Sets a filter, types, an order and groups, and closes one group. */
async function choose(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await filter(page).fill("ffn");
  await type(page, "Q6_K").click();
  await sortedBy(page, "Name").getByRole("button").click();
  await sortedBy(page, "Name").getByRole("button").click();
  await group(page).click();
  await page.locator(`${tensorTable} .row.group`, { hasText: "blk.1" }).first().click();
}

/** Expects the state that `choose` has set. */
async function expectChosen(page: Page): Promise<void> {
  await expect(filter(page)).toHaveValue("ffn");
  await expect(type(page, "Q6_K")).toHaveAttribute("aria-pressed", "true");
  await expect(type(page, "F32")).toHaveAttribute("aria-pressed", "false");
  await expect(sortedBy(page, "Name")).toHaveAttribute("aria-sort", "descending");
  await expect(group(page)).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator(`${tensorTable} .row.group`).nth(1)).toHaveAttribute("aria-expanded", "false");
  await expect(page.locator(`${tensorTable} .count`)).toHaveText("12 of 38");
  expect((await names(page)).slice(0, 2)).toEqual(["blk.0.ffn_up.weight", "blk.2.ffn_up.weight"]);
}

const CHOSEN =
  /&view=tensors&tensors\.filter=ffn&tensors\.types=Q6_K&tensors\.sort=-name&tensors\.group=block&tensors\.closed=blk\.1$/;

test("the state of the tensor table is in the address, and survives reload", async ({ page, app, context }) => {
  await openUrl(page, app, app.file("/models/state.gguf", smallModel()));
  await choose(page);
  await expectChosen(page);
  await expect(page).toHaveURL(CHOSEN);
  await page.reload();
  await expectChosen(page);
  await expect(page).toHaveURL(CHOSEN);

  // The link opens the same state for another person.
  const other = await context.newPage();
  await other.goto(page.url());
  await expectChosen(other);
  await other.close();

  // A setting that is reset disappears from the address.
  await filter(page).fill("");
  await group(page).click();
  await type(page, "Q6_K").click();
  await expect(page).toHaveURL(/&view=tensors&tensors\.sort=-name&tensors\.closed=blk\.1$/);
});

test("the state of the metadata table is in the address, with the open row", async ({ page, app }) => {
  await openUrl(page, app, app.file("/models/search.gguf", smallModel()), "&view=metadata");
  // Only an element of an array matches.
  await search(page).fill("needle");
  await page.getByRole("button", { name: "Offsets" }).click();
  await page.locator("gguf-metadata-table .row", { hasText: "ggml.tokens" }).click();
  await expect(page).toHaveURL(/&metadata\.search=needle&metadata\.offsets=1&key=tokenizer\.ggml\.tokens$/);
  await page.reload();
  await expect(search(page)).toHaveValue("needle");
  await expect(page.getByRole("button", { name: "Offsets" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("gguf-metadata-table .count").first()).toHaveText("1 of 12");
  await expect(page.locator("gguf-metadata-table .detail")).toBeVisible();
  await expect(search(page)).toHaveValue("needle");
});

test("going back to a file restores its tables; another file has no filter", async ({ page, app }) => {
  await openUrl(page, app, app.file("/models/one.gguf", smallModel()));
  await expectOpen(page, "one.gguf");
  await choose(page);
  await expect(page).toHaveURL(CHOSEN);
  const steps = await page.evaluate(() => history.length);
  await page.evaluate(
    (url) => {
      location.hash = `#url=${url}&view=tensors`;
    },
    app.file("/models/two.gguf", smallModel()),
  );
  await expectOpen(page, "two.gguf");
  // The settings added no entries to the history.
  expect(await page.evaluate(() => history.length)).toBe(steps + 1);
  await expect(filter(page)).toHaveValue("");
  await expect(group(page)).toHaveAttribute("aria-pressed", "false");
  await filter(page).fill("norm");
  await expect(page).toHaveURL(/tensors\.filter=norm$/);
  await page.goBack();
  await expectOpen(page, "one.gguf");
  await expectChosen(page);
  await page.goForward();
  await expectOpen(page, "two.gguf");
  await expect(filter(page)).toHaveValue("norm");
});

test("going back within a file changes its tables", async ({ page, app }) => {
  const url = app.file("/models/within.gguf", smallModel());
  await openUrl(page, app, url, "&view=tensors&tensors.filter=blk.3");
  await expect(page.locator(`${tensorTable} .count`)).toHaveText("3 of 38");
  await page.evaluate((address) => {
    location.hash = `#url=${address}&view=tensors&tensors.filter=norm&tensors.group=block`;
  }, url);
  await expect(filter(page)).toHaveValue("norm");
  await expect(group(page)).toHaveAttribute("aria-pressed", "true");
  await page.goBack();
  await expect(filter(page)).toHaveValue("blk.3");
  await expect(group(page)).toHaveAttribute("aria-pressed", "false");
  await expect(page.locator(`${tensorTable} .count`)).toHaveText("3 of 38");
});

test("a link to a tensor keeps a filter that matches the tensor, and opens its group", async ({ page, app }) => {
  const url = app.file("/models/both.gguf", smallModel());
  await openUrl(
    page,
    app,
    url,
    "&tensors.filter=attn&tensors.group=block&tensors.closed=blk.2&tensor=blk.2.attn_q.weight",
  );
  await expect(page.locator(`${tensorTable} .row.active`)).toContainText("blk.2.attn_q.weight");
  await expect(filter(page)).toHaveValue("attn");
});

test("a filter in the address is kept even if it hides the tensor of the address", async ({ page, app }) => {
  const url = app.file("/models/hidden.gguf", smallModel());
  await openUrl(page, app, url, "&view=tensors");
  await page.locator(`${tensorTable} .row`, { hasText: "blk.2.ffn_up.weight" }).click();
  await filter(page).fill("attn");
  await type(page, "Q4_K").click();
  const hidden = /&view=tensors&tensors\.filter=attn&tensors\.types=Q4_K&tensor=blk\.2\.ffn_up\.weight$/;
  await expect(page).toHaveURL(hidden);
  const count = await page.locator(`${tensorTable} .count`).innerText();
  await page.reload();
  await expect(page.locator(`${tensorTable} .count`)).toHaveText(count);
  await expect(filter(page)).toHaveValue("attn");
  await expect(type(page, "Q4_K")).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(hidden);
  // The tensor opens, as before the reload, as soon as the filter shows it.
  await type(page, "Q4_K").click();
  await filter(page).fill("");
  await expect(page.locator(`${tensorTable} .row.open`)).toContainText("blk.2.ffn_up.weight");
  await expect(page.locator(`${tensorTable} .detail`)).toBeVisible();
  await expect(page).toHaveURL(/&view=tensors&tensor=blk\.2\.ffn_up\.weight$/);

  // A link within the page, with closed groups.
  await page.evaluate((address) => {
    location.hash = `#url=${address}&tensors.filter=attn&tensors.group=block&tensors.closed=blk.1&tensor=blk.1.ffn_up.weight`;
  }, url);
  await expect(filter(page)).toHaveValue("attn");
  await expect(page).toHaveURL(
    /&tensors\.filter=attn&tensors\.group=block&tensors\.closed=blk\.1&tensor=blk\.1\.ffn_up\.weight$/,
  );
  await filter(page).fill("ffn");
  await expect(
    page.locator(`${tensorTable} .row.group`).filter({ has: page.getByText("blk.1", { exact: true }) }),
  ).toHaveAttribute("aria-expanded", "false");
});

test("a search in the address is kept even if it hides the key of the address", async ({ page, app }) => {
  const url = app.file("/models/hidden-key.gguf", smallModel());
  const hidden = /&metadata\.search=tokenizer&key=general\.name$/;
  await openUrl(page, app, url, "&metadata.search=tokenizer&key=general.name");
  const count = page.locator("gguf-metadata-table .count");
  await expect(count).toHaveText(/^\d+ of \d+$/);
  await expect(search(page)).toHaveValue("tokenizer");
  await expect(page.locator("gguf-metadata-table .row.open:not(.section)")).toHaveCount(0);
  await page.reload();
  await expect(count).toHaveText(/^\d+ of \d+$/);
  await expect(search(page)).toHaveValue("tokenizer");
  await expect(page).toHaveURL(hidden);
  // The entry opens as soon as the search shows it.
  await search(page).fill("");
  await expect(page.locator("gguf-metadata-table .row.open:not(.section)")).toContainText("general.name");
  await expect(page).toHaveURL(/&key=general\.name$/);
});

test("a link in the page to a tensor clears the filter that hides it", async ({ page, app }) => {
  await openUrl(page, app, app.file("/models/led.gguf", smallModel()), "&view=tensors");
  await beginEditing(page);
  await page.locator(`${tensorTable} .row`, { hasText: "blk.2.ffn_up.weight" }).click();
  await page.getByRole("button", { name: "Remove tensor blk.2.ffn_up.weight" }).click();
  await filter(page).fill("attn");
  await expect(page).toHaveURL(/tensors\.filter=attn/);
  await page.getByRole("tab", { name: /Changes/ }).click();
  await page.locator("gguf-changes").getByRole("button", { name: "blk.2.ffn_up.weight", exact: true }).click();
  await expect(page.locator(`${tensorTable} .row.active`)).toContainText("blk.2.ffn_up.weight");
  await expect(filter(page)).toHaveValue("");
  await expect(page).not.toHaveURL(/tensors\.filter/);
});

test("invalid values in the address are ignored, and are removed from it", async ({ page, app }) => {
  const url = app.file("/models/hostile.gguf", smallModel());
  await openUrl(
    page,
    app,
    url,
    "&view=tensors&tensors.types=Q9_X,__proto__,F32&tensors.sort=constructor&tensors.group=2&tensors.closed=none.7&metadata.offsets=x",
  );
  await expect(page.locator(`${tensorTable} .count`)).toHaveText("13 of 38");
  await expect(type(page, "F32")).toHaveAttribute("aria-pressed", "true");
  await expect(sortedBy(page, "Index")).toHaveAttribute("aria-sort", "ascending");
  await expect(page).toHaveURL(/&view=tensors&tensors\.types=F32(&tensors\.closed=none\.7)?$/);
});

test("the state of a local file is in the address, too", async ({ page, app }) => {
  await openFile(page, app, smallModel(), "mine.gguf");
  await choose(page);
  await expect(page).toHaveURL(/#file=mine\.gguf&view=tensors&tensors\.filter=ffn/);
});

test("a page around the viewer gets the state of the tables, and can set it", async ({ page, app }) => {
  const url = app.file("/models/embedded-state.gguf", smallModel());
  await page.goto(app.origin);
  await page.evaluate((address) => {
    const viewer = document.createElement("gguf-viewer");
    viewer.style.height = "700px";
    const told: unknown[] = [];
    viewer.addEventListener("gguf-table", (event) => told.push((event as CustomEvent).detail));
    Object.assign(viewer, {
      src: address,
      view: "tensors",
      panelStates: { tensors: { filter: "norm", grouped: true } },
    });
    Object.assign(window, { told });
    document.body.replaceChildren(viewer);
  }, url);
  await expect(filter(page)).toHaveValue("norm");
  await expect(group(page)).toHaveAttribute("aria-pressed", "true");
  const told = () => page.evaluate(() => (window as unknown as { told: unknown[] }).told);
  // A state that the page has set is not reported.
  expect(await told()).toEqual([]);
  await group(page).click();
  expect(await told()).toEqual([{ tensors: { filter: "norm" } }]);
});
