// A template of another model: of the family, of a repository and of a GGUF file, and what it changes.

import { startEditing } from "../support/editing.ts";
import { expect, test } from "../support/fixtures.ts";
import { routeHub } from "../support/hub.ts";
import { openTemplate, panel, realTemplate, templateFile } from "../support/template-panel.ts";
import { text } from "../../support/gguf-bytes.mjs";

// Files that a repository does not have, and refusals.
test.use({ expected: /^Failed to load resource/ });

test("the template of the base model is read when the person asks for it, and changes are listed", async ({
  page,
  app,
}) => {
  const file = (text: string) => new TextEncoder().encode(text);
  const source = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
  const other = source.replace("{{ m.role }}", "{% if m.role == 'system' %}S{% else %}{{ m.role }}{% endif %}");
  const { asked } = await routeHub(page, {
    "org/base": { files: { "tokenizer_config.json": file(JSON.stringify({ chat_template: other })) } },
    "org/none": { files: {} },
  });
  const origin = [["general.base_model.0.repo_url", text("https://huggingface.co/org/base")]] as const;
  await startEditing(page, app, templateFile({ "": source }, origin));
  await page.getByRole("tab", { name: "Chat template" }).click();
  const compare = panel(page).getByRole("region", { name: "Compare with" });
  const family = compare.getByRole("button", { name: "Compare with the template of org/base" });
  await expect(family).toBeVisible();
  expect(asked).toEqual([]);

  const address = compare.getByRole("textbox", { name: /^Repository or GGUF file/ });
  await address.fill("org/none");
  await address.press("Enter");
  await expect(compare.getByRole("alert")).toContainText("No chat template. The repository has neither");

  await family.click();
  await expect(compare).toContainText("Template of org/base");
  expect(asked.map(({ path }) => path).slice(-2)).toEqual([
    "/org/base/resolve/main/chat_template.jinja",
    "/org/base/resolve/main/tokenizer_config.json",
  ]);
  const changes = panel(page).getByRole("region", { name: "What it changes" });
  await expect(changes.getByRole("status")).toHaveText("Differs in 3 of 7 conversations.");
  await expect(changes.getByRole("listitem").filter({ hasText: /^One question: same$/ })).toBeVisible();
  await changes.getByText("System message: differs", { exact: true }).click();
  await expect(changes.locator(".added").first()).toContainText("S: You are a helpful assistant.");

  await compare.getByRole("button", { name: "Use this template" }).click();
  await expect(changes.getByRole("status")).toHaveText("Both templates make the same text of all 7 conversations.");
  await expect(page.getByRole("tab", { name: /Changes/ })).toHaveText("Changes1");
  await compare.getByRole("button", { name: "Remove" }).click();
  await expect(changes).toHaveCount(0);
});

test("a gated repository and a GGUF file as the other template", async ({ page, app }) => {
  await page.route("https://huggingface.co/**", (route) =>
    route.fulfill({ status: 403, headers: { "access-control-allow-origin": "*" }, body: "" }),
  );
  await openTemplate(page, app, templateFile({ "": realTemplate("chatml") }));
  const compare = panel(page).getByRole("region", { name: "Compare with" });
  const address = compare.getByRole("textbox", { name: /^Repository or GGUF file/ });
  await address.fill("org/gated");
  await address.press("Enter");
  await expect(compare.getByRole("alert")).toContainText(
    "Access is not granted. The repository is gated, private or missing: huggingface.co answered 403.",
  );
  await address.fill(app.file("/other.gguf", templateFile({ "": "{{ messages }}", tool_use: "tools" })));
  await address.press("Enter");
  await expect(compare).toContainText("Template of other.gguf");
  await compare.getByRole("combobox", { name: "Template of other.gguf" }).selectOption("tool_use");
  await expect(compare.locator(".added").filter({ hasText: "+Added: tools" })).not.toHaveCount(0);
});
