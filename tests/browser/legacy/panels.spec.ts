/** The panels of a model in a format before GGUF: all that it has, and what they say. */

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { missing, read } from "../../package/corpus.mjs";
import { expect, expectOpen, openFile, openUrl, test } from "../support/fixtures.ts";
import { hashPanel, sha256, showHash } from "../support/hash-panel.ts";
import { openFiles } from "../support/shard-files.ts";
import { showTool } from "../support/tools.ts";

test.skip(missing !== false);

const MODEL = "llama-ggjt1-q4_0.bin";
const TWO_PARTS = "llama-ggmf-f16-2parts.bin";

const tabs = (page: Page) => page.getByRole("tablist").first().getByRole("tab");

test("every panel of the model shows something", async ({ page, app }) => {
  await openFile(page, app, read(`legacy/${MODEL}`), MODEL);
  await expectOpen(page, MODEL);
  const shown = [
    ["Metadata", "gguf-metadata-table", "n_embd"],
    ["Tensors", "gguf-tensor-table", "Q4_0_V1"],
    ["Tokenizer", "gguf-tokenizer", "vocabulary"],
    ["Migrate", "gguf-migrate", "Context length"],
    ["Hash", "gguf-hash", "Whole file, SHA-256"],
  ] as const;
  for (const [title, element, text] of shown) {
    await showTool(page, title);
    await expect(page.locator(element)).toContainText(new RegExp(text, "i"));
  }
  // The tabs begin with the title, and may have a count.
  const names = (await tabs(page).allInnerTexts()).map((name) => name.replace(/[\s\d,]+$/, ""));
  expect(names).toEqual(["Summary", ...shown.map(([title]) => title)]);
  await page.getByRole("tab", { name: "Summary" }).click();
  await expect(page.getByText("The checks and the comparison are for GGUF files")).toBeVisible();
});

test("the hash is that of the file, also if it is on a server", async ({ page, app }) => {
  const bytes = read(`legacy/${MODEL}`);
  const expected = sha256(bytes);
  for (const open of [
    () => openFile(page, app, bytes, MODEL),
    () => openUrl(page, app, app.file(`/models/${MODEL}`, bytes)),
  ]) {
    await open();
    await expectOpen(page, MODEL);
    await showHash(page);
    await hashPanel(page).getByRole("textbox").fill(expected);
    await hashPanel(page).getByRole("button", { name: "Compare", exact: true }).click();
    await expect(hashPanel(page)).toContainText(`The hash is the SHA-256 of the whole file ${MODEL}`);
  }
  await expect(hashPanel(page).getByRole("group", { name: "Hashes of the tensor data" })).toHaveCount(0);
  await hashPanel(page).getByRole("textbox").fill("0123456789abcdef");
  await hashPanel(page).getByRole("button", { name: "Compare", exact: true }).click();
  await expect(hashPanel(page).getByRole("alert")).toContainText("only whole files are hashed");
});

test("each file of a model in several parts is hashed", async ({ page, app }) => {
  const parts = [TWO_PARTS, `${TWO_PARTS}.1`].map((name) => ({ name, bytes: read(`legacy/${name}`) }));
  await openFiles(page, app, parts);
  await expectOpen(page, TWO_PARTS);
  await showHash(page);
  await hashPanel(page).getByRole("button", { name: "Compute", exact: true }).click();
  for (const { name, bytes } of parts) {
    await expect(hashPanel(page)).toContainText(name);
    await expect(hashPanel(page)).toContainText(sha256(bytes));
  }
});

test("exports list the types of the file", async ({ page, app }) => {
  await openFile(page, app, read(`legacy/${MODEL}`), MODEL);
  await expectOpen(page, MODEL);
  await page.getByRole("button", { name: "Tools" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /^Tensors as CSV/ }).click();
  const text = await readFile(await (await downloading).path(), "utf8");
  expect(text).toMatch(/,layers\.0\.attention\.wq\.weight,Q4_0_V1,/);
});

test.describe("on a narrow screen", () => {
  test.use({ viewport: { width: 400, height: 800 } });

  test("neither the tensors nor the changes scroll sideways", async ({ page, app }) => {
    await openFile(page, app, read(`legacy/${MODEL}`), MODEL);
    await expectOpen(page, MODEL);
    for (const [title, element] of [
      ["Tensors", "gguf-tensor-table"],
      ["Migrate", "gguf-migrate"],
    ] as const) {
      await page.getByRole("tab", { name: title }).click();
      await expect(page.locator(element)).toContainText("Q4_0");
      const wide = await page.locator(element).evaluate((host) => {
        const found: string[] = [];
        const visit = (root: ShadowRoot | Element) => {
          for (const child of root.querySelectorAll("*")) {
            const scrolls = /auto|scroll/.test(getComputedStyle(child).overflowX);
            if (scrolls && child.scrollWidth > child.clientWidth) found.push(`${child.localName}.${child.className}`);
            if (child.shadowRoot) visit(child.shadowRoot);
          }
        };
        if (host.shadowRoot) visit(host.shadowRoot);
        return found;
      });
      expect(wide, title).toEqual([]);
    }
    const row = page.locator("gguf-migrate").getByRole("row", { name: /^Q4_0_V1/ });
    await expect(row.getByRole("cell").first()).toHaveText("Q4_0");
  });
});
