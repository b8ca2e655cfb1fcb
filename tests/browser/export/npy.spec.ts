// Saving one tensor for NumPy.

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, openFile, test } from "../support/fixtures.ts";
import { firstModel } from "../support/compare-panel.ts";
import { removeSavePicker, replacePickers, setDisk, storedBytes } from "../support/picked-file.ts";

const save = (page: Page) => page.locator("gguf-save-npy").getByRole("button", { name: "Save as .npy" });

async function openTensor(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row", { hasText: "blk.1.attn_q.weight" }).first().click();
}

/** Values of a file in the format of NumPy, version 1. */
function parseNpy(bytes: Buffer): { header: string; data: Buffer } {
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x93NUMPY\x01\x00");
  const end = 10 + bytes.readUInt16LE(8);
  return { header: bytes.subarray(10, end).toString("latin1"), data: bytes.subarray(end) };
}

function expectValues(bytes: Buffer): void {
  const { header, data } = parseNpy(bytes);
  expect(header).toContain("'descr': '<f4'");
  expect(header).toContain("'shape': (4, 32)");
  expect(data.length).toBe(4 * 128);
  expect([data.readFloatLE(0), data.readFloatLE(4 * 127)]).toEqual([1, 128]);
}

test("the values are streamed to a place that the person chooses", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openFile(page, app, firstModel(), "first.gguf");
  await openTensor(page);
  await save(page).click();
  await expect(page.locator("gguf-save-npy")).toContainText("Saved as blk.1.attn_q.weight.npy: <f4 (4, 32)");
  expectValues(await storedBytes(page, "blk.1.attn_q.weight.npy"));
});

test("without a picker, the file is downloaded", async ({ page, app }) => {
  await removeSavePicker(page);
  await openFile(page, app, firstModel(), "first.gguf");
  await openTensor(page);
  const downloading = page.waitForEvent("download");
  await save(page).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("blk.1.attn_q.weight.npy");
  expectValues(await readFile(await download.path()));
  await page.getByRole("combobox", { name: "Content" }).selectOption("Data as stored");
  const second = page.waitForEvent("download");
  await save(page).click();
  expect((await second).suggestedFilename()).toBe("blk.1.attn_q.weight.stored.npy");
  // A tensor of plain floats is the same both ways.
  expectValues(await readFile(await (await second).path()));
});

test("a tensor of a cut file says that the data ends", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openFile(page, app, firstModel().slice(0, -600), "first.gguf");
  await openTensor(page);
  await save(page).click();
  const alert = page.locator("gguf-save-npy").getByRole("alert");
  await expect(alert).toContainText("The file ends before these bytes. No file was written.");
});

test("saving is cancelled, and leaves no file", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openFile(page, app, firstModel(), "first.gguf");
  await openTensor(page);
  await setDisk(page, "busy");
  // The values above the button may still arrive, and would move it away from the mouse.
  await save(page).press("Enter");
  await page.waitForFunction(() => (window as { waiting?: boolean }).waiting);
  await page.locator("gguf-save-npy").getByRole("button", { name: "Cancel" }).press("Enter");
  await setDisk(page, undefined);
  await expect(page.locator("gguf-save-npy")).toContainText("Cancelled. No file was written.");
  expect(await storedBytes(page, "blk.1.attn_q.weight.npy")).toHaveLength(0);
});

test("a full disk is reported, and saving works afterwards", async ({ page, app }) => {
  await replacePickers(page, new Uint8Array());
  await openFile(page, app, firstModel(), "first.gguf");
  await openTensor(page);
  await setDisk(page, "full");
  await save(page).click();
  await expect(page.locator("gguf-save-npy").getByRole("alert")).toContainText("No file was written.");
  await setDisk(page, undefined);
  await save(page).click();
  await expect(page.locator("gguf-save-npy")).toContainText("Saved as");
});
