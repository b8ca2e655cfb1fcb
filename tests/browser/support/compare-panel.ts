// Operates the compare panel, as a person does, and makes pairs of models.

import type { Locator, Page } from "@playwright/test";
import type { TestServer } from "./server.ts";
import { changeGlobals } from "./shared-page.ts";
import { type Made, fileWith, matrix } from "./tensor-files.ts";
import { text, uint32 } from "../../support/gguf-bytes.mjs";

export type Entries = Parameters<typeof fileWith>[0];

export const TEMPLATE = "{% for message in messages %}\n{{ message.content }}\n{% endfor %}";
export const OTHER_TEMPLATE = "{% for message in messages %}\n<|im|>{{ message.content }}\n{% endfor %}";

const tokens = (...own: string[]) => ({ type: "strings", count: own.length, at: (i: number) => own[i] ?? "" }) as const;

/** The entries of a model. Those in `change` replace the ones with the same key, or are added. `undefined` removes. */
export function entriesWith(change: Record<string, Entries[number][1] | undefined> = {}): Entries {
  const entries = new Map<string, Entries[number][1]>([
    ["general.architecture", text("llama")],
    ["general.name", text("Tiny")],
    ["llama.block_count", uint32(2)],
    ["llama.context_length", uint32(4096)],
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.tokens", tokens("a", "b", "c", "<end>")],
    ["tokenizer.ggml.scores", { type: "float32s", count: 40, at: (i) => i }],
    ["tokenizer.chat_template", text(TEMPLATE)],
  ]);
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) entries.delete(key);
    else entries.set(key, value);
  }
  return [...entries];
}

/** Tensors whose values are 1, 2, 3, …; `change` is added to one element of tensor 1. */
export const tensorsWith = (change = 0): Made[] =>
  [0, 1, 2].map((at) =>
    matrix(
      `blk.${at}.attn_q.weight`,
      32,
      4,
      (row, column) => row * 32 + column + 1 + (at === 1 && row === 2 && column === 5 ? change : 0),
    ),
  );

export const firstModel = (): Uint8Array<ArrayBuffer> => fileWith(entriesWith(), tensorsWith());

/** The first model with changes of every kind: entries, an array, tokens, a template, the data and the names of tensors. */
export function secondModel(): Uint8Array<ArrayBuffer> {
  const [first, second] = tensorsWith(0.5);
  return fileWith(
    entriesWith({
      "general.name": undefined,
      "llama.context_length": { type: "uint64", value: 4096n },
      "llama.block_count": uint32(3),
      "tokenizer.ggml.tokens": tokens("a", "c", "b", "<end>", "new"),
      "tokenizer.ggml.scores": { type: "float32s", count: 40, at: (i) => (i === 7 ? -1 : i) },
      "tokenizer.chat_template": text(OTHER_TEMPLATE),
      "general.license": text("mit"),
    }),
    [...(first && second ? [first, second] : []), matrix("output.weight", 32, 2, () => 1)],
  );
}

export const panel = (page: Page): Locator => page.locator("gguf-compare");
export const address = (page: Page): Locator =>
  panel(page).getByRole("textbox", { name: /^Address of the file to compare with/ });
export const summary = (page: Page): Locator => panel(page).locator(".summary");
export const alert = (page: Page): Locator => panel(page).getByRole("alert");
export const entryTable = (page: Page): Locator => panel(page).locator("gguf-entry-differences");
export const tensorTable = (page: Page): Locator => panel(page).locator("gguf-tensor-differences");
/** The row of an entry or a tensor in the table that is shown. */
export const rowOf = (page: Page, name: string): Locator =>
  panel(page)
    .locator("[role=row].row:visible")
    .filter({ has: page.locator(".name", { hasText: name }) });
export const detail = (page: Page): Locator => panel(page).locator(".detail:visible");

export async function showCompare(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Compare" }).click();
}

export async function showDifferences(page: Page, name: "Metadata" | "Tensors"): Promise<void> {
  await panel(page)
    .getByRole("tab", { name: new RegExp(`^${name}`) })
    .click();
}

/** Compares with the file at an address. */
export async function compareWith(page: Page, url: string): Promise<void> {
  await address(page).fill(url);
  await address(page).press("Enter");
}

/** Opens two files by their addresses in the compare panel. */
export async function openPair(
  page: Page,
  app: TestServer,
  a: Uint8Array = firstModel(),
  b: Uint8Array = secondModel(),
): Promise<{ a: string; b: string }> {
  const urls = { a: app.file("/pair/a.gguf", a), b: app.file("/pair/b.gguf", b) };
  await page.goto(
    `${app.origin}/#url=${encodeURIComponent(urls.a)}&view=compare&compare.with=${encodeURIComponent(urls.b)}`,
  );
  await summary(page).waitFor();
  return urls;
}

/** Replaces the clipboard of the page. Returns what was written to it. */
export async function replaceClipboard(page: Page): Promise<() => Promise<string>> {
  await changeGlobals(page, () => {
    const copied = { text: "" };
    Object.assign(window, { copied });
    Object.defineProperty(navigator, "clipboard", {
      configurable: true,
      value: {
        writeText: (text: string) => {
          copied.text = text;
          return Promise.resolve();
        },
        write: async ([item]: ClipboardItem[]) => {
          copied.text = (await (await item?.getType("text/plain"))?.text()) ?? "";
        },
      },
    });
  });
  return () => page.evaluate(() => (window as unknown as { copied: { text: string } }).copied.text);
}
