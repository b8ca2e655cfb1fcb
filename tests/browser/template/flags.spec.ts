// The red flags that the panel shows, with what the vocabulary and the entries of the file say.

import { expect, test } from "../support/fixtures.ts";
import { flags, openTemplate, panel, realTemplate, templateFile } from "../support/template-panel.ts";

test("a good template has no flags", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({ "": realTemplate("chatml") }));
  await expect(flags(page)).toContainText("Nothing suspicious was found.");
});

test("flags of the template, of the vocabulary and of the entries are listed", async ({ page, app }) => {
  const source =
    "{{ bos_token }}{% for message in messages %}{% if message.role == 'user' %}<|user|>{{ message.content }}<|normal|>{% endif %}{% endfor %}\nSee https://example.com/<b>";
  const addBos = [["tokenizer.ggml.add_bos_token", { type: "bool", value: true }]] as const;
  await openTemplate(page, app, templateFile({ "": source }, addBos));
  await expect(flags(page).locator("b")).toHaveText([
    "Error: Messages are not used",
    "Warning: The system message is not used",
    "Warning: The BOS token is there twice",
    "Warning: Special tokens are not in the vocabulary",
    "Note: The template contains addresses",
  ]);
  await expect(flags(page)).toContainText("<|user|> (line 1) is not a token");
  await expect(flags(page)).toContainText("<|normal|> (line 1) is a normal token");
  await expect(flags(page)).toContainText("https://example.com/ (line 2)");
  // Text from a file is never a link.
  await expect(flags(page).getByRole("link")).toHaveCount(0);
  await panel(page).getByText("Values that the template tests").click();
  await expect(panel(page).getByRole("row", { name: 'message.role "user"' })).toBeVisible();
});
