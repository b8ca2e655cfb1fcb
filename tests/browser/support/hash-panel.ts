// Operates the hash panel, as a person does.

import { createHash } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { showTool } from "./tools.ts";

export const hashPanel = (page: Page): Locator => page.locator("gguf-hash");

export async function showHash(page: Page): Promise<void> {
  await showTool(page, "Hash");
  // The panel is loaded when it is first shown.
  await expect(hashPanel(page).getByRole("checkbox").first()).toBeVisible();
}

/** Checks these boxes and no others, and computes. */
export async function compute(page: Page, ...labels: string[]): Promise<void> {
  for (const box of await hashPanel(page).getByRole("checkbox").all()) await box.uncheck();
  for (const label of labels)
    await hashPanel(page)
      .getByRole("checkbox", { name: new RegExp(`^${label}`) })
      .check();
  await hashPanel(page).getByRole("button", { name: "Compute", exact: true }).click();
}

export const sha256 = (...parts: Uint8Array[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

/** A manifest of sha256 hashes in the format of llama.cpp's tool. */
export const manifestOf = (file: string, tensors: readonly { name: string; data: Uint8Array }[]): string =>
  [
    ...tensors.map(({ name, data }) => `sha256    ${sha256(data)}  ${file}:${name}`),
    `sha256    ${sha256(...tensors.map(({ data }) => data))}  ${file}`,
    "",
  ].join("\n");
