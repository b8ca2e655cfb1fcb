import type { Page } from "@playwright/test";
import { FORTY } from "../../support/hub-server.mjs";
import { expect, test } from "../support/fixtures.ts";
import { HUB, routeHub } from "../support/hub.ts";

// The browser's console names every refused request.
test.use({ expected: /Failed to load resource/ });

const card = (page: Page) => page.locator("gguf-repository").getByRole("alert");

for (const [what, refusal, title, tokenHelps] of [
  ["a missing or private repository", { status: 401, code: "RepoNotFound" }, "Missing or private repository", true],
  ["a gated repository", { status: 403, code: "GatedRepo" }, "Access is not granted", true],
  ["a revision that does not exist", { status: 404, code: "RevisionNotFound" }, "No such revision or folder", false],
  ["a rate limit", { status: 429, headers: { RateLimit: '"api";r=0;t=120' } }, "Too many requests", true],
  ["a status that nobody expects", { status: 418 }, "418", false],
] as const) {
  test(`${what} says what to do`, async ({ page, app }) => {
    await routeHub(page, {}, () => refusal);
    await page.goto(`${app.origin}/#repo=owner/name`);
    await expect(card(page)).toContainText(title);
    await expect(card(page)).toContainText("owner/name");
    await expect(card(page).getByRole("link", { name: "Open on Hugging Face" })).toHaveAttribute(
      "href",
      `${HUB}/owner/name`,
    );
    await expect(page.locator("gguf-token-form")).toHaveCount(tokenHelps ? 1 : 0);
  });
}

test("a rate limit says when to try again", async ({ page, app }) => {
  await routeHub(page, {}, () => ({ status: 429, headers: { "Retry-After": "120" } }));
  await page.goto(`${app.origin}/#repo=owner/name`);
  await expect(card(page)).toContainText("Hugging Face has received too many requests");
  await expect(card(page)).toContainText("Try again in 2 minutes");
  // The advice is given once.
  await expect(card(page).locator("li")).toHaveCount(0);
});

test("a folder that does not exist leads to the page of the repository", async ({ page, app }) => {
  await routeHub(page, {}, () => ({ status: 404, code: "EntryNotFound" }));
  await page.goto(`${app.origin}/#repo=owner/name/missing`);
  await expect(card(page)).toContainText("No such revision or folder");
  const link = card(page).getByRole("link", { name: "Open on Hugging Face" });
  await expect(link).toHaveAttribute("href", `${HUB}/owner/name`);
});

test("a repository without GGUF files", async ({ page, app }) => {
  await routeHub(page, { "owner/name": { files: { "model.safetensors": 5 } } });
  await page.goto(`${app.origin}/#repo=owner/name`);
  await expect(card(page)).toContainText("No GGUF files");
});

test("a private repository is listed with a token, which goes to the hub only", async ({ page, app }) => {
  const { asked } = await routeHub(page, { "owner/name": FORTY }, (_, token) =>
    token === "Bearer hf_x" ? undefined : { status: 401, code: "RepoNotFound" },
  );
  await page.goto(`${app.origin}/#repo=owner/name`);
  await expect(card(page)).toContainText("Missing or private");
  await expect(page.locator("gguf-token-form")).toContainText("The token is sent only to huggingface.co");
  await page.locator("gguf-token-form").getByLabel("Access token").fill("hf_x");
  await page.getByRole("button", { name: "Use token" }).click();
  await expect(page.locator("gguf-repository tbody tr")).toHaveCount(40);
  await expect(page.locator("gguf-token-form")).toHaveCount(0);
  expect(asked.filter(({ token }) => token === "Bearer hf_x").length).toBeGreaterThan(0);
  expect(page.url()).not.toContain("hf_x");
});

test("a token that is refused can be replaced, and trying again asks again", async ({ page, app }) => {
  let isDown = true;
  const { asked } = await routeHub(page, { "owner/name": FORTY }, () => (isDown ? { status: 401 } : undefined));
  await page.goto(`${app.origin}/#repo=owner/name`);
  await page.locator("gguf-token-form").getByLabel("Access token").fill("wrong");
  await page.getByRole("button", { name: "Use token" }).click();
  await expect(page.locator("gguf-token-form")).toContainText("Access token refused by huggingface.co");
  isDown = false;
  const before = asked.length;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator("gguf-repository tbody tr")).toHaveCount(40);
  expect(asked.length).toBeGreaterThan(before);
});

test("a gated repository whose files are listed says so", async ({ page, app }) => {
  await routeHub(page, { "owner/name": { ...FORTY, gated: "manual" } });
  await page.goto(`${app.origin}/#repo=owner/name`);
  await expect(page.locator("gguf-repository .notice")).toContainText("This repository is gated.");
});

for (const [what, fail, ...words] of [
  [
    "a server error",
    { status: 503 },
    "Hugging Face reported an error",
    "huggingface.co answered 503",
    "status.huggingface.co",
  ],
  ["an unknown status", { status: 418 }, "Hugging Face did not send the list of files", "answered 418"],
  [
    "an unreachable hub",
    "connectionreset",
    "Hugging Face cannot be reached",
    "There was no response from huggingface.co",
    "status.huggingface.co",
  ],
  ["a login page", "page", "The answer is not a list of files", "login page"],
  ["a device without a connection", "internetdisconnected", "No connection", "This device is offline"],
] as const) {
  test(`the advice for ${what} fits a hub, and does not speak of files`, async ({ page, app }) => {
    await page.clock.install();
    if (fail === "internetdisconnected")
      await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }));
    let requests = 0;
    await page.route(`${HUB}/**`, (route) => {
      requests += 1;
      const headers = { "access-control-allow-origin": "*" };
      if (fail === "page") return route.fulfill({ headers, contentType: "text/html", body: "<title>Log in</title>" });
      return typeof fail === "string" ? route.abort(fail) : route.fulfill({ ...fail, headers });
    });
    await page.goto(`${app.origin}/#repo=owner/name`);
    await expect.poll(() => requests).toBeGreaterThan(0);
    // The page waits before it asks again.
    await expect(async () => {
      await page.clock.fastForward(5000);
      await expect(card(page)).toBeVisible({ timeout: 100 });
    }).toPass();
    for (const word of words) await expect(card(page)).toContainText(word);
    await expect(card(page)).not.toContainText(/drop|download|the file\b/i);
  });
}
