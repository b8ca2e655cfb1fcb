import { expect, test } from "../support/fixtures.ts";
import { changes, downloadEdited, startEditing, openEntry } from "../support/editing.ts";
import { rowOf } from "../support/metadata-table.ts";
import { ggufBytes, smallModel, text } from "../../support/gguf-bytes.mjs";

test("one of many tokens is changed, others are inserted and removed", async ({ page, app }) => {
  await startEditing(page, app, smallModel());
  const detail = await openEntry(page, "ggml.tokens");
  const array = detail.locator("gguf-edit-array");
  await array.getByRole("spinbutton", { name: "Go to element number" }).fill("500");
  await array.getByRole("spinbutton", { name: "Go to element number" }).press("Enter");
  await array.locator(".row", { hasText: "tok500" }).click();
  const field = array.getByRole("textbox", { name: /element 500/ });
  // The element is also open in the list of matches, and is not listed for other searches.
  const search = array.getByRole("searchbox", { name: /^Search/ });
  await search.fill("ok50");
  await expect(array.locator(".row")).toHaveText([
    /50/,
    /500/,
    /501/,
    /502/,
    /503/,
    /504/,
    /505/,
    /506/,
    /507/,
    /508/,
    /509/,
  ]);
  await expect(array.locator(".row", { hasText: "tok500" })).toHaveAttribute("aria-expanded", "true");
  await expect(field).toBeVisible();
  await search.fill("ok51");
  await expect(array.locator(".row")).toHaveCount(11);
  await expect(field).toHaveCount(0);
  await search.fill("ok500");
  await expect(array.locator(".row")).toHaveCount(1);
  await field.fill("<|tool|>");
  await field.press("Enter");
  await search.fill("tool");
  await expect(array.locator(".row", { hasText: "<|tool|>" })).toBeVisible();
  await search.fill("");
  await expect(array.locator(".row", { hasText: "<|tool|>" })).toHaveCount(0);
  await array.getByRole("spinbutton", { name: "Go to element number" }).fill("500");
  await array.getByRole("spinbutton", { name: "Go to element number" }).press("Enter");
  await expect(array.locator(".row", { hasText: "<|tool|>" })).toBeVisible();
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toContainText("Element 500");
  await expect(changes(page)).toContainText("STRING[1,000]");
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await array.getByRole("button", { name: "Insert before" }).click();
  await array.getByLabel("New elements, one per line").fill("one\ntwo");
  await array.getByRole("button", { name: "Insert", exact: true }).click();
  await expect(rowOf(page, "ggml.tokens")).toContainText("STRING[1,002]");
  await expect(array.locator(".row", { hasText: "502" }).first()).toContainText("<|tool|>");
  await array.locator(".row", { hasText: "one" }).first().click();
  await array.getByRole("button", { name: /^Remove .*element 500/ }).click();
  await expect(rowOf(page, "ggml.tokens")).toContainText("STRING[1,001]");
});

test("one token among 128,256 is changed", async ({ page, app }) => {
  const tokens = (count: number, changed?: string) =>
    ggufBytes([
      ["general.architecture", text("llama")],
      [
        "tokenizer.ggml.tokens",
        { type: "strings", count, at: (i) => (i === 100_000 && changed !== undefined ? changed : `token${i}`) },
      ],
      ["tokenizer.ggml.merges", { type: "strings", count: 280_147, at: (i) => `a${i} b${i}` }],
    ]);
  await startEditing(page, app, tokens(128_256));
  const array = (await openEntry(page, "ggml.tokens")).locator("gguf-edit-array");
  await array.getByRole("spinbutton", { name: "Go to element number" }).fill("100000");
  await array.getByRole("spinbutton", { name: "Go to element number" }).press("Enter");
  await array.locator(".row", { hasText: "token100000" }).click();
  const field = array.getByRole("textbox", { name: /element 100000/ });
  await field.fill("<|new|>");
  await field.press("Enter");
  await expect(array.locator(".row", { hasText: "<|new|>" })).toBeVisible();
  expect(Buffer.from(await downloadEdited(page)).equals(tokens(128_256, "<|new|>"))).toBe(true);
});
