// The template in edit mode: live rendering, the difference to the stored template, and the change that is recorded.

import { bar, changes, downloadEdited, startEditing } from "../support/editing.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  editor,
  failure,
  flags,
  panel,
  realTemplate,
  rendered,
  renderedText,
  templateFile,
} from "../support/template-panel.ts";
import { rowOf } from "../support/metadata-table.ts";

const SOURCE = "{% for message in messages %}\r\n{{ message.content }}\n{% endfor %}\nend";

test("the template is read-only until the file is edited", async ({ page, app }) => {
  await startEditing(page, app, templateFile({ "": SOURCE }));
  await page.getByRole("tab", { name: "Chat template" }).click();
  await expect(editor(page)).toBeEditable();
  await bar(page).getByRole("button", { name: "Stop editing" }).click();
  await expect(editor(page)).toHaveAttribute("aria-readonly", "true");
});

test("typing renders at once, and leaving the editor records one change", async ({ page, app }) => {
  await startEditing(page, app, templateFile({ "": SOURCE }));
  await page.getByRole("tab", { name: "Chat template" }).click();
  await editor(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" of {{ messages | length }");
  await expect(failure(page)).toContainText("llama.cpp refuses this template:");
  await expect(flags(page)).toContainText("llama.cpp refuses this template");
  await page.keyboard.type("} message");
  await expect(renderedText(page)).toContainText("end of 1 message");
  const difference = panel(page).getByRole("region", { name: "Changes to the stored template" });
  await expect(difference.locator(".removed")).toHaveText("−Removed: end");
  await expect(difference.locator(".added")).toHaveText("+Added: end of {{ messages | length }} message");
  await expect(page.getByRole("tab", { name: /Changes/ })).toHaveText("Changes0");
  await expect(bar(page).getByRole("button", { name: "Save…" })).toBeEnabled();

  await page.keyboard.press("Control+Enter");
  await page.keyboard.type("!");
  // Tab is no trap: it leaves the editor.
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
  await page.getByRole("tab", { name: /Changes/ }).click();
  await expect(changes(page)).toHaveCount(1);
  const saved = Buffer.from(await downloadEdited(page)).toString("latin1");
  // The carriage return is kept.
  expect(saved).toContain(`${SOURCE} of {{ messages | length }} message!`);
});

test("undo of the page and a change elsewhere reach the editor", async ({ page, app }) => {
  await startEditing(page, app, templateFile({ "": "first {{ messages }}" }));
  await page.getByRole("tab", { name: "Chat template" }).click();
  await editor(page).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("my ");
  // The keys of undo act on the typed text.
  await page.keyboard.press("Control+z");
  await expect(editor(page)).toHaveText("first {{ messages }}");
  await page.keyboard.type("my ");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("tab", { name: /Changes/ })).toHaveText("Changes1");
  await bar(page).getByRole("button", { name: /^Undo/ }).click();
  await expect(editor(page)).toHaveText("first {{ messages }}");
  await expect(rendered(page)).toContainText("first");
  await page.getByRole("tab", { name: /Metadata/ }).click();
  await rowOf(page, "chat_template").click();
  const field = page.getByRole("textbox", { name: "Value of tokenizer.chat_template" });
  await field.fill("second {{ messages[0].content }}");
  await field.press("Control+Enter");
  await page.getByRole("tab", { name: "Chat template" }).click();
  await expect(renderedText(page)).toContainText("second What is the capital of France?");
});

test("a template that is not UTF-8 cannot be edited here", async ({ page, app }) => {
  await startEditing(page, app, templateFile({ "": `\ufffd${realTemplate("chatml")}` }));
  await page.getByRole("tab", { name: "Chat template" }).click();
  await expect(editor(page)).toHaveAttribute("aria-readonly", "true");
  await expect(panel(page)).toContainText("The metadata panel can edit it.");
});
