// The id of a special token is chosen by the text of the token.

import { bar, changes, openEntry, startEditing } from "../support/editing.ts";
import { expect, test } from "../support/fixtures.ts";
import { helloVocabulary } from "../support/tokenizer-panel.ts";

test("a special token is chosen by its text, and an id that the vocabulary lacks is refused", async ({ page, app }) => {
  await startEditing(page, app, helloVocabulary());
  const entry = await openEntry(page, "tokenizer.ggml.eos_token_id");
  const field = entry.getByRole("combobox", { name: "Value of tokenizer.ggml.eos_token_id" });
  await expect(field).toHaveValue("5");
  await expect(field).toHaveAccessibleDescription(/^Token: <end> /);

  await field.fill("10");
  await expect(entry.getByRole("alert").filter({ hasText: "The vocabulary has no token 10" })).toContainText(
    "It has 10 tokens, so the ids are 0 to 9.",
  );
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.press("Enter");
  // A text that is not valid is no change, and saving says so.
  await bar(page).getByRole("button", { name: "Save…" }).click();
  await expect(page.getByRole("dialog")).toContainText("There is nothing to save yet");
  await page.getByRole("button", { name: "Continue editing" }).click();

  // A normal token, by its exact text.
  await field.fill("hi");
  const tokens = entry.getByRole("listbox", { name: "Tokens" });
  await expect(tokens.getByRole("option")).toHaveText([/^\s*3\s*hi\s*$/]);
  await field.press("ArrowDown");
  await field.press("Enter");
  await expect(field).toHaveValue("3");
  await expect(entry.locator("#chosen")).toHaveText("Token: hi");
  // A special token, by a part of its text.
  await field.fill("EN");
  await tokens.getByRole("option", { name: "<end>" }).click();
  await expect(field).toHaveValue("5");
  await field.fill("3");
  await field.press("Enter");
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(1);
});
