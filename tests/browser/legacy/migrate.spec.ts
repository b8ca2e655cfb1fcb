/** Models in formats before GGUF: what the viewer shows of them, the Migrate panel, ambiguous families, and broken files. */

import { readFile } from "node:fs/promises";
import { Gguf, openLegacy } from "gguf-wasm/convert/node";
import type { Page } from "@playwright/test";
import { missing, pathOf, read } from "../../package/corpus.mjs";
import { expect, expectOpen, factOf, openFile, openUrl, test } from "../support/fixtures.ts";
import { leaveDocument } from "../support/shared-page.ts";
import type { TestServer } from "../support/server.ts";

const panel = (page: Page) => page.locator("gguf-migrate");

async function openModel(page: Page, app: TestServer, name: string): Promise<void> {
  await openFile(page, app, read(`legacy/${name}`), name);
}

async function showMigrate(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Migrate" }).click();
  await expect(panel(page)).toBeVisible();
}

/** The button that writes the file as a download, which every browser has. */
const download = (page: Page) => panel(page).getByRole("button", { name: "Migrate and download" });

test("nothing of the converter is loaded for a GGUF file", async ({ page, app }) => {
  await leaveDocument(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await openUrl(page, app, "sample.gguf");
  await expectOpen(page, "sample.gguf");
  expect(requests.filter((path) => /convert|legacy|migrate/.test(path))).toEqual([]);
  await expect(page.getByRole("tab", { name: "Migrate" })).toHaveCount(0);
});

test.describe("with the models of the corpus", () => {
  test.skip(missing !== false);

  test("the viewer shows the file's own names, and the values of an old block layout", async ({ page, app }) => {
    const name = "llama-ggjt1-q4_2.bin";
    await openModel(page, app, name);
    await expectOpen(page, name);
    await expect(factOf(page, "Format")).toHaveText("ggjt version 1");
    await page.getByRole("tab", { name: /^Metadata/ }).click();
    await expect(page.locator("gguf-metadata-table .row", { hasText: "n_mult" })).toBeVisible();
    await page.getByRole("tab", { name: "Tensors" }).click();
    const tensor = "layers.0.attention.wq.weight";
    const row = page.locator("gguf-tensor-table .row", { hasText: tensor });
    await expect(row).toContainText("Q4_2");
    await row.click();
    const gguf = await Gguf.open((await openLegacy(pathOf(`legacy/${name}`))).asGguf());
    const expected = Math.max(...new Float32Array((await gguf.readBytes(tensor)).buffer));
    await expect(page.getByRole("row", { name: `Maximum ${expected.toPrecision(4)}`, exact: true })).toBeVisible();
    gguf.free();
  });

  test("Migrate asks, says what changes, and writes the file of the library", async ({ page, app }) => {
    const name = "llama-ggjt1-q4_0-edge.bin";
    await openModel(page, app, name);
    await expectOpen(page, name);
    await showMigrate(page);
    const context = panel(page).getByRole("combobox", { name: "Context length" });
    await expect(context).toHaveValue("2048");
    await context.fill("512");
    await context.press("Tab");
    const row = panel(page).getByRole("row", { name: /^Q8_0_V1 Q8_0 / });
    await expect(row).toContainText("Scales rounded to 16 bits");
    await expect(row).toContainText("1,089 values become infinite");
    const event = page.waitForEvent("download");
    await download(page).click();
    const file = await (await event).path();
    const plan = (await openLegacy(pathOf(`legacy/${name}`))).migrate({ contextLength: 512 });
    expect(Buffer.compare(await readFile(file), Buffer.from(await plan.read(0, plan.size)))).toBe(0);
    const gguf = await Gguf.open(file);
    expect(gguf.metadata.get("llama.context_length")).toBe(512);
    gguf.free();
  });

  test("an answer that is changed while the worker starts is computed", async ({ page, app }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/migrate-worker/, async (route) => {
      await held;
      await route.continue();
    });
    await openModel(page, app, "llama-ggjt1-q4_0-edge.bin");
    const asked = page.waitForRequest(/migrate-worker/);
    await showMigrate(page);
    await asked;
    const context = panel(page).getByRole("combobox", { name: "Context length" });
    await context.fill("512");
    await context.press("Tab");
    await expect(panel(page).getByRole("button", { name: "Default" })).toBeVisible();
    release();
    const row = panel(page).getByRole("row", { name: /^Q8_0_V1 Q8_0 / });
    await expect(row).toContainText("1,089 values become infinite");
  });

  test("a wrong answer is refused with its reason", async ({ page, app }) => {
    await openModel(page, app, "llama-ggjt3-q4_0.bin");
    await showMigrate(page);
    const context = panel(page).getByRole("combobox", { name: "Context length" });
    await context.fill("many");
    await context.press("Tab");
    await expect(panel(page).getByRole("alert")).toContainText("many");
    await context.fill("0");
    await context.press("Tab");
    await expect(panel(page).getByRole("alert")).toHaveText(
      /^\s*Context length:\s+"0" is not possible\. Give an integer from 1 to 4294967295\.\s*$/,
    );
    await expect(download(page)).toHaveCount(0);
    await panel(page).getByRole("button", { name: "Default" }).click();
    await expect(download(page)).toBeVisible();
  });

  test("what a person types stays while the panel shows progress", async ({ page, app }) => {
    await openModel(page, app, "llama-ggjt3-q4_0.bin");
    await showMigrate(page);
    const context = panel(page).getByRole("combobox", { name: "Context length" });
    await context.fill("512");
    await panel(page).evaluate((element) => {
      const shown = element as HTMLElement & { requestUpdate(): void; updateComplete: Promise<boolean> };
      shown.requestUpdate();
      return shown.updateComplete;
    });
    await expect(context).toHaveValue("512");
  });

  test("if several families fit, the page says so, and a person chooses", async ({ page, app }) => {
    await openModel(page, app, "gpt2-f16.bin");
    await expect(factOf(page, "Family")).toHaveText("GPT-2");
    await expect(page.getByText("The file fits several families.")).toBeVisible();
    await page.getByRole("combobox", { name: "Shown as" }).selectOption({ label: "StarCoder" });
    await expect(factOf(page, "Family")).toHaveText("StarCoder");
    await showMigrate(page);
    await expect(panel(page)).toContainText("llama.cpp cannot run this model");
    await expect(download(page)).toHaveCount(0);
    await panel(page)
      .getByRole("checkbox", { name: /for inspection/ })
      .check();
    await expect(download(page)).toBeVisible();
  });

  test("a model whose parts are missing says so", async ({ page, app }) => {
    await openModel(page, app, "llama-ggml-q4_0-2parts.bin");
    await expect(page.getByText("The model has 2 files, and only one is open.")).toBeVisible();
    await showMigrate(page);
    await expect(panel(page)).toContainText("Possibly the other parts of the model are missing.");
  });

  test("a broken file shows the error with its offset", async ({ page, app }) => {
    await openModel(page, app, "malformed/ggjt3-token-length-0x40000000.bin");
    const error = page.getByText(/bad-structure · cannot read token 1 at offset 0x31/);
    await expect(error).toBeVisible();
  });
});
