// The Export menu: what it saves and copies, and how it is operated with the keyboard.

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, expectOpen, openFile, test } from "../support/fixtures.ts";
import { beginEditing } from "../support/editing.ts";
import { entriesWith, firstModel, replaceClipboard, tensorsWith, TEMPLATE } from "../support/compare-panel.ts";
import { openFiles, shardsOf } from "../support/shard-files.ts";
import { fileWith } from "../support/tensor-files.ts";
import { text } from "../../support/gguf-bytes.mjs";

const opener = (page: Page) => page.getByRole("button", { name: "Tools" });
const item = (page: Page, title: string) => page.getByRole("menuitem", { name: new RegExp(`^${title}`) });

/** Chooses an item. Returns the name and the content of the file that is downloaded. */
async function saved(page: Page, name: string | RegExp): Promise<{ name: string; content: string }> {
  await opener(page).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name }).first().click();
  const download = await downloading;
  return { name: download.suggestedFilename(), content: await readFile(await download.path(), "utf8") };
}

const scores = { type: "float32s", count: 40, at: (i: number) => i } as const;

test("JSON has the metadata and the tensors, with short or full arrays", async ({ page, app }) => {
  await openFile(page, app, firstModel(), "first-Q8_0.gguf");
  const short = await saved(page, /^JSON Metadata/);
  expect(short.name).toBe("first-Q8_0.json");
  const parsed = JSON.parse(short.content) as {
    filename: string;
    metadata: Record<string, { value?: unknown; length?: number }>;
    tensors: Record<string, { type: string }>;
  };
  expect(parsed.filename).toBe("first-Q8_0.gguf");
  expect(parsed.metadata["general.name"]?.value).toBe("Tiny");
  expect(parsed.metadata["tokenizer.ggml.scores"]?.value).toHaveLength(8);
  expect(Object.keys(parsed.tensors)).toEqual(tensorsWith().map(({ name }) => name));
  const full = await saved(page, /^JSON with full arrays/);
  expect(full.name).toBe("first-Q8_0.full.json");
  const { metadata } = JSON.parse(full.content) as typeof parsed;
  expect(metadata["tokenizer.ggml.scores"]?.value).toEqual(Array.from({ length: 40 }, (_, i) => scores.at(i)));
});

test("the button says that an export runs, before the work begins", async ({ page, app }) => {
  await openFile(page, app, firstModel(), "first.gguf");
  await page.locator("gguf-export-menu gguf-menu").evaluate((menu) => {
    const labels: string[] = [];
    Object.assign(window, { labels });
    const root = menu.shadowRoot;
    const look = () => labels.push(root?.querySelector("[part=label]")?.textContent ?? "");
    if (root) new MutationObserver(look).observe(root, { subtree: true, childList: true, characterData: true });
  });
  await saved(page, /^Markdown/);
  await expect(opener(page)).toHaveAccessibleName("Tools");
  expect(await page.evaluate(() => (window as unknown as { labels: string[] }).labels)).toContain("Exporting…");
});

test("the long name of a template is shortened and stays in the menu", async ({ page, app }) => {
  const entries = entriesWith({ [`tokenizer.chat_template.${"long".repeat(60)}`]: text("{{ tools }}") });
  await openFile(page, app, fileWith(entries, tensorsWith()), "first.gguf");
  await opener(page).click();
  const long = page.getByRole("menuitem", { name: /longlong/ });
  await expect(long).toHaveText(/longl…\s*$/);
  expect(await long.evaluate((item) => item.scrollWidth <= item.clientWidth)).toBe(true);
});

test("Markdown, tables and templates are saved with names from the model's file", async ({ page, app }) => {
  const entries = entriesWith({ "tokenizer.chat_template.tool use": text("{{ tools }}") });
  await openFile(page, app, fileWith(entries, tensorsWith()), "first.gguf");
  const markdown = await saved(page, /^Markdown/);
  expect(markdown.name).toBe("first.md");
  expect(markdown.content).toMatch(/^# first\.gguf/m);
  const tensors = await saved(page, "Tensors as CSV");
  expect(tensors.name).toBe("first.tensors.csv");
  expect(tensors.content.trimEnd().split("\r\n")).toHaveLength(4);
  expect(tensors.content).toContain("blk.2.attn_q.weight");
  const tokens = await saved(page, "Tokens as CSV");
  expect(tokens.name).toBe("first.tokens.csv");
  expect(tokens.content.trimEnd().split("\r\n")).toHaveLength(5);
  expect(tokens.content).toContain("<end>");
  expect(await saved(page, /^Chat template$/)).toEqual({ name: "first.jinja", content: TEMPLATE });
  expect(await saved(page, /tool use/)).toEqual({ name: "first.tool_use.jinja", content: "{{ tools }}" });
});

test("a file without tokens and templates has no items for them", async ({ page, app }) => {
  const none = {
    "tokenizer.ggml.tokens": undefined,
    "tokenizer.ggml.scores": undefined,
    "tokenizer.chat_template": undefined,
  };
  await openFile(page, app, fileWith(entriesWith(none), tensorsWith()), "none.gguf");
  await opener(page).click();
  await expect(item(page, "Tensors as CSV")).toBeVisible();
  await expect(page.getByRole("menuitem", { name: /tokens|template/i })).toHaveCount(0);
});

test("the Markdown is copied", async ({ page, app }) => {
  const copied = await replaceClipboard(page);
  await openFile(page, app, firstModel(), "first.gguf");
  await opener(page).click();
  await item(page, "Copy as Markdown").click();
  await expect.poll(copied).toMatch(/^# first\.gguf/m);
});

test("a set of shards is exported as one model", async ({ page, app }) => {
  await openFiles(page, app, shardsOf());
  await expectOpen(page, "tiny-00001-of-00003.gguf");
  const { name, content } = await saved(page, "Tensors as CSV");
  expect(name).toBe("tiny.tensors.csv");
  expect(content.trimEnd().split("\r\n")).toHaveLength(7);
});

test("while the file is edited, the edited file is exported, and the menu says so", async ({ page, app }) => {
  await openFile(page, app, firstModel(), "first.gguf");
  await page.getByRole("tab", { name: /^Metadata/ }).click();
  await beginEditing(page);
  await page.locator("gguf-metadata-table .row", { hasText: "general.name" }).first().click();
  const field = page.getByRole("textbox", { name: "Value of general.name" });
  await field.fill("Edited name");
  await field.press("Enter");
  await opener(page).click();
  await expect(page.getByRole("menu")).toContainText("Exports the edited file, with 1 change.");
  await page.keyboard.press("Escape");
  const { content } = await saved(page, /^JSON Metadata/);
  expect(content).toContain("Edited name");
});

test("the menu is operated with the keyboard", async ({ page, app }) => {
  await openFile(page, app, firstModel(), "first.gguf");
  const menu = page.getByRole("menu", { name: "Tools" });
  await expect(opener(page)).toHaveAttribute("aria-expanded", "false");
  await opener(page).press("Enter");
  await expect(opener(page)).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(item(page, "Chat template")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("End");
  await expect(item(page, "Chat template")).toBeFocused();
  await page.keyboard.press("t");
  await expect(item(page, "Tensors as CSV")).toBeFocused();
  await page.keyboard.press("o");
  await expect(item(page, "Tokens as CSV")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(opener(page)).toBeFocused();
  await opener(page).press("ArrowUp");
  await expect(item(page, "Chat template")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(menu).toBeHidden();
  // The next control after the menu's button.
  await expect(page.getByRole("button", { name: "Edit", exact: true })).toBeFocused();
  await opener(page).click();
  await expect(menu).toBeVisible();
  // Beside the summary, where no picture is.
  await page.mouse.click(5, 600);
  await expect(menu).toBeHidden();
});

test("a large header is exported in a worker, and the export is cancelled", async ({ page, app }) => {
  // The description makes the header larger than a megabyte.
  const file = fileWith(entriesWith({ "general.description": text("x".repeat(2 ** 20)) }), tensorsWith());
  await openFile(page, app, file, "first.gguf");
  let release: (() => void) | undefined;
  await page.route(/header-worker/, async (route) => {
    await new Promise<void>((resolve) => (release ??= resolve));
    // The worker was ended before.
    await route.abort().catch(() => undefined);
  });
  const exporting = page.getByRole("button", { name: "Exporting…" });
  await opener(page).click();
  await item(page, "Tensors as CSV").click();
  await exporting.click();
  await expect(page.getByRole("menu")).toContainText("Writing it takes a while.");
  await expect.poll(() => release !== undefined).toBe(true);
  await item(page, "Cancel").click();
  await expect(page.locator("gguf-viewer [role=status]").first()).toContainText("Cancelled");
  await expect(exporting).toHaveCount(0);
  // On a phone the items are in another menu. While an export runs, there is a button to cancel it.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(opener(page)).toBeHidden();
  await page.getByRole("button", { name: "More" }).click();
  await item(page, "Tensors as CSV").click();
  await exporting.click();
  await item(page, "Cancel").click();
  await expect(exporting).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  release?.();
  await page.unroute(/header-worker/);
  const { name, content } = await saved(page, "Tensors as CSV");
  expect(name).toBe("first.tensors.csv");
  expect(content.trimEnd().split("\r\n")).toHaveLength(4);
  const markdown = await saved(page, /^Markdown/);
  expect(markdown.content).toMatch(/^# first\.gguf/m);
});
