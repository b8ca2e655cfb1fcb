import type { Page } from "@playwright/test";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { FORTY } from "../../support/hub-server.mjs";
import { expect, expectOpen, test } from "../support/fixtures.ts";
import { HUB, routeHub } from "../support/hub.ts";
import { leaveDocument } from "../support/shared-page.ts";

const list = (page: Page) => page.locator("gguf-repository");
const names = (page: Page, table = "Models") => list(page).getByRole("table", { name: table }).locator("tbody th a");
const field = (page: Page) => page.getByRole("textbox", { name: "Address of a GGUF file, or a repository" });

async function openTyped(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
}

test("a name lists forty files: models apart from what belongs to them, a set as one row", async ({ page, app }) => {
  const { asked } = await routeHub(page);
  await page.goto(app.origin);
  await openTyped(page, "owner/name");
  await expect(names(page)).toHaveCount(36);
  await expect(names(page, "Other files")).toHaveCount(4);
  await expect(page).toHaveURL(`${app.origin}/#repo=owner/name`);
  await expect(page).toHaveTitle(/^owner\/name – /);
  await expect(list(page).locator(".facts")).toContainText("40 GGUF files");
  await expect(list(page).locator(".facts")).toContainText("8.03 B parameters");
  const row = (name: string) => list(page).getByRole("row", { name });
  await expect(row("Instruct-Q4_K_M.gguf")).toContainText("6.18 GB");
  await expect(row("BF16/Sample")).toContainText("2 shards");
  await expect(row("BF16/Sample")).toContainText("16.00");
  await expect(row("F32/Sample")).toContainText("3 of 4 shards: the set is not complete");
  await expect(row("mmproj-Sample-8B-Instruct-F16")).toContainText("Multimodal projector");
  await expect(list(page).getByRole("link", { name: "Open on Hugging Face" })).toHaveAttribute(
    "href",
    `${HUB}/owner/name`,
  );
  expect(asked.map(({ path }) => path).sort()).toEqual(["/api/models/owner/name", "/api/models/owner/name/tree/main"]);
});

test("a link whose address is a name lists the files", async ({ page, app }) => {
  await routeHub(page);
  await page.goto(`${app.origin}/#url=owner/name`);
  await expect(names(page)).toHaveCount(36);
  await expect(page).toHaveURL(`${app.origin}/#repo=owner/name`);
});

test("nothing is requested from the hub unless a repository is named", async ({ page, app }) => {
  await leaveDocument(page);
  const { asked } = await routeHub(page);
  await page.goto(app.origin);
  await field(page).pressSequentially("owner/name");
  await page.goto(`${app.origin}/#url=sample.gguf`);
  await expect(page.locator("gguf-summary-panel")).toBeVisible();
  expect(asked).toEqual([]);
});

test.describe("a file that the app does not have", () => {
  test.use({ expected: /404/ });

  test("a relative address stays what it is", async ({ page, app }) => {
    const { asked } = await routeHub(page);
    await page.goto(app.origin);
    await openTyped(page, "models/x.gguf");
    await expect(page.locator("gguf-error-panel")).toBeVisible();
    await expect(page).toHaveURL(/#url=models\/x\.gguf$/);
    expect(asked).toEqual([]);
  });
});

test("a relative address with folders is not requested, and the message has the name on the hub", async ({
  page,
  app,
}) => {
  const { asked } = await routeHub(page, { "owner/name": { files: { "a b/small.gguf": smallModel() } } });
  await page.goto(app.origin);
  await openTyped(page, "owner/name/a b/small.gguf");
  await expect(page.locator("gguf-open-field").getByRole("alert")).toContainText("hub:owner/name/a b/small.gguf");
  expect(asked).toEqual([]);
  await openTyped(page, "hub:owner/name/a b/small.gguf");
  await expectOpen(page, "small.gguf");
});

test("listing can be cancelled, and started again", async ({ page, app }) => {
  const { asked } = await routeHub(page);
  const held: (() => void)[] = [];
  await page.route(`${HUB}/api/**`, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.fallback();
  });
  await page.goto(`${app.origin}/#repo=owner/name`);
  await list(page).getByRole("button", { name: "Cancel" }).click();
  await expect(list(page)).toContainText("was cancelled");
  await page.unroute(`${HUB}/api/**`);
  for (const release of held) release();
  await list(page).getByRole("button", { name: "Try again" }).click();
  await expect(names(page)).toHaveCount(36);
  expect(asked.length).toBeGreaterThan(1);
});

test("addresses of repositories and folders", async ({ page, app }) => {
  const { asked } = await routeHub(page);
  await page.goto(app.origin);
  await openTyped(page, `${HUB}/owner/name/tree/main`);
  await expect(names(page)).toHaveCount(36);
  await expect(page).toHaveURL(/#repo=owner\/name$/);
  await openTyped(page, "hf.co/owner/name/tree/v2/Q4");
  await expect(page).toHaveURL(/#repo=owner\/name@v2\/Q4$/);
  await expect(list(page).locator(".facts")).toContainText("Folder Q4");
  expect(asked.map(({ path }) => path)).toContain("/api/models/owner/name/tree/v2/Q4");
});

test("filter and order are in the address, and come back with it", async ({ page, app }) => {
  await routeHub(page);
  await page.goto(`${app.origin}/#repo=owner/name`);
  await page.getByRole("searchbox", { name: "Filter files" }).fill("q4_k");
  // The smallest file is the first.
  await expect(names(page)).toHaveText([/Q4_K_L/, /Q4_K_M/, /Q4_K_S/]);
  await expect(list(page).locator(".count")).toHaveText("3 files of 40 files");
  await list(page).getByRole("button", { name: "Size" }).click();
  await expect(names(page)).toHaveText([/Q4_K_S/, /Q4_K_M/, /Q4_K_L/]);
  await expect(list(page).getByRole("columnheader", { name: "Size" })).toHaveAttribute("aria-sort", "descending");
  await expect(page).toHaveURL(/#repo=owner\/name&repo.filter=q4_k&repo.sort=-size$/);
  await page.reload();
  await expect(names(page)).toHaveText([/Q4_K_S/, /Q4_K_M/, /Q4_K_L/]);
  await page.getByRole("searchbox", { name: "Filter files" }).fill("nothing like this");
  await expect(list(page).getByText("No file matches the filter.")).toBeVisible();
});

test("every column sorts in both directions", async ({ page, app }) => {
  await routeHub(page);
  await page.goto(`${app.origin}/#repo=owner/name&repo.sort=bits`);
  const models = list(page).getByRole("table", { name: "Models" });
  await expect(names(page).first()).toHaveText(/IQ1_S/);
  // Files without a value are last in both directions.
  await expect(names(page).last()).toHaveText(/F32/);
  await models.getByRole("button", { name: "Bits per weight" }).click();
  await expect(names(page).first()).toHaveText(/BF16/);
  await expect(names(page).last()).toHaveText(/F32/);
  await models.getByRole("button", { name: "Quantization" }).click();
  await expect(names(page).first()).toHaveText(/BF16/);
  await models.getByRole("button", { name: "Name" }).click();
  await expect(names(page).first()).toHaveText(/^BF16/);
  await models.getByRole("button", { name: "Name" }).click();
  await expect(names(page).last()).toHaveText(/^BF16/);
});

test("a row opens its file, and going back does not ask again", async ({ page, app }) => {
  const { asked } = await routeHub(page, { "owner/name": { files: { "a b/small.gguf": smallModel(), "n.gguf": 5 } } });
  await page.goto(`${app.origin}/#repo=owner/name&repo.filter=small`);
  await names(page).first().click();
  await expectOpen(page, "small.gguf");
  await expect(page).toHaveURL(/#url=https:\/\/huggingface\.co\/owner\/name\/resolve\/main\/a%2520b\/small\.gguf$/);
  const before = asked.length;
  await page.goBack();
  await expect(names(page)).toHaveCount(1);
  expect(asked.length).toBe(before);
  await page.goForward();
  await expectOpen(page, "small.gguf");
});

test("a row works as a link, in a new tab too", async ({ page, app, context }) => {
  await routeHub(page);
  await page.goto(`${app.origin}/#repo=owner/name`);
  await expect(names(page).first()).toHaveAttribute(
    "href",
    /^#url=https:\/\/huggingface\.co\/owner\/name\/resolve\/main\//,
  );
  expect(context.pages()).toHaveLength(1);
});

test("a repository is remembered on the start page", async ({ page, app }) => {
  await routeHub(page, { "owner/name": FORTY });
  await page.goto(`${app.origin}/#repo=owner/name`);
  await expect(names(page)).toHaveCount(36);
  await page.goto(`${app.origin}/`);
  const recent = page.getByRole("link", { name: "owner/name" });
  await expect(recent).toContainText("Repository · huggingface.co");
  await recent.click();
  await expect(names(page)).toHaveCount(36);
});

test("the best file for the user's card is marked, with the reason, and the card is remembered", async ({
  page,
  app,
}) => {
  await routeHub(page);
  await page.goto(`${app.origin}/#repo=owner/name`);
  const choice = list(page).locator(".choice");
  const best = list(page).locator("tr.best");
  await expect(choice.getByRole("status")).toContainText("Likely best Q4_K_M");
  await expect(choice).toContainText("The usual balance of size and quality.");
  await expect(best).toHaveCount(1);
  await expect(best).toContainText("Sample-8B-Instruct-Q4_K_M.gguf");
  await list(page).getByLabel("GPU memory").selectOption("8");
  await expect(choice).toContainText("The largest quantization that fits your 8 GB of GPU memory.");
  // 6.37 GB and 2 GiB are less than 8 GiB. The next file has 6.56 GB.
  await expect(best).toContainText("Sample-8B-Instruct-Q4_K_S.gguf");
  // Nobody has chosen the main memory or a bandwidth.
  const stored = await page.evaluate(() => localStorage.getItem("machine") ?? "");
  expect(JSON.parse(stored)).toEqual({ cards: [8] });
  await page.reload();
  await expect(list(page).getByLabel("GPU memory")).toHaveValue("8");
  await expect(best).toHaveCount(1);
  await expect(choice.getByRole("link")).toHaveText("Q4_K_S");
  await expect(choice.getByRole("link")).toHaveAttribute(
    "href",
    /^#url=.*\/owner\/name\/resolve\/main\/.*-Q4_K_S\.gguf$/,
  );
});

test("an incomplete set fits no card, because its size is not known", async ({ page, app }) => {
  const files = { "m-Q4_K_M-00001-of-00003.gguf": 1e9, "m-Q5_K_M.gguf": 5e9 };
  await routeHub(page, { "owner/name": { files } });
  await page.goto(`${app.origin}/#repo=owner/name`);
  const fits = (name: string) => list(page).getByRole("row", { name }).locator(".fits");
  await expect(fits("m-Q5_K_M.gguf").getByRole("img")).toHaveAccessibleName("Fits 8, 12, 16, and 24 GB");
  await expect(fits("m-Q4_K_M-00001")).toHaveText("–");
  await expect(fits("m-Q4_K_M-00001").getByRole("img")).toHaveCount(0);
});

test("each model says which cards its weights fit, and how many bits it has", async ({ page, app }) => {
  const files = {
    "m-8B-Q4_K_M.gguf": 4_920_000_000,
    "m-8B-Q8_0.gguf": 8_540_000_000,
    "m-8B-BF16.gguf": 16_070_000_000,
  };
  await routeHub(page, { "owner/name": { files } });
  await page.goto(`${app.origin}/#repo=owner/name`);
  const row = (name: string) => list(page).getByRole("row", { name });
  await expect(row("Q4_K_M").getByRole("img")).toHaveAccessibleName("Fits 8, 12, 16, and 24 GB");
  await expect(row("Q8_0").getByRole("img")).toHaveAccessibleName("Fits 12, 16, and 24 GB");
  await expect(row("BF16").getByRole("img")).toHaveAccessibleName("Fits 24 GB");
  // The hub does not tell the number of parameters here.
  await expect(row("Q4_K_M")).toContainText("≈ about 4.5");
  const estimate = row("Q4_K_M").locator(".estimate");
  await expect(estimate).toHaveAttribute("title", "From the name: most tensors are Q4_K.");
  // It ends where the numbers of the column end.
  const space = await estimate.evaluate((text) => {
    const cell = text.closest("td");
    if (cell === null) return NaN;
    const inner = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight);
    return inner - text.getBoundingClientRect().right;
  });
  expect(Math.abs(space)).toBeLessThan(1);
  await expect(list(page).locator(".rule")).toContainText("10% of it, at least 1 GiB");
  const widths = await list(page)
    .locator(".bar span")
    .evaluateAll((bars) => bars.map((bar) => Math.round(parseFloat((bar as HTMLElement).style.width))));
  expect(widths).toEqual([31, 53, 100]);
});

test("the page of a repository in a link is the list of its files, as a bookmark opens it", async ({ page, app }) => {
  const { asked } = await routeHub(page);
  // A new document: nothing asks for the first bytes of the page.
  await page.goto("about:blank");
  await page.goto(`${app.origin}/#url=${encodeURIComponent(`${HUB}/owner/name/tree/main?x=1`)}`);
  await expect(names(page)).toHaveCount(36);
  await expect(page).toHaveURL(`${app.origin}/#repo=owner/name`);
  expect(asked.map(({ path }) => path).sort()).toEqual(["/api/models/owner/name", "/api/models/owner/name/tree/main"]);
});

test("names are text", async ({ page, app }) => {
  const name = "<img src=x onerror=alert(1)>\u202egguf.exe\n.gguf";
  await routeHub(page, { "owner/name": { files: { [name]: 5 }, gguf: { total: 5, architecture: "<b>\u202e</b>" } } });
  await page.goto(`${app.origin}/#repo=owner/name`);
  await expect(names(page)).toContainText("<img src=x onerror=alert(1)>");
  await expect(list(page).locator("img, b")).toHaveCount(0);
  await expect(list(page).locator("bdi .escape").first()).toBeVisible();
});

test("a repository with thousands of files shows the first ones", async ({ page, app }) => {
  const files = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`m${index}.gguf`, index]));
  await routeHub(page, { "owner/name": { files } });
  await page.goto(`${app.origin}/#repo=owner/name`);
  await expect(names(page)).toHaveCount(300);
  await list(page).getByRole("button", { name: "Show all 3,000 files" }).click();
  await expect(names(page)).toHaveCount(3000);
});
