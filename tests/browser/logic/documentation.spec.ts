import { expect, test } from "@playwright/test";
import { checkUrl, errorUrl, keyUrl } from "../../../docs/site/format-pages.mjs";
import { rowLink, setDocumentation } from "../../../www/src/ui/documentation.ts";

test("links lead to the pages of the documentation site, and are absent where there is none", () => {
  expect(rowLink("checks", "duplicate-key", "duplicate-key")).toBeUndefined();
  setDocumentation("https://example.com/docs/");
  const cases = [
    [rowLink("checks", "duplicate-key", "it"), checkUrl("duplicate-key")],
    [rowLink("errors", "bad-magic", "it"), errorUrl("bad-magic")],
    [rowLink("keys", "{arch}.context_length", "it"), keyUrl("{arch}.context_length")],
    [rowLink("keys", "tokenizer.chat_template.{name}", "it"), keyUrl("tokenizer.chat_template.{name}")],
  ] as const;
  for (const [link, page] of cases) expect(link?.values[0]).toBe(`https://example.com/docs${page}`);
});
