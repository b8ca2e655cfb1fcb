// What is suspicious about the chat templates, before their panel is shown.

import type { Page } from "@playwright/test";
import { expect, openFile, openUrl, test } from "../support/fixtures.ts";
import { bar } from "../support/editing.ts";
import { miniLm } from "../support/model-files.ts";
import { editor, flags, realTemplate, templateFile } from "../support/template-panel.ts";
import { text } from "../../support/gguf-bytes.mjs";

const tab = (page: Page, name: RegExp) => page.getByRole("tab", { name });
const checks = (page: Page) => page.locator("gguf-checks");

/** A template with an error and two warnings, if the entry says that the BOS token is added. */
const SUSPICIOUS =
  "{{ bos_token }}{% for message in messages %}{% if message.role == 'user' %}<|user|>{{ message.content }}{% endif %}{% endfor %}";

test("the flags of the template are findings with the same severities, and Checks alone counts them", async ({
  page,
  app,
}) => {
  await openFile(
    page,
    app,
    templateFile({ "": SUSPICIOUS }, [["tokenizer.ggml.add_bos_token", { type: "bool", value: true }]]),
  );
  const answer = (label: string) => page.locator("gguf-answers dl > div", { hasText: new RegExp(`^\\s*${label}`) });
  await expect(answer("Chat template")).toContainText("1 template, 1 error and 3 warnings");
  await expect(answer("Chat template").locator(".severity")).toHaveClass(/error/);
  await expect(tab(page, /Chat template/).locator(".badge")).toHaveCount(0);
  await tab(page, /Checks/).click();
  const ofTemplate = checks(page).locator("li", { hasText: "Show chat template" });
  await checks(page)
    .getByRole("button", { name: /^Chat template/ })
    .click();
  await expect(ofTemplate).toHaveCount(4);
  await expect(checks(page).locator("section.error li")).toHaveText(/Messages are not used\./);
  await expect(checks(page).locator("section.warning li")).toContainText([
    /The system message is not used\./,
    /./,
    /./,
  ]);
  await ofTemplate.first().getByRole("button", { name: "Show chat template" }).click();
  await expect(tab(page, /Chat template/)).toBeFocused();
  // The panel finds the same.
  await expect(flags(page).locator("b")).toHaveCount(4);
});

test("while the template is checked, nothing says that no problem was found", async ({ page, app }) => {
  let goOn = () => undefined as unknown;
  const waiting = new Promise((resolve) => (goOn = () => resolve(undefined)));
  await page.route(/template-worker/, async (route) => {
    await waiting;
    await route.continue();
  });
  const broken = miniLm([["tokenizer.chat_template", text("{{ x }")]]);
  await openUrl(page, app, app.file("/models/slow-template.gguf", broken), "&view=checks");
  await expect(checks(page)).toContainText("The chat template is being checked…");
  await expect(checks(page)).not.toContainText("No problems found");
  await expect(checks(page).locator(".loads")).not.toHaveClass(/good/);
  await tab(page, /Summary/).click();
  const answers = page.locator("gguf-answers");
  await expect(answers).toContainText("The chat template is being checked…");
  await expect(answers).not.toContainText(/no problems found/i);
  goOn();
  await expect(answers).toContainText("refuses the chat template; 1 error");
});

test("a good template has no badge, and Checks says that it was checked", async ({ page, app }) => {
  const source =
    "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}";
  const file = app.file("/models/chat.gguf", miniLm([["tokenizer.chat_template", text(source)]]));
  await openUrl(page, app, file, "&view=checks");
  await expect(checks(page).getByRole("region", { name: "Checked", exact: true })).toContainText(
    "The chat template can be parsed, and writes the messages of test conversations.",
  );
  await expect(tab(page, /Chat template/)).toHaveAccessibleName("Chat template");
});

test("Checks follows the edited template", async ({ page, app }) => {
  await openFile(page, app, templateFile({ "": realTemplate("chatml") }));
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await tab(page, /Chat template/).click();
  await editor(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("{{ messages");
  await tab(page, /Checks/).click();
  await expect(tab(page, /Checks/).locator(".badge.error")).toHaveCount(1);
  const refusal =
    /llama\.cpp refuses this template: line \d+, column \d+: expected `}}`, found the end of the template/;
  await expect(checks(page).locator("li", { hasText: refusal })).toHaveCount(1);
  await expect(checks(page).locator(".loads")).toContainText(refusal);
  await bar(page).getByRole("button", { name: "Undo" }).click();
  await expect(checks(page)).not.toContainText("llama.cpp refuses this template");
});

test("a template that llama.cpp refuses is in the verdict", async ({ page, app }) => {
  const file = app.file("/models/refused.gguf", miniLm([["tokenizer.chat_template", text("😀{{ x }")]]));
  await openUrl(page, app, file);
  await expect(page.locator("gguf-answers")).toContainText(
    "llama.cpp loads the weights, but refuses the chat template",
  );
  await tab(page, /Checks/).click();
  const stops = "llama.cpp loads the weights, but llama-server and llama-cli stop when they start with this template.";
  const refusal = "llama.cpp refuses this template: line 1, column 7: expected `}}`, found `}`.";
  await expect(checks(page).locator(".loads p")).toHaveText([stops, refusal, /^By the rules of/]);
  await expect(checks(page).locator("li", { hasText: "refuses" })).toContainText(`${refusal} ${stops}`);
});
