import { expect, test } from "../support/fixtures.ts";
import { startEditing, valueOf } from "../support/editing.ts";
import { rowOf, table } from "../support/metadata-table.ts";
import { ggufBytes, smallModel, text, uint32 } from "../../support/gguf-bytes.mjs";

test("goes into the field of the opened row, by click or key", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  await rowOf(page, "general.name").click();
  await expect(valueOf(page, "general.name")).toBeFocused();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" and more");
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "general.name")).toContainText("Tiny Test and more");
  await expect(valueOf(page, "general.name")).toBeFocused();
  // Back to the grid, and two rows down.
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(valueOf(page, "general.repo_url")).toBeFocused();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("/2");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(rowOf(page, "general.repo_url")).toContainText("https://example.com/tiny");
});

test("goes into the field of a tensor and of an element", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  await rowOf(page, "ggml.tokens").click();
  await page.locator("gguf-edit-array .row", { hasText: "tok3" }).first().click();
  await expect(page.getByRole("textbox", { name: /element 3/ })).toBeFocused();
  await page.getByRole("tab", { name: /Tensors/ }).click();
  await page.locator("gguf-tensor-table .row", { hasText: "token_embd.weight" }).first().click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
});

test("is kept when the row is scrolled out of view and back", async ({ page, app }) => {
  const many = Array.from({ length: 300 }, (_, at): [string, ReturnType<typeof uint32>] => [`k${at}`, uint32(at)]);
  await startEditing(
    page,
    app,
    ggufBytes([["general.name", text("a")], ["list", { type: "strings", count: 3, at: String }], ...many]),
  );
  const scroller = page.locator(`${table} .scroller`).first();
  const away = async () => {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(rowOf(page, "k299")).toBeVisible();
    // A row with the focus stays in the document. Without the focus it is removed.
    await page.getByRole("searchbox", { name: /^Search keys/ }).focus();
    await expect(page.locator("gguf-edit-entry")).toHaveCount(0);
    await scroller.evaluate((element) => element.scrollTo(0, 0));
  };
  await rowOf(page, "general.name").click();
  const key = page.getByRole("textbox", { name: "Key" });
  await key.fill("");
  await away();
  // An empty key is refused, and the typed text is kept.
  await expect(key).toHaveValue("");
  await key.press("Escape");
  await rowOf(page, "general.name").click();
  await rowOf(page, "list").click();
  await page.getByRole("button", { name: "Add elements" }).click();
  await page.getByLabel("New elements, one per line").fill("one\ntwo");
  await away();
  await expect(page.getByLabel("New elements, one per line")).toHaveValue("one\ntwo");
  await page.getByRole("button", { name: "Insert", exact: true }).click();
  await expect(rowOf(page, "list")).toContainText("STRING[5]");
});
