// The vocabulary in the tokenizer panel: facts, special tokens, and the table of tokens.

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { missing, pathOf } from "../../package/corpus.mjs";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { startEditing } from "../support/editing.ts";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import type { TestServer } from "../support/server.ts";

const panel = (page: Page) => page.locator("gguf-tokenizer");
const table = (page: Page) => panel(page).getByRole("treegrid", { name: "Tokens" });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search tokens" });
const token = (page: Page, id: string) =>
  table(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: id, exact: true }) });

const strings = (texts: readonly string[]) => ({
  type: "strings" as const,
  count: texts.length,
  at: (index: number) => texts[index] ?? "",
});
const int32s = (values: readonly number[]) => ({
  type: "int32s" as const,
  count: values.length,
  at: (index: number) => values[index] ?? 0,
});

/** A byte-level vocabulary with a duplicate, an empty token and tokens of three types. */
function smallVocabulary(): Uint8Array {
  const tokens = ["a", "b", "Ġ", "Ġa", "ab", "ðŁ", "<|end|>", "a", "", "\u202e!"];
  return ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["general.name", text("Small")],
      ["llama.block_count", uint32(1)],
      ["tokenizer.ggml.model", text("gpt2")],
      ["tokenizer.ggml.pre", text("llama-bpe")],
      ["tokenizer.ggml.tokens", strings(tokens)],
      ["tokenizer.ggml.token_type", int32s([1, 1, 1, 1, 1, 1, 3, 1, 5, 4])],
      ["tokenizer.ggml.merges", strings(["a b", "Ġ a"])],
      ["tokenizer.ggml.eos_token_id", uint32(6)],
      ["tokenizer.ggml.bos_token_id", uint32(99)],
    ],
    [{ name: "token_embd.weight", dimensions: [4, 10], type: 0, bytes: 160 }],
  );
}

async function openSmall(page: Page, app: TestServer): Promise<void> {
  await openFile(page, app, smallVocabulary(), "small.gguf");
  await page.getByRole("tab", { name: "Tokenizer" }).click();
  await expect(table(page)).toBeVisible();
}

test("the model, the types and the special tokens are shown, and lead to their rows", async ({ page, app }) => {
  await openSmall(page, app);
  await expect(panel(page)).toContainText("Byte-level BPE");
  await expect(panel(page)).toContainText("llama-bpe");
  await expect(panel(page)).toContainText("Normal 7, Control 1, Unused 1, User-defined 1");
  await expect(panel(page)).toContainText("1 duplicate, 1 empty");
  await expect(panel(page).getByRole("button", { name: /^bos not in the vocabulary/ })).toBeDisabled();
  await panel(page)
    .getByRole("button", { name: /^eos <\|end\|>/ })
    .click();
  await expect(token(page, "6")).toHaveAttribute("aria-expanded", "true");
  await expect(table(page)).toBeFocused();
  await page.getByRole("button", { name: "Show the entry tokenizer.ggml.eos_token_id" }).click();
  await expect(page.locator("gguf-metadata-table .row.active")).toContainText("tokenizer.ggml.eos_token_id");
});

test("spaces, bytes and characters that would be invisible are shown", async ({ page, app }) => {
  await openSmall(page, app);
  await expect(token(page, "3").getByRole("gridcell").first()).toHaveText("·a");
  await expect(token(page, "5").getByRole("gridcell").first()).toHaveText("f0 9f");
  await expect(token(page, "8").getByRole("gridcell").first()).toHaveText("empty");
  await expect(token(page, "9").getByRole("gridcell").first()).toHaveText("\\u202e!");
  await token(page, "3").click();
  await expect(table(page).locator(".detail")).toContainText("Ġa");
  await expect(table(page).locator(".detail")).toContainText("20 61");
  await expect(table(page).locator(".detail")).toContainText("Ġ + a rank 1");
});

test("tokens are searched, filtered and sorted, and a link restores it", async ({ page, app }) => {
  const url = app.file("/models/small-vocabulary.gguf", smallVocabulary());
  await openUrl(page, app, url, "&view=tokenizer");
  const ids = () => table(page).getByRole("rowheader").allInnerTexts();
  await search(page).fill(" a");
  await expect.poll(ids).toEqual(["3"]);
  await page.getByRole("combobox", { name: "What to search" }).selectOption("Regular expression");
  await search(page).fill("^[ab]$");
  await expect.poll(ids).toEqual(["0", "1", "7"]);
  await search(page).fill("(");
  await expect(panel(page).getByRole("alert")).toContainText("Unterminated group");
  await search(page).fill("");
  await panel(page).getByRole("button", { name: "Duplicates 1" }).click();
  await expect.poll(ids).toEqual(["7"]);
  await panel(page).getByRole("button", { name: "Duplicates 1" }).click();
  await panel(page).getByRole("button", { name: "Control 1" }).click();
  await panel(page).getByRole("button", { name: "Unused 1" }).click();
  await table(page).getByRole("button", { name: "Id" }).click();
  await expect.poll(ids).toEqual(["8", "6"]);
  await expect(page).toHaveURL(/&tokenizer\.search=regex&tokenizer\.types=3,5&tokenizer\.sort=-id$/);
  await page.reload();
  await expect.poll(ids).toEqual(["8", "6"]);
  await expect(panel(page).getByRole("button", { name: "Control 1" })).toHaveAttribute("aria-pressed", "true");
});

test("the tokens are saved as CSV", async ({ page, app }) => {
  await openSmall(page, app);
  await search(page).fill("end");
  await expect(token(page, "6")).toBeVisible();
  await expect(panel(page).locator("gguf-token-table .count")).toHaveText("1 of 10");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe("tokens.csv");
  expect(await readFile(await download.path(), "utf8")).toBe(
    "id,token,bytes,type\r\n6,<|end|>,3c 7c 65 6e 64 7c 3e,Control\r\n",
  );
});

test("the text and the type of a token are edited", async ({ page, app }) => {
  await startEditing(page, app, smallVocabulary(), "small.gguf");
  await page.getByRole("tab", { name: "Tokenizer" }).click();
  await token(page, "4").click();
  await page.getByRole("textbox", { name: "Text of token 4" }).fill("ba");
  await page.getByRole("textbox", { name: "Text of token 4" }).press("Enter");
  await expect(token(page, "4").getByRole("gridcell").first()).toHaveText("ba");
  await page
    .getByRole("combobox", { name: "Allowed values of the type of token 4" })
    .selectOption({ label: "4 · User-defined" });
  await expect(token(page, "4")).toContainText("User-defined");
  await expect(page.getByRole("tab", { name: "Changes 2" })).toBeVisible();
});

test("a file without a vocabulary says so", async ({ page, app }) => {
  const file = ggufBytes([
    ["general.architecture", text("llama")],
    ["tokenizer.ggml.model", text("none")],
  ]);
  await openFile(page, app, file, "none.gguf");
  await page.getByRole("tab", { name: "Tokenizer" }).click();
  await expect(panel(page)).toContainText("The file has no vocabulary");
});

test("262,144 tokens open and are searched without a task that stops the page", async ({ page, app }) => {
  const file = ggufBytes([
    ["general.architecture", text("llama")],
    ["tokenizer.ggml.model", text("llama")],
    ["tokenizer.ggml.tokens", { type: "strings", count: 262_144, at: (id: number) => `▁token${id}` }],
    ["tokenizer.ggml.token_type", { type: "int32s", count: 262_144, at: () => 1 }],
  ]);
  await openUrl(page, app, app.file("/models/large-vocabulary.gguf", file), "&view=tokenizer");
  await search(page).fill("token262143");
  await expect(token(page, "262143")).toBeVisible();
  await expect(panel(page).locator("gguf-token-table .count")).toHaveText("1 of 262,144");
  await search(page).fill("");
  await table(page).getByRole("button", { name: "Token", exact: true }).click();
  await expect(table(page).getByRole("rowheader").first()).toHaveText("0");
  await table(page).press("End");
  await expect(table(page).getByRole("rowheader").last()).toHaveText("99999");
});

test.describe("real vocabularies", () => {
  test.skip(missing !== false, String(missing));

  for (const [name, count, found] of [
    ["ggml-vocab-gpt-2", "50,257", "262"],
    ["ggml-vocab-llama-spm", "32,000", "278"],
    ["ggml-vocab-bert-bge", "30,522", "1996"],
  ] as const) {
    test(name, async ({ page, app }) => {
      const url = app.file(`/models/${name}.gguf`, await readFile(pathOf(`files/${name}.gguf`)));
      await openUrl(page, app, url, "&view=tokenizer");
      await expect(search(page)).toHaveAttribute("placeholder", `Search ${count} tokens`);
      await search(page).fill(" the");
      await expect(token(page, found)).toBeVisible();
    });
  }
});
