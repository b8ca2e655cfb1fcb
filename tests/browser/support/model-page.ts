// Operates the page that converts a model, with the models of the corpus.

import type { Locator, Page } from "@playwright/test";
import { folderOf } from "../../package/models/corpus.mjs";
import { expect } from "./fixtures.ts";
import { replacePickers } from "./picked-file.ts";
import { removeFolderPicker } from "./shard-files.ts";
import type { TestServer } from "./server.ts";

export const model = (page: Page): Locator => page.locator("gguf-hub-model");

export const region = (page: Page, name: string): Locator => model(page).getByRole("region", { name, exact: true });

/** The button of a type of the new file. */
export const type = (page: Page, name: string): Locator => model(page).getByRole("radio", { name, exact: true });

export const save = (page: Page): Locator => model(page).getByRole("button", { name: "Convert and save as…" });

/** Chooses a folder of the corpus, in a browser without handles of folders. Files are saved into the private storage of the page. */
export async function chooseFolder(page: Page, app: TestServer, folder: string): Promise<void> {
  await replacePickers(page, new Uint8Array());
  await removeFolderPicker(page);
  await page.goto(app.origin);
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a folder" }).click();
  await (await choosing).setFiles(folderOf(folder));
}

/** Chooses a folder of the corpus whose model can be converted. */
export async function openFolder(page: Page, app: TestServer, folder: string): Promise<void> {
  await chooseFolder(page, app, folder);
  await expect(region(page, "Choices")).toBeVisible();
}

/** Chooses the name of a pre-tokenizer. */
export const choosePre = (page: Page, name: string) =>
  model(page).getByRole("combobox", { name: "Pre-tokenizer" }).selectOption(name);

/** The new file is planned, and can be saved. */
export const whenPlanned = (page: Page) => expect(save(page)).toHaveAttribute("aria-disabled", "false");
