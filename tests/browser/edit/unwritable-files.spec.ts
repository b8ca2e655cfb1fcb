import type { Page } from "@playwright/test";
import { expect, factOf, test } from "../support/fixtures.ts";
import { bar, startEditing, openEntry } from "../support/editing.ts";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";

const cut = () =>
  ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.name", text("First")],
    ],
    [{ name: "a.weight", dimensions: [32], type: 0, bytes: 128 }],
  ).subarray(0, -64);

const notice = (page: Page) => page.locator("[role=status] .obstacle");
const labels = (page: Page) => page.locator("gguf-identity .figures dt").allTextContents();

test("a truncated file: the page says before and during editing that changes cannot be saved", async ({
  page,
  app,
}) => {
  await startEditing(page, app, cut());
  await expect(notice(page)).toContainText("This file is truncated. Changes to it cannot be saved.");
  const [before, headerSize] = [await labels(page), await factOf(page, "Header size").textContent()];
  const detail = await openEntry(page, "general.name");
  await detail.getByRole("textbox", { name: "Value of general.name" }).fill("Other");
  await page.keyboard.press("Enter");
  await expect(factOf(page, "File size")).toContainText("unknown");
  await expect(factOf(page, "File size")).toContainText(/was \d+ bytes/);
  expect(await labels(page)).toEqual(before);
  // A name of the same length.
  await expect(factOf(page, "Header size")).toHaveText(headerSize ?? "");
  await detail.getByRole("textbox", { name: "Value of general.name" }).fill("Another name");
  await page.keyboard.press("Enter");
  const longer = `${Number.parseInt(headerSize ?? "") + "Another name".length - "First".length} bytes`;
  await expect(factOf(page, "Header size")).toContainText(longer);
  await expect(factOf(page, "Data offset")).not.toContainText("unknown");
  await page.getByRole("button", { name: "Discard all" }).click();
  await expect(factOf(page, "File size")).not.toContainText("unknown");
  await expect(notice(page)).toContainText("This file is truncated");
  await page.getByRole("button", { name: "Stop editing" }).click();
  await expect(notice(page)).toHaveCount(0);
});

test("changes that cannot be saved: a notice appears at once and disappears after undo", async ({ page, app }) => {
  await startEditing(
    page,
    app,
    ggufBytes([["a", text("b")]], [{ name: "t", dimensions: [32], type: 9999, bytes: 32 }]),
  );
  await expect(notice(page)).toHaveCount(0);
  await page.getByRole("button", { name: "File…" }).click();
  await page.getByRole("dialog").getByLabel("Byte order").selectOption("big-endian");
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await expect(notice(page)).toContainText("The changes cannot be saved at present.");
  await expect(notice(page)).toContainText("no tool defines in the other byte order");
  await bar(page).getByRole("button", { name: "Undo" }).click();
  await expect(notice(page)).toHaveCount(0);
});
