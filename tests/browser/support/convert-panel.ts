// Operates the Convert panel, with the models and the recorded runs of llama-quantize of the corpus.

import { createHash } from "node:crypto";
import type { Locator, Page, Worker } from "@playwright/test";
import { file } from "../../package/convert/corpus.mjs";
import { expect, openFile } from "./fixtures.ts";
import type { TestServer } from "./server.ts";
import { showTool } from "./tools.ts";

export const panel = (page: Page): Locator => page.locator("gguf-convert");

/** The row of a file type. */
export const target = (page: Page, name: string): Locator =>
  panel(page).getByRole("radio", { name: new RegExp(`^${name} `) });

export const section = (page: Page, name: string): Locator => panel(page).getByRole("region", { name, exact: true });

/** The row of a tensor. */
export const tensorRow = (page: Page, name: string): Locator =>
  panel(page)
    .getByRole("region", { name: "Table of tensors" })
    .getByRole("row")
    .filter({ has: page.locator(".name", { hasText: new RegExp(`^${name.replaceAll(".", "\\.")}$`) }) });

export const newType = (page: Page, tensor: string): Locator =>
  panel(page).getByRole("combobox", { name: `New type of ${tensor}`, exact: true });

export const save = (page: Page): Locator => panel(page).getByRole("button", { name: "Convert and save as…" });

export const download = (page: Page): Locator => panel(page).getByRole("button", { name: "Convert and download" });

/** The exact size of the new file in bytes. */
export async function newSize(page: Page): Promise<number> {
  const title = await section(page, "New file").locator("dd").first().getAttribute("title");
  return Number(title?.replaceAll(/\D/g, ""));
}

/** Shows the panel with all file types. */
export async function showConvert(page: Page): Promise<void> {
  await showTool(page, "Convert");
  await expect(section(page, "New file")).toBeVisible();
  await panel(page)
    .getByRole("button", { name: /^All \d+ file types$/ })
    .click();
}

/** Opens a model of the corpus, and shows the panel. */
export async function openModel(page: Page, app: TestServer, name: string): Promise<void> {
  await openFile(page, app, file(name), name);
  await showConvert(page);
}

/** Chooses an importance matrix of the corpus. */
export async function chooseImatrix(page: Page, name: string): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await panel(page).getByRole("button", { name: "Choose an imatrix file" }).click();
  await (await chooser).setFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(file(name)) });
}

/** The workers that convert. */
export const workers = (page: Page): Worker[] =>
  page.workers().filter((worker) => worker.url().includes("convert-worker"));

/** Waits until a write waits for the busy disk. */
export async function whenWriting(page: Page): Promise<void> {
  await page.waitForFunction(() => (window as unknown as { waiting?: boolean }).waiting);
}

/** The names of the files in the private storage of the page, where the replaced pickers have theirs. */
export const storedNames = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names: string[] = [];
    for await (const [name] of (await navigator.storage.getDirectory()).entries()) names.push(name);
    return names.sort();
  });

/** The SHA-256 of a file in the private storage of the page. It is computed there, because copying a megabyte out of the page takes seconds. */
export const storedSha256 = (page: Page, name: string): Promise<string> =>
  page.evaluate(async (name) => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle(name);
    const hash = await crypto.subtle.digest("SHA-256", await (await handle.getFile()).arrayBuffer());
    return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }, name);

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
