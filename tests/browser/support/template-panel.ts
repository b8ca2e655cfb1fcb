// Operates the panel of chat templates, and makes files with templates.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Locator, type Page } from "@playwright/test";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { openFile } from "./fixtures.ts";

type App = Parameters<typeof openFile>[1];
type Entry = Parameters<typeof ggufBytes>[0][number];

/** A template of the test corpus. */
export const realTemplate = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../template/templates/${name}.jinja`, import.meta.url)), "utf8");

/** The texts and types of the vocabulary of the test files: 1 is a normal token, 3 a control token, 4 a user-defined token. */
const VOCABULARY: readonly (readonly [text: string, type: number])[] = [
  ["<unk>", 2],
  ["<s>", 3],
  ["</s>", 3],
  ["<|im_start|>", 3],
  ["<|im_end|>", 3],
  ["<tool_call>", 4],
  ["<|normal|>", 1],
  ...["hello", "Ġworld", "a", "b"].map((token) => [token, 1] as const),
];

/** A file with a small vocabulary and templates. "" is the name of the default template. */
export function templateFile(templates: Readonly<Record<string, string>>, more: readonly Entry[] = []): Uint8Array {
  return ggufBytes([
    ["general.architecture", text("llama")],
    ["general.name", text("Template Test")],
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.tokens", { type: "strings", count: VOCABULARY.length, at: (id) => VOCABULARY[id]?.[0] ?? "" }],
    ["tokenizer.ggml.token_type", { type: "int32s", count: VOCABULARY.length, at: (id) => VOCABULARY[id]?.[1] ?? 0 }],
    ["tokenizer.ggml.bos_token_id", uint32(1)],
    ["tokenizer.ggml.eos_token_id", uint32(2)],
    ...Object.entries(templates).map(([name, source]): Entry => [
      `tokenizer.chat_template${name === "" ? "" : `.${name}`}`,
      text(source),
    ]),
    ...more,
  ]);
}

export const panel = (page: Page): Locator => page.locator("gguf-template");
/** The text of the rendered conversation. */
export const rendered = (page: Page): Locator =>
  panel(page).getByRole("region", { name: "Rendered text" }).locator("bdi, pre").first();
export const renderedText = (page: Page): Locator => panel(page).locator("gguf-rendered-text pre");
export const flags = (page: Page): Locator => panel(page).getByRole("region", { name: "What to look at" });
export const editor = (page: Page): Locator => panel(page).getByRole("textbox", { name: "Chat template" });
export const conversation = (page: Page): Locator => panel(page).getByRole("combobox", { name: "Conversation" });
export const failure = (page: Page): Locator => panel(page).locator(".failure");

/** Opens a local file and shows the panel. */
export async function openTemplate(page: Page, app: App, data: Uint8Array): Promise<void> {
  await openFile(page, app, data, "template.gguf");
  await page.getByRole("tab", { name: "Chat template", exact: true }).click();
  await expect(panel(page).getByRole("heading").first()).toBeVisible();
}
