// The command palette (Ctrl+K), and the list of keys (?).

import type { Page } from "@playwright/test";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";

const field = (page: Page) => page.getByRole("combobox", { name: "Panel, key, tensor, token or action" });
const options = (page: Page) => page.getByRole("listbox", { name: "Results" }).getByRole("option");
const chosen = (page: Page) => options(page).and(page.locator('[aria-selected="true"]'));

/** Opens the palette with its key, and types. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(text);
  await expect(chosen(page)).toHaveCount(1);
}

test("goes to a key, a tensor, a token and a panel, and does something", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await expect(page.getByRole("tab", { name: "Summary" })).toBeVisible();
  await find(page, "context");
  await expect(chosen(page)).toContainText("llama.context_length");
  await page.keyboard.press("Enter");
  await expect(page.locator("gguf-metadata-table .row.active")).toContainText("context_length");
  await expect(field(page)).toHaveCount(0);

  const tensor = await page.locator("gguf-viewer").evaluate((viewer) => {
    const { tensors } = (viewer as unknown as { gguf: { tensors: readonly { name: string }[] } }).gguf;
    return tensors[0]?.name ?? "";
  });
  await find(page, tensor);
  await expect(chosen(page)).toContainText(tensor);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: /Tensors/ })).toHaveAttribute("aria-selected", "true");

  await find(page, "needle");
  await expect(chosen(page)).toContainText("Token 777");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Tokenizer" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("searchbox", { name: "Search tokens" })).toHaveValue("777");

  // A tool, whose tab is not there yet.
  await find(page, "hash");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Hash" })).toBeFocused();

  await find(page, "theme dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("arrow keys choose, Escape returns the focus, and ? shows the keys", async ({ page, app }) => {
  await openFile(page, app, smallModel());
  await page.getByRole("tab", { name: "Summary" }).focus();
  await page.keyboard.press("Control+k");
  await expect(chosen(page)).toContainText("Summary");
  await page.keyboard.press("ArrowDown");
  await expect(chosen(page)).toContainText("Metadata");
  await expect(field(page)).toHaveAttribute("aria-activedescendant", (await chosen(page).getAttribute("id")) ?? "");
  await page.keyboard.press("ArrowUp");
  await expect(chosen(page)).toContainText("Summary");
  await page.keyboard.type("no such thing at all");
  await expect(page.getByText("Nothing found.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await expect(page.getByRole("tab", { name: "Summary" })).toBeFocused();

  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect(keys).toContainText("Ctrl + K");
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);
  // In a field it is text.
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await page.getByRole("searchbox", { name: "Search keys, values and tokens" }).press("?");
  await expect(keys).toHaveCount(0);
});

test("opens on the start page with what the page can do", async ({ page, app }) => {
  await page.goto(app.origin);
  await page.getByRole("button", { name: "Choose a file" }).focus();
  await find(page, "open an address");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Address of a GGUF file, or a repository" })).toBeFocused();
});

test("a palette that is open while the file opens finds its rows then", async ({ page, app }) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  app.on("/palette/slow.gguf", async (_request, response) => {
    await held;
    response.writeHead(200).end(smallModel());
  });
  await openUrl(page, app, "palette/slow.gguf");
  await expect(page.getByRole("progressbar").first()).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("context_length");
  await expect(options(page)).toHaveCount(0);
  answer();
  await expect(chosen(page)).toContainText("llama.context_length");
  await expect(field(page)).toHaveValue("context_length");
  await expect(field(page)).toBeFocused();
});

test("the palette of the start page becomes that of a file that opens", async ({ page, app }) => {
  await page.goto(app.origin);
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("context_length");
  await page.evaluate((address) => (location.hash = `#url=${address}`), app.file("/palette/later.gguf", smallModel()));
  await expect(chosen(page)).toContainText("llama.context_length");
  await expect(field(page)).toHaveValue("context_length");
  await expect(field(page)).toBeFocused();
});
