// Operates the tokenizer panel, and makes files with small vocabularies.

import { expect, type Locator, type Page } from "@playwright/test";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { openFile } from "./fixtures.ts";

type App = Parameters<typeof openFile>[1];
export type Entries = Parameters<typeof ggufBytes>[0];

/** A byte-level vocabulary: 0 to 4 are made by merges, 5 is a control token, 6 to 9 are the bytes of an emoji. */
export const HELLO_TOKENS: readonly string[] = ["h", "i", "Ġ", "hi", "Ġhi", "<end>", "ð", "Ł", "¦", "Ļ"];

const strings = (texts: readonly string[]) => ({
  type: "strings" as const,
  count: texts.length,
  at: (index: number) => texts[index] ?? "",
});

/** A file with that vocabulary, which adds EOS. `replaced` are entries with other values, or without one. */
export function helloVocabulary(
  replaced: Readonly<Record<string, Entries[number][1] | undefined>> = {},
  more: Entries = [],
): Uint8Array {
  const entries: Entries = [
    ["general.architecture", text("llama")],
    ["general.name", text("Hello")],
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.pre", text("gpt-2")],
    ["tokenizer.ggml.tokens", strings(HELLO_TOKENS)],
    [
      "tokenizer.ggml.token_type",
      { type: "int32s", count: HELLO_TOKENS.length, at: (id) => (HELLO_TOKENS[id] === "<end>" ? 3 : 1) },
    ],
    ["tokenizer.ggml.merges", strings(["h i", "Ġ hi"])],
    ["tokenizer.ggml.eos_token_id", uint32(5)],
    ["tokenizer.ggml.add_eos_token", { type: "bool", value: true }],
  ];
  const values: Entries = entries.flatMap(([key, value]): Entries => {
    if (typeof key !== "string" || !Object.hasOwn(replaced, key)) return [[key, value]];
    const other = replaced[key];
    return other === undefined ? [] : [[key, other]];
  });
  return ggufBytes([...values, ...more]);
}

export const tokenizerPanel = (page: Page): Locator => page.locator("gguf-tokenizer");
export const textField = (page: Page): Locator => tokenizerPanel(page).getByRole("textbox", { name: "Text" });
export const idsField = (page: Page): Locator => tokenizerPanel(page).getByRole("textbox", { name: "Ids" });
export const addSpecial = (page: Page): Locator =>
  tokenizerPanel(page).getByRole("checkbox", { name: "Add special tokens, as the file asks" });
export const parseSpecial = (page: Page): Locator =>
  tokenizerPanel(page).getByRole("checkbox", { name: "Recognise special tokens in the text" });
/** The tokens of the text, in order. */
export const shownTokens = (page: Page): Locator =>
  tokenizerPanel(page).getByRole("region", { name: "Tokens of the text" }).locator(".token");
/** The line with the number of tokens. */
export const tokenCount = (page: Page): Locator => tokenizerPanel(page).locator("gguf-try-tokenizer [role=status]");
/** Why the tokenizer cannot be run. */
export const refusal = (page: Page): Locator => tokenizerPanel(page).locator("gguf-try-tokenizer .about");

/** Opens a local file and shows the panel. */
export async function openTokenizer(page: Page, app: App, data: Uint8Array): Promise<void> {
  await openFile(page, app, data, "tokenizer.gguf");
  await page.getByRole("tab", { name: "Tokenizer" }).click();
  await expect(tokenizerPanel(page).getByRole("heading").first()).toBeVisible();
}
