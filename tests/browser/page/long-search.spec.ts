// The searches of tables with many rows.

import type { Page } from "@playwright/test";
import { expect, openFile, test } from "../support/fixtures.ts";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

const ROWS = 5000;

/** Makes each search that begins after `holdSearches` pause after its first piece, until `continueSearches` is called. */
async function slowSearches(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let time = 0;
    let isHeld = false;
    // Each piece takes longer than a frame.
    performance.now = () => (time += 20);
    const post = MessagePort.prototype.postMessage;
    const held: (() => void)[] = [];
    MessagePort.prototype.postMessage = function (message: unknown) {
      if (isHeld) held.push(() => post.call(this, message, {}));
      else post.call(this, message, {});
    };
    Object.assign(globalThis, {
      holdSearches() {
        isHeld = true;
      },
      continueSearches() {
        isHeld = false;
        for (const resume of held) resume();
      },
    });
  });
}

const callGlobal = (page: Page, name: "holdSearches" | "continueSearches") =>
  page.evaluate((called) => (globalThis as unknown as Record<string, () => void>)[called]?.(), name);

for (const { table, tab, words, bytes } of [
  {
    table: "gguf-metadata-table",
    tab: /Metadata/,
    words: ["value", "1234."],
    bytes: () => ggufBytes(Array.from({ length: ROWS }, (_, at) => [`key.${at}`, text(`value ${at}.`)] as const)),
  },
  {
    table: "gguf-tensor-table",
    tab: /Tensors/,
    words: ["odd", "odd.12"],
    bytes: () =>
      ggufBytes(
        [],
        Array.from({ length: ROWS }, (_, at) => ({ name: `odd.${at}`, dimensions: [1], type: 0, bytes: 4 })),
      ),
  },
] as const)
  test(`a long search in ${table} shows its progress, and typing on ends it`, async ({ page, app }) => {
    await slowSearches(page);
    await openFile(page, app, bytes());
    await page.getByRole("tab", { name: tab }).click();
    const count = page.locator(`${table} .count`);
    const search = page.locator(`${table} input[type=search]`);
    await expect(count).toContainText("5,000");
    await callGlobal(page, "holdSearches");
    for (const word of words) {
      await search.fill(word);
      await expect(count).toHaveText("Searching… 20 %");
      await expect(page.locator(`${table} .row`)).toHaveCount(0);
    }
    await callGlobal(page, "continueSearches");
    await expect(count).toHaveText("1 of 5,000");
    await expect(search).toHaveValue(words[1]);
    await search.fill("");
    await expect(count).toContainText("5,000");
  });
