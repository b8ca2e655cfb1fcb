// The rendered text as tokens: the count, and the marks of special tokens.

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { missing, pathOf } from "../../package/corpus.mjs";
import { text } from "../../support/gguf-bytes.mjs";
import { expect, openUrl, test } from "../support/fixtures.ts";
import { conversation, openTemplate, panel, renderedText } from "../support/template-panel.ts";
import { addSpecial, helloVocabulary, parseSpecial, textField, tokenCount } from "../support/tokenizer-panel.ts";

const TEMPLATE = "{% for message in messages %}<end>{{ message.content }}{% endfor %}";
const marks = (page: Page) => renderedText(page).locator(".token");
/** The line below the rendered text. */
const counts = (page: Page) => panel(page).locator("gguf-rendered-text [role=status]");

async function say(page: Page, content: string): Promise<void> {
  await conversation(page).selectOption("Own messages");
  await panel(page)
    .getByRole("textbox", { name: "Messages as JSON" })
    .fill(JSON.stringify([{ role: "user", content }]));
}

test("the tokens of the rendered text are counted, and its special tokens marked", async ({ page, app }) => {
  await openTemplate(page, app, helloVocabulary({}, [["tokenizer.chat_template", text(TEMPLATE)]]));
  await say(page, "hi hi");
  await expect(counts(page)).toHaveText("10 characters, 4 tokens (1 added by the tokenizer), 1 special token");
  await expect(marks(page)).toHaveText(["<end>"]);
  await expect(marks(page)).toHaveAttribute("title", "Token 5, control: <end>");
  // A message that contains a special token is tokenised with it, as the text is one when it reaches the tokenizer.
  await say(page, "hi<end>🦙");
  await expect(counts(page)).toHaveText("14 characters, 8 tokens (1 added by the tokenizer), 2 special tokens");
  await expect(marks(page)).toHaveCount(2);
});

test("lines have numbers, wrapped lines have none, and no token is wrapped", async ({ page, app }) => {
  await openTemplate(page, app, helloVocabulary({}, [["tokenizer.chat_template", text(TEMPLATE)]]));
  await page.setViewportSize({ width: 390, height: 844 });
  await say(page, `${"hi ".repeat(60)}\n\n${"🦙".repeat(60)}<end>\nhi\n`);
  await expect(renderedText(page).locator(".piece").first()).toBeVisible();
  const found = await renderedText(page).evaluate((element) => {
    const tops = (part: Element) => [...part.getClientRects()].map(({ top }) => Math.round(top));
    const numbered = [...element.querySelectorAll(".line")];
    const tokens = [...element.querySelectorAll(".token, .piece")];
    return {
      numbered: numbered.length,
      different: new Set(numbered.flatMap(tops)).size,
      breaks: element.querySelectorAll(".break").length,
      rows: element.clientHeight / parseFloat(getComputedStyle(element).lineHeight),
      wrapped: tokens.filter((token) => !token.textContent.includes("\n") && new Set(tops(token)).size > 1).length,
      isWide: element.scrollWidth > element.clientWidth,
    };
  });
  expect(found).toMatchObject({ numbered: 4, different: 4, breaks: 4, wrapped: 0, isWide: false });
  expect(found.rows).toBeGreaterThan(8);
  await panel(page).getByRole("checkbox", { name: "Show tokens" }).uncheck();
  await expect(renderedText(page).locator(".piece")).toHaveCount(0);
  await expect(renderedText(page).locator(".line")).toHaveCount(4);
});

test("special tokens are marked and tokens are not counted if the tokenizer cannot be run", async ({ page, app }) => {
  const file = helloVocabulary({ "tokenizer.ggml.model": text("rwkv") }, [["tokenizer.chat_template", text(TEMPLATE)]]);
  await openTemplate(page, app, file);
  await say(page, "hi hi");
  await expect(counts(page)).toHaveText("10 characters, 1 special token");
  await expect(marks(page)).toHaveText(["<end>"]);
  await expect(panel(page)).toContainText('Tokens are not counted. The tokenizer "rwkv" is unsupported');
});

test("a text that the vocabulary cannot encode has no count", async ({ page, app }) => {
  // A SentencePiece vocabulary without tokens for bytes.
  const replaced = {
    "tokenizer.ggml.model": text("llama"),
    "tokenizer.ggml.pre": undefined,
    "tokenizer.ggml.merges": undefined,
  };
  await openTemplate(page, app, helloVocabulary(replaced, [["tokenizer.chat_template", text(TEMPLATE)]]));
  await say(page, "é");
  await expect(counts(page)).toHaveText("6 characters, 1 special token");
  await expect(panel(page)).toContainText("Tokens are not counted. The vocabulary has no token for the byte");
});

test("a template that renders no conversation is noted", async ({ page, app }) => {
  const source = "{{ raise_exception('Only with documents') if not documents }}{{ messages }}";
  await openTemplate(page, app, helloVocabulary({}, [["tokenizer.chat_template", text(source)]]));
  const flags = panel(page).getByRole("region", { name: "What to look at" });
  await expect(flags).toContainText("Note: No conversation is rendered");
  await expect(flags).toContainText("The template fails for each conversation that was tried: Only with documents");
  await expect(flags).not.toContainText("Nothing suspicious was found.");
});

test.describe("a real vocabulary", () => {
  test.skip(missing !== false, String(missing));

  test("the count is that of the tokenizer panel, and marks do not cover white space", async ({ page, app }) => {
    const file = await readFile(pathOf("files/ggml-vocab-phi-3.gguf"));
    await openUrl(page, app, app.file("/models/ggml-vocab-phi-3.gguf", file), "&view=template");
    await expect(counts(page)).toHaveText(/^61 characters, \d+ tokens \(1 added by the tokenizer\), 3 special tokens$/);
    // These tokens take the line break after them, which is outside of the mark.
    await expect(marks(page)).toHaveText(["<|user|>", "<|end|>", "<|assistant|>"], { useInnerText: true });
    expect(await marks(page).allTextContents()).toEqual(["<|user|>", "<|end|>", "<|assistant|>"]);
    const rendered = await renderedText(page).evaluate((element) => element.textContent ?? "");
    const counted = /(\d+) tokens/.exec((await counts(page).textContent()) ?? "")?.[1];
    await page.getByRole("tab", { name: "Tokenizer" }).click();
    await expect(addSpecial(page)).toBeChecked();
    await expect(parseSpecial(page)).toBeChecked();
    await textField(page).fill(rendered);
    await expect(tokenCount(page)).toContainText(`${counted} tokens,`);
  });
});
