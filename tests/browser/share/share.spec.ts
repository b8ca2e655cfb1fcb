// The Share panel: the card as a file, the commands, and the code for a page.

import { readFile } from "node:fs/promises";
import { expect, openFile, test } from "../support/fixtures.ts";
import { firstModel } from "../support/compare-panel.ts";

test("the card is saved, and the commands and the code are there to copy", async ({ page, app }) => {
  await openFile(page, app, firstModel(), "first-Q8_0.gguf");
  await page.getByRole("button", { name: "Tools" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  const panel = page.locator("gguf-share");
  await expect(panel.getByRole("img", { name: "Card of Tiny" })).toBeVisible();
  const save = async (title: string) => {
    await panel.getByRole("button", { name: "Save the picture" }).click();
    const waiting = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: title }).click();
    const download = await waiting;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const svg = await save("Save as SVG");
  expect(svg.name).toBe("first-Q8_0-card.svg");
  expect(svg.bytes.toString()).not.toMatch(/var\(|class=/);
  const png = await save("Save as PNG");
  // Pages show pictures of this size beside a link.
  expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  await expect(panel.getByRole("region", { name: "Command for llama-server" })).toContainText("-m first-Q8_0.gguf");
  await expect(panel.getByRole("region", { name: "Command for Ollama" })).toContainText("FROM ./first-Q8_0.gguf");
  await panel.getByLabel("What the page shows").selectOption({ label: "The memory" });
  await expect(panel.getByRole("region", { name: "Code for the page" })).toContainText("gguf-wasm-viewer/memory");
});
