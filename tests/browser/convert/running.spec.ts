/** Conversions in the Convert panel: the new file, progress, pause, cancel, failures. */

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { bytesOf, file, run, SHARDS } from "../../package/convert/corpus.mjs";
import { missing } from "../../package/corpus.mjs";
import {
  chooseImatrix,
  download,
  newType,
  openModel,
  panel,
  save,
  section,
  sha256,
  showConvert,
  storedNames,
  storedSha256,
  target,
  whenWriting,
  workers,
} from "../support/convert-panel.ts";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { removeSavePicker, replacePickers, setDisk } from "../support/picked-file.ts";
import { openFiles } from "../support/shard-files.ts";
import { showTool } from "../support/tools.ts";

test.skip(missing !== false);

const progress = (page: Page) => panel(page).getByRole("progressbar", { name: "Bytes written" });

test("the new file has the bytes of llama-quantize, is compared with the original, and opens", async ({
  page,
  app,
}) => {
  await replacePickers(page, new Uint8Array());
  await openModel(page, app, "llama-gqa4-f16.gguf");
  await save(page).click();
  const name = "llama-gqa4-Q4_K_M.gguf";
  await expect(panel(page)).toContainText(`Saved as ${name}, 1.02 MB.`);
  const recorded = run("llama-gqa4", "llama-gqa4-f16.gguf:Q4_K_M");
  expect(await storedSha256(page, name)).toBe(recorded.sha256);
  expect(workers(page)).toEqual([]);
  // The open model is A, the new file B, and the values are sampled at once.
  await panel(page).getByRole("button", { name: "Compare with the original" }).click();
  const compared = page.locator("gguf-compare");
  await expect(compared.locator(".chosen")).toContainText(/llama-gqa4-f16\.gguf.*llama-gqa4-Q4_K_M\.gguf/s);
  await expect(compared).toContainText(/Error of B against A \(NMSE.*\): 0\.00/);
  await showTool(page, "Convert");
  await panel(page).getByRole("button", { name: "Open the new file" }).click();
  await expectOpen(page, name);
});

test("a conversion with an importance matrix, from an address, is downloaded", async ({ page, app }) => {
  await removeSavePicker(page);
  await openUrl(page, app, app.file("/models/tiny.gguf", file("tiny.gguf")));
  await showConvert(page);
  await target(page, "IQ2_XS").check();
  await chooseImatrix(page, "tiny.imatrix.gguf");
  await expect(save(page)).toHaveCount(0);
  const started = page.waitForEvent("download");
  await download(page).click();
  const found = await started;
  expect(found.suggestedFilename()).toBe("tiny-IQ2_XS.gguf");
  expect(sha256(await readFile(await found.path()))).toBe(run("tiny", "tiny.imatrix.gguf:IQ2_XS").sha256);
});

test("types that are set by hand are written", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openModel(page, app, "llama-gqa4-f16.gguf");
  await newType(page, "blk.0.attn_q.weight").selectOption("Q8_0");
  const table = section(page, "Tensors");
  await table.getByRole("textbox", { name: "Tensors whose names match" }).fill("ffn_down");
  await table.getByRole("combobox", { name: "Type", exact: true }).selectOption("Q5_0");
  await table.getByRole("button", { name: "Set type" }).click();
  await save(page).click();
  await expect(panel(page)).toContainText("Saved as llama-gqa4-Q4_K_M.gguf");
  const plan = await requantize(await Gguf.open(file("llama-gqa4-f16.gguf")), { type: "Q4_K_M" });
  plan.setType("blk.0.attn_q.weight", "Q8_0");
  plan.setTypes("ffn_down", "Q5_0");
  const written = await storedSha256(page, "llama-gqa4-Q4_K_M.gguf");
  expect(written).toBe(sha256(await bytesOf(plan.stream())));
});

test("a set of shards becomes one file", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openFiles(
    page,
    app,
    SHARDS.map((name) => ({ name, bytes: file(name) })),
  );
  await showConvert(page);
  await expect(section(page, "New file")).toContainText("tiny-split-Q4_K_M.gguf, from 3 shards");
  await save(page).click();
  await expect(panel(page)).toContainText("Saved as tiny-split-Q4_K_M.gguf");
  const written = await storedSha256(page, "tiny-split-Q4_K_M.gguf");
  expect(written).toBe(run("tiny", "split:Q4_K_M").sha256);
});

test("a pause stops the writing, and the conversion continues after it", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openModel(page, app, "llama-gqa4-f16.gguf");
  await setDisk(page, "busy");
  await save(page).click();
  await whenWriting(page);
  await expect(progress(page)).toBeVisible();
  await expect(target(page, "Q8_0")).toBeDisabled();
  await panel(page).getByRole("button", { name: "Pause" }).click();
  await expect(panel(page).getByRole("button", { name: "Continue" })).toBeFocused();
  await expect(panel(page)).toContainText("Paused");
  await setDisk(page, undefined);
  const shown = () => panel(page).locator(".task-text").innerText();
  await expect.poll(shown).toMatch(/^Paused/);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await shown()).not.toContain("1.02 MB of");
  await expect(progress(page)).toBeVisible();
  // The conversion continues while another panel is shown.
  await panel(page).getByRole("button", { name: "Continue" }).click();
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await showTool(page, "Convert");
  await expect(panel(page)).toContainText("Saved as llama-gqa4-Q4_K_M.gguf");
  const recorded = run("llama-gqa4", "llama-gqa4-f16.gguf:Q4_K_M");
  expect(await storedSha256(page, "llama-gqa4-Q4_K_M.gguf")).toBe(recorded.sha256);
});

for (const isPaused of [false, true]) {
  test(`a conversion that is cancelled${isPaused ? " during a pause" : ""} leaves no file and no worker`, async ({
    page,
    app,
  }) => {
    await replacePickers(page, new Uint8Array());
    await openModel(page, app, "llama-gqa4-f16.gguf");
    const before = await storedNames(page);
    await setDisk(page, "busy");
    await save(page).click();
    await whenWriting(page);
    await expect.poll(() => workers(page).length).toBeGreaterThan(0);
    if (isPaused) await panel(page).getByRole("button", { name: "Pause" }).click();
    await panel(page).getByRole("button", { name: "Cancel" }).click();
    await setDisk(page, undefined);
    await expect(panel(page)).toContainText("Cancelled. No file was written.");
    await expect(save(page)).toBeFocused();
    await expect.poll(() => workers(page).length).toBe(0);
    expect(await storedNames(page)).toEqual(before);
    await save(page).click();
    await expect(panel(page)).toContainText("Saved as llama-gqa4-Q4_K_M.gguf");
  });
}

test("the browser asks before the page is closed while a conversion runs", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openModel(page, app, "tiny.gguf");
  const isAsked = () => page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));
  expect(await isAsked()).toBe(false);
  await setDisk(page, "busy");
  await save(page).click();
  await whenWriting(page);
  expect(await isAsked()).toBe(true);
  await setDisk(page, undefined);
  await expect(panel(page)).toContainText("Saved as tiny-Q4_K_M.gguf");
  expect(await isAsked()).toBe(false);
});

test("a NaN in a tensor is reported with the tensor, and no file is left", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openModel(page, app, "tiny-nan.gguf");
  const before = await storedNames(page);
  await save(page).click();
  const alert = panel(page).getByRole("alert");
  await expect(alert).toContainText("The data of a tensor is broken.");
  await expect(alert).toContainText("No file was written.");
  await expect(alert).toContainText(/blk\.\d+\./);
  expect(await storedNames(page)).toEqual(before);
  await expect.poll(() => workers(page).length).toBe(0);
});

test("a model that is cut off is reported, and no file is left", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openFile(page, app, file("tiny.gguf").subarray(0, -100), "tiny.gguf");
  await showConvert(page);
  const before = await storedNames(page);
  await save(page).click();
  await expect(panel(page).getByRole("alert")).toContainText("The file is incomplete.");
  expect(await storedNames(page)).toEqual(before);
});

test("a download that the private storage cannot take is refused before the work begins", async ({ page, app }) => {
  await page.addInitScript(() => {
    Object.assign(window, { showSaveFilePicker: undefined });
    navigator.storage.estimate = () => Promise.resolve({ quota: 20_000, usage: 10_000 });
  });
  await openModel(page, app, "tiny.gguf");
  await download(page).click();
  await expect(panel(page).getByRole("alert")).toContainText(/needs 29\.\d kB.* gives this page 10\.0 kB of storage/);
  expect(workers(page)).toEqual([]);
});

test("the viewer converts in a page of another origin, with workers", async ({ page, app, other }) => {
  await removeSavePicker(page);
  other.file("/models/tiny.gguf", file("tiny.gguf"));
  other.on("/theirs.html", (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><meta charset="utf-8"><title>Theirs</title><link rel="icon" href="data:,">
      <script type="module" src="${app.origin}/viewer.js"></script>
      <gguf-viewer src="/models/tiny.gguf" style="height: 700px"></gguf-viewer>`);
  });
  await page.goto(`${other.origin}/theirs.html`);
  await showConvert(page);
  const names: string[] = [];
  page.on("worker", (worker) => names.push(worker.url()));
  const started = page.waitForEvent("download");
  await download(page).click();
  const found = await started;
  const plan = await requantize(await Gguf.open(file("tiny.gguf")), { type: "Q4_K_M" });
  expect(sha256(await readFile(await found.path()))).toBe(sha256(await bytesOf(plan.stream())));
  expect(names.filter((url) => url.startsWith("blob:"))).not.toEqual([]);
});
