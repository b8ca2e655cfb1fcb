/** Words in the address field search the models of the hub. */

import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { HUB, hubModel, routeSearch } from "../support/hub.ts";

const field = (page: Page) => page.getByRole("textbox", { name: "Address of a GGUF file, or a repository" });
const list = (page: Page) => page.locator("gguf-model-search");
const names = (page: Page) => list(page).getByRole("listitem").getByRole("link");

async function search(page: Page, words: string): Promise<void> {
  await field(page).fill(words);
  await field(page).press("Enter");
}

const MODELS = [
  hubModel("owner/name", { downloads: 1_234_567, likes: 1 }),
  hubModel("ggml-org/Other-GGUF", { downloads: 5, gated: "manual", lastModified: "2024-12-31T23:59:59.000Z" }),
  hubModel("a/b", { downloads: undefined, likes: "many", lastModified: "yesterday", gated: null }),
];

test("the hub is asked when Enter is pressed, not while a person types, and a model opens the list of its files", async ({
  page,
  app,
}) => {
  const { asked, searches } = await routeSearch(page, () => MODELS);
  await page.goto(app.origin);
  await field(page).pressSequentially("llama 3");
  await expect(page.locator("gguf-open-field").getByRole("status")).toHaveText(
    "Enter asks huggingface.co for models with “llama 3” in their names.",
  );
  await expect(page.getByRole("button", { name: "Search", exact: true })).toBeVisible();
  expect(searches).toEqual([]);
  await field(page).press("Enter");
  await expect(names(page)).toHaveText(["owner/name", "ggml-org/Other-GGUF", "a/b"]);
  const { query, token } = searches[0] ?? {};
  expect(query).toMatchObject({ search: "llama 3", filter: "gguf", sort: "downloads", direction: "-1", limit: "50" });
  expect(token).toBeUndefined();
  await expect(page).toHaveURL(`${app.origin}/#search=llama%203`);
  await expect(page).toHaveTitle(/^llama 3 – /);
  const rows = list(page).getByRole("listitem");
  await expect(rows.nth(0)).toContainText(/1\.23M downloads\s+1 like\s+Mar 12, 2026/);
  await expect(rows.nth(1)).toContainText("5 downloads");
  await expect(rows.nth(1)).toContainText("Gated");
  await expect(rows.nth(1)).toContainText("Dec 31, 2024");
  // Values that the hub does not state are left out.
  await expect(rows.nth(2)).not.toContainText(/download|like|Invalid|Gated/);
  await names(page).first().click();
  await expect(page).toHaveURL(`${app.origin}/#repo=owner/name`);
  await expect(page.locator("gguf-repository").getByRole("table", { name: "Models" })).toBeVisible();
  expect(asked.map(({ path }) => path)).toContain("/api/models/owner/name");
  await page.goBack();
  await expect(names(page)).toHaveCount(3);
  expect(searches).toHaveLength(1);
});

test("a link with words searches, and the words stay in the field", async ({ page, app }) => {
  const { searches } = await routeSearch(page, () => MODELS);
  await page.goto(`${app.origin}/#search=qwen3%20%26%20more`);
  await expect(names(page)).toHaveCount(3);
  expect(searches.map(({ query }) => query["search"])).toEqual(["qwen3 & more"]);
  await expect(field(page)).toHaveValue("qwen3 & more");
  await search(page, "gemma");
  await expect(page).toHaveURL(/#search=gemma$/);
  await expect.poll(() => searches.map(({ query }) => query["search"])).toEqual(["qwen3 & more", "gemma"]);
  await expect(list(page).getByRole("link", { name: "Search on Hugging Face" })).toHaveAttribute(
    "href",
    `${HUB}/models?library=gguf&search=gemma`,
  );
});

test("the arrow keys go through the models, and Enter opens one", async ({ page, app }) => {
  await routeSearch(page, () => MODELS);
  await page.goto(`${app.origin}/#search=x`);
  await names(page).first().focus();
  await page.keyboard.press("ArrowDown");
  await expect(names(page).nth(1)).toBeFocused();
  await page.keyboard.press("End");
  await expect(names(page).nth(2)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(names(page).nth(2)).toBeFocused();
  await page.keyboard.press("Home");
  await expect(names(page).first()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(names(page).first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#repo=owner\/name$/);
});

test("no model is found", async ({ page, app }) => {
  await routeSearch(page, () => []);
  await page.goto(`${app.origin}/#search=nothing%20like%20this`);
  await expect(list(page)).toContainText("No repository with GGUF files on Hugging Face matches “nothing like this”");
  await expect(list(page).getByRole("link", { name: "Search on Hugging Face" })).toBeVisible();
});

test("a search can be cancelled, and started again", async ({ page, app }) => {
  let release = () => {};
  await routeSearch(page, () => MODELS);
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`${HUB}/api/**`, async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto(`${app.origin}/#search=x`);
  await expect(list(page)).toContainText("Searching huggingface.co for “x”");
  await list(page).getByRole("button", { name: "Cancel" }).click();
  await expect(list(page)).toContainText("was cancelled");
  release();
  await list(page).getByRole("button", { name: "Try again" }).click();
  await expect(names(page)).toHaveCount(3);
});

test("names are text, and what is no name of a repository is left out", async ({ page, app }) => {
  await routeSearch(page, () => [
    hubModel("<img src=x>/y"),
    hubModel("javascript:alert(1)"),
    hubModel("../../x"),
    { id: 5 },
    "text" as unknown as object,
    hubModel("a/b"),
  ]);
  await page.goto(`${app.origin}/#search=%3Cimg%20src=x%3E`);
  await expect(names(page)).toHaveText(["a/b"]);
  await expect(list(page).locator("img")).toHaveCount(0);
  await expect(list(page).getByRole("heading")).toHaveText("Models for “<img src=x>”");
});

test.describe("what the hub refuses", () => {
  // The browser's console names every refused request.
  test.use({ expected: /Failed to load resource|net::ERR|CORS policy/ });
  const card = (page: Page) => list(page).getByRole("alert");

  for (const [what, refusal, title, more, tokenHelps] of [
    ["a rate limit", { status: 429, headers: { "Retry-After": "120" } }, "Too many requests", "in 2 minutes", true],
    [
      "a rate limit in another header",
      { status: 429, headers: { RateLimit: '"api";r=0;t=55' } },
      "Too many requests",
      "Try again in 55 seconds",
      true,
    ],
    ["one second", { status: 429, headers: { "Retry-After": "1" } }, "Too many", "Try again in 1 second.", true],
    ["no wait", { status: 429, headers: { "Retry-After": "0" } }, "Too many", "Try again now.", true],
    ["a refused token", { status: 401 }, "The access token is refused", "answered 401", true],
    ["an error of the hub", { status: 503 }, "Hugging Face reported an error", "answered 503", false],
    ["an unknown status", { status: 418 }, "did not send the list of models", "answered 418", false],
    ["an answer that is no list", { status: 200 }, "The answer is not a list of models", "bad-response", false],
  ] as const) {
    test(`${what} says what to do`, async ({ page, app }) => {
      let refuses = true;
      await routeSearch(page, () => (refuses ? refusal : MODELS));
      await page.goto(`${app.origin}/#search=x`);
      await expect(card(page)).toContainText(title);
      await expect(card(page)).toContainText(more);
      await expect(page.locator("gguf-token-form")).toHaveCount(tokenHelps ? 1 : 0);
      refuses = false;
      await card(page).getByRole("button", { name: "Try again" }).click();
      await expect(names(page)).toHaveCount(3);
    });
  }

  test("a list that is longer than any page of results", async ({ page, app }) => {
    await routeSearch(page, () => Array.from({ length: 50_000 }, (_, at) => hubModel(`a/b${at}`)));
    await page.goto(`${app.origin}/#search=x`);
    await expect(card(page)).toContainText("The answer is not a list of models");
  });

  test("a hub that cannot be reached", async ({ page, app }) => {
    await page.route(`${HUB}/**`, (route) => route.abort());
    await page.goto(`${app.origin}/#search=x`);
    await expect(card(page)).toContainText("Hugging Face cannot be reached");
    await expect(card(page)).toContainText("network");
  });

  test("a token goes to the hub, and is forgotten with another host", async ({ page, app, other }) => {
    const { searches } = await routeSearch(page, ({ token }) =>
      token === "Bearer hf_x" ? MODELS : { status: 429, headers: { "Retry-After": "1" } },
    );
    await page.goto(`${app.origin}/#search=x`);
    await expect(page.locator("gguf-token-form")).toContainText("sent only to huggingface.co");
    await page.getByRole("textbox", { name: "Access token" }).fill("hf_x");
    await page.getByRole("button", { name: "Use token" }).click();
    await expect(names(page)).toHaveCount(3);
    expect(searches.map(({ token }) => token)).toEqual([undefined, "Bearer hf_x"]);
    const { log } = other;
    const before = log.length;
    await field(page).fill(`${other.origin}/none.gguf`);
    await field(page).press("Enter");
    await expect(page.locator("gguf-error-panel")).toBeVisible();
    expect(log.slice(before).map(({ headers }) => headers.authorization)).not.toContain("Bearer hf_x");
    await search(page, "x y");
    await expect(card(page)).toContainText("Too many requests");
    expect(searches.at(-1)?.token).toBeUndefined();
  });
});

test("a token that is given with the words goes with the search", async ({ page, app }) => {
  const { searches } = await routeSearch(page, () => MODELS);
  await page.goto(app.origin);
  await field(page).fill("llama 3");
  await page.getByRole("button", { name: "Access token" }).click();
  await expect(page.locator("gguf-token-form")).toContainText("sent only to huggingface.co");
  await page.getByRole("textbox", { name: "Access token" }).fill("hf_y");
  await page.getByRole("button", { name: "Use token" }).click();
  await expect(names(page)).toHaveCount(3);
  expect(searches.map(({ token }) => token)).toEqual(["Bearer hf_y"]);
});

test("files and addresses are not searched for", async ({ page, app }) => {
  const { asked, searches } = await routeSearch(page, () => MODELS);
  await page.goto(app.origin);
  for (const text of ["model.bin", "example.com", "llama3:8b", "me@example.com", "C:\\x", "?!", "owner/name/x.gguf"]) {
    await search(page, text);
    await expect(page.locator("gguf-open-field").getByRole("alert")).toBeVisible();
  }
  await page.goto(`${app.origin}/#url=sample.gguf`);
  await expect(page.locator("gguf-summary-panel")).toBeVisible();
  expect([...asked, ...searches]).toEqual([]);
});
