// Operates the page that converts a model, with the models of the corpus.

import type { Locator, Page } from "@playwright/test";
import { folderOf, october, octoberFiles } from "../../package/models/corpus.mjs";
import { expect } from "./fixtures.ts";
import { routeHub } from "./hub.ts";
import { replacePickers } from "./picked-file.ts";
import { removeFolderPicker, replaceFolderPicker } from "./shard-files.ts";
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

/** The choice of the files that are made of a model with a projector. */
export const fileChoice = (page: Page, name: string): Locator => model(page).getByRole("radio", { name, exact: true });

/** The button that writes the model and its projector. */
export const saveBoth = (page: Page): Locator => model(page).getByRole("button", { name: "Convert into a folder…" });

/** Both files are planned, and can be saved. */
export const whenBothPlanned = (page: Page) => expect(saveBoth(page)).toHaveAttribute("aria-disabled", "false");

/** Opens the page of a repository with a model of October 2026. `change` changes its files. */
export async function openOctober(
  page: Page,
  app: TestServer,
  name: string,
  change: (files: ReturnType<typeof octoberFiles>) => void = () => undefined,
): Promise<void> {
  const files = octoberFiles(october(name));
  change(files);
  await routeHub(page, { [`owner/${name}`]: { files } });
  await replacePickers(page, new Uint8Array());
  await replaceFolderPicker(page);
  await page.goto(`${app.origin}/#repo=owner/${name}&repo.as=gguf`);
  await expect(region(page, "Choices")).toBeVisible();
  const asked = model(page).getByRole("combobox", { name: "Pre-tokenizer" });
  if ((await asked.count()) > 0) await choosePre(page, october(name).pre ?? "");
}
