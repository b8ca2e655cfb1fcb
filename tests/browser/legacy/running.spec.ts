/** A migration: the worker that does it, its progress, how it is cancelled, and leaving the file while it runs. */

import type { Page } from "@playwright/test";
import { openLegacy } from "gguf-wasm/convert/node";
import { legacyFile } from "../../support/legacy-file.mjs";
import { missing, pathOf, read } from "../../package/corpus.mjs";
import { sha256, storedNames, storedSha256, whenWriting } from "../support/convert-panel.ts";
import { expect, expectOpen, openUrl, test } from "../support/fixtures.ts";
import { replacePickers, setDisk } from "../support/picked-file.ts";
import type { TestServer } from "../support/server.ts";

test.skip(missing !== false);

const MODEL = "llama-ggjt2-q4_0.bin";

const panel = (page: Page) => page.locator("gguf-migrate");

const save = (page: Page) => panel(page).getByRole("button", { name: "Migrate and save as…" });

const workers = (page: Page) => page.workers().filter((worker) => worker.url().includes("migrate-worker"));

/** A model whose new file is written in many pieces. A file whose last piece is under way is no longer cancelled. */
const LARGE = legacyFile(1024);

async function openModel(page: Page, app: TestServer, bytes: Uint8Array, name = "model.bin"): Promise<void> {
  await replacePickers(page, new Uint8Array());
  await page.goto(app.origin);
  await openUrl(page, app, app.file(`/models/${name}`, bytes));
  await expectOpen(page, name);
  await page.getByRole("tab", { name: "Migrate" }).click();
  await expect(save(page)).toBeVisible();
}

test("a worker compares the values and makes the file, and ends with the panel", async ({ page, app }) => {
  await openModel(page, app, read(`legacy/${MODEL}`), MODEL);
  await expect(panel(page).getByRole("row", { name: /^Q4_0_V2/ })).toContainText(/\d of \d/);
  expect(workers(page)).toHaveLength(1);
  await save(page).click();
  await expect(panel(page)).toContainText("Saved as");
  const plan = (await openLegacy(pathOf(`legacy/${MODEL}`))).migrate();
  expect(await storedSha256(page, plan.suggestedName)).toBe(sha256(await plan.read(0, plan.size)));
  await openUrl(page, app, "sample.gguf");
  await expect.poll(() => workers(page).length).toBe(0);
});

test("a migration that is cancelled leaves no file, and can begin again", async ({ page, app }) => {
  await openModel(page, app, LARGE);
  const before = await storedNames(page);
  await setDisk(page, "busy");
  await save(page).click();
  await whenWriting(page);
  await expect(panel(page).getByRole("progressbar", { name: "Bytes written" })).toBeVisible();
  await panel(page).getByRole("button", { name: "Cancel" }).click();
  await setDisk(page, undefined);
  await expect(panel(page)).toContainText("Cancelled. No file was written.");
  expect(await storedNames(page)).toEqual(before);
  await save(page).click();
  await expect(panel(page)).toContainText("Saved as");
});

test("the page asks before a migration ends because another file is opened", async ({ page, app }) => {
  await openModel(page, app, LARGE);
  const before = await storedNames(page);
  await setDisk(page, "busy");
  await save(page).click();
  await whenWriting(page);
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  const question = page.getByRole("dialog", { name: "A migration is running" });
  await question.getByRole("button", { name: "Continue migrating" }).click();
  await expect(panel(page).getByRole("progressbar", { name: "Bytes written" })).toBeVisible();
  await page.getByRole("link", { name: "GGUF viewer" }).click();
  await question.getByRole("button", { name: "Cancel the migration" }).click();
  await setDisk(page, undefined);
  await expect(panel(page)).toHaveCount(0);
  await expect.poll(() => storedNames(page)).toEqual(before);
});
