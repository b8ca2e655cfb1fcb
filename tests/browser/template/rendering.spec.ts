// What the panel renders: samples, own messages, variables, special tokens, errors, and templates that never end.

import { SAMPLE_CONVERSATIONS } from "../../../www/src/template/sample-conversations.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseFiles } from "../support/local-files.ts";
import { leaveDocument } from "../support/shared-page.ts";
import {
  conversation,
  editor,
  failure,
  openTemplate,
  panel,
  realTemplate,
  renderedText,
  templateFile,
} from "../support/template-panel.ts";
import { smallModel } from "../../support/gguf-bytes.mjs";

test("a sample conversation is rendered, with its special tokens marked", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({ "": realTemplate("qwen3") }));
  await expect(renderedText(page)).toHaveText(
    "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n",
    { useInnerText: true },
  );
  const marks = renderedText(page).locator(".token");
  await expect(marks).toHaveText(["<|im_start|>", "<|im_end|>", "<|im_start|>"]);
  await expect(marks.first()).toHaveAttribute("title", "Token 3, control: <|im_start|>");
  await expect(panel(page)).toContainText("80 characters, 3 special tokens");

  await panel(page).getByRole("checkbox", { name: "Add a generation prompt" }).uncheck();
  await expect(marks).toHaveCount(2);
  await conversation(page).selectOption("Tool result");
  await expect(renderedText(page)).toContainText('{"name": "get_temperature", "arguments": {"city": "Zürich"');
  await expect(renderedText(page).locator(".user-defined").first()).toHaveText("<tool_call>");
  await panel(page).getByRole("checkbox", { name: "Offer a tool" }).uncheck();
  await expect(renderedText(page)).not.toContainText("# Tools");
});

test("variables that the template reads have fields", async ({ page, app }) => {
  const source =
    "{% if enable_thinking %}thinking {% endif %}{% if verbose %}verbose {% endif %}{{ effort if effort is defined else 'medium' }} {{ messages[0].content }} {{ bos_token }}";
  await openTemplate(page, app, templateFile({ "": source }));
  await expect(renderedText(page)).toContainText("thinking medium What is the capital of France? <s>");
  await panel(page).getByRole("combobox", { name: "enable_thinking" }).selectOption("false");
  await panel(page).getByRole("combobox", { name: "verbose" }).selectOption("true");
  const effort = panel(page).getByRole("combobox", { name: "effort, as JSON" });
  await effort.fill('"high"');
  await expect(renderedText(page)).toHaveText("verbose high What is the capital of France? <s>", {
    useInnerText: true,
  });
  await effort.fill("high");
  await expect(panel(page).getByRole("alert").filter({ hasText: "This is not valid JSON" })).toBeVisible();
  await expect(effort).toHaveAttribute("aria-invalid", "true");
  await effort.fill("");
  await expect(renderedText(page)).toContainText("verbose medium");
  await expect(panel(page)).toContainText("bos_token is <s>");
});

test("own messages are rendered, and problems are shown at the field", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({ "": realTemplate("chatml") }));
  await conversation(page).selectOption("Own messages");
  const field = panel(page).getByRole("textbox", { name: "Messages as JSON" });
  // One's own conversation begins as the sample.
  await expect(field).toHaveValue(/"What is the capital of France\?"/);
  await field.fill('[{ "role": "user", "content": "<b>mine</b>" }]');
  await expect(renderedText(page)).toContainText("<|im_start|>user\n<b>mine</b><|im_end|>");
  await field.fill('[{ "role": "user" }]');
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription("Message 1: the member “content” is missing.");
  await expect(panel(page)).toContainText("A field is not valid, so there is no rendering.");
  await field.fill('[{ "role": "user", "content": "again" }]');
  await expect(renderedText(page)).toContainText("again");
});

test("errors have their message, and lead to their place", async ({ page, app }) => {
  await openTemplate(
    page,
    app,
    templateFile({
      "": "{{ messages[0].content }}\n😀{% include x %}",
      refuses: "{{ raise_exception('Only <images>, please') }}",
      fails: "\n{{ messages.nothing.more() }}",
    }),
  );
  await expect(failure(page)).toContainText("llama.cpp refuses this template: llama.cpp does not know the statement");
  await failure(page).getByRole("button", { name: "Line 2, column 5" }).click();
  await expect(editor(page)).toBeFocused();
  // Columns are characters. The one before the tag has two UTF-16 units.
  const before = await editor(page).evaluate((element) => {
    const root = element.getRootNode() as unknown as DocumentOrShadowRoot & { getSelection(): Selection };
    const { anchorNode, anchorOffset } = root.getSelection();
    const range = new Range();
    range.setStart(element, 0);
    range.setEnd(anchorNode as Node, anchorOffset);
    return range.toString();
  });
  expect(before).toMatch(/😀\{% $/);
  const choice = panel(page).getByRole("combobox", { name: "Chat template of the file" });
  await choice.selectOption("refuses");
  await expect(failure(page)).toContainText("The template refuses the conversation: Only <images>, please");
  await choice.selectOption("fails");
  await expect(failure(page)).toContainText("The template fails:");
  await expect(failure(page).getByRole("button")).toHaveText(/^Line 2, column \d+$/);
});

test("what llama-server changes is listed, and the indentation of an answer stays", async ({ page, app }) => {
  const source = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
  await openTemplate(page, app, templateFile({ "": source }));
  await conversation(page).selectOption("Own messages");
  const messages = [
    {
      role: "developer",
      content: [
        { type: "text", text: "Be" },
        { type: "text", text: "brief." },
      ],
    },
    { role: "assistant", content: "    if x:\n\treturn" },
  ];
  await panel(page).getByRole("textbox", { name: "Messages as JSON" }).fill(JSON.stringify(messages));
  await expect(renderedText(page)).toHaveText("system: Be\nbrief.\nassistant:     if x:\n\treturn\n", {
    useInnerText: true,
  });
  await expect(panel(page).getByText("What llama-server changes here:")).toBeVisible();
  await expect(panel(page).locator(".changes li").filter({ hasText: "developer" })).toHaveCount(1);
  // Marks of white space are no text.
  await expect(renderedText(page).locator(".spaces").nth(1)).toHaveJSProperty("textContent", "     ");
  await expect(renderedText(page).locator(".tab")).toHaveCount(1);
  await expect(renderedText(page).locator(".break")).toHaveCount(4);
  await panel(page).getByRole("checkbox", { name: "Show white space" }).uncheck();
  await expect(renderedText(page).locator(".spaces")).toHaveCount(0);
});

test("a BOS token that the tokenizer adds is dropped, and a note says so", async ({ page, app }) => {
  const source = "{{ bos_token }}{{ messages[0].content }}";
  const addsBos = [["tokenizer.ggml.add_bos_token", { type: "bool", value: true }]] as const;
  await openTemplate(page, app, templateFile({ "": source }, addsBos));
  await expect(renderedText(page)).toHaveText("What is the capital of France?", { useInnerText: true });
  await expect(panel(page)).toContainText("The BOS token at the start was dropped, because the tokenizer adds it.");
});

test("all conversations are rendered side by side", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({ "": realTemplate("qwen3") }));
  await conversation(page).selectOption("All side by side");
  const cards = panel(page).locator(".renderings section");
  // The template knows nothing of images.
  const titles = SAMPLE_CONVERSATIONS.map(({ title }) => title).filter((title) => title !== "Image");
  await expect(cards.getByRole("heading")).toHaveText(titles);
  await expect(cards.locator("gguf-rendered-text")).toHaveCount(titles.length);
  await expect(cards.nth(1).locator("pre")).toContainText("<|im_start|>system\nYou are a helpful assistant.");
  const columns = () => cards.evaluateAll((all) => new Set(all.map((card) => card.getBoundingClientRect().left)).size);
  expect(await columns()).toBeGreaterThan(1);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await columns()).toBe(1);
});

test("a template is compared with another one of the file, and with a pasted one", async ({ page, app }) => {
  const first = "{{ messages[0].content }}\nsame";
  await openTemplate(page, app, templateFile({ "": first, other: "Q: {{ messages[0].content }}\nsame" }));
  const choice = panel(page).getByRole("combobox", { name: "Template to compare with" });
  await choice.selectOption("other");
  const source = panel(page).getByRole("region", { name: "Compare with" });
  // The list of what it changes stands above the differing lines.
  await expect(source.locator(".added").filter({ hasText: "{{" })).toHaveText("+Added: Q: {{ messages[0].content }}");
  await expect(source.getByRole("status")).toHaveText("Differs in 7 of 7 conversations.");
  const made = panel(page).locator(".second");
  await expect(made.locator(".removed")).toHaveText("−Removed: What is the capital of France?");
  await expect(made.locator(".added")).toHaveText("+Added: Q: What is the capital of France?");
  await choice.selectOption("A template that you paste");
  const field = panel(page).getByRole("textbox", { name: "Template to compare with, as text" });
  await field.fill(`${first}{# a comment #}`);
  await expect(made).toContainText("Both templates make the same text.");
  await field.fill("{% if %}");
  await expect(made).toContainText("llama.cpp refuses this template:");
  await choice.selectOption("Nothing");
  await expect(made).toHaveCount(0);
});

test("a request of a program is pasted, kept under a name, and taken again", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({ "": realTemplate("qwen3") }));
  await conversation(page).selectOption("Own messages");
  const field = panel(page).getByRole("textbox", { name: "Messages as JSON" });
  const tool = { type: "function", function: { name: "my_tool", parameters: {} } };
  await field.fill(JSON.stringify({ model: "m", messages: [{ role: "user", content: "mine" }], tools: [tool] }));
  await expect(field).toHaveValue('[{"role":"user","content":"mine"}]');
  await expect(panel(page).getByRole("textbox", { name: "Tools as JSON" })).toHaveValue(/my_tool/);
  await expect(renderedText(page)).toContainText("my_tool");
  await panel(page).getByRole("textbox", { name: "Name of the conversation" }).fill("My case");
  await panel(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(conversation(page).locator("option:checked")).toHaveText("My case");
  await conversation(page).selectOption("One question");
  await expect(renderedText(page)).toContainText("What is the capital of France?");
  await page.reload();
  await openTemplate(page, app, templateFile({ "": realTemplate("chatml") }));
  await conversation(page).selectOption("My case");
  await expect(renderedText(page)).toContainText("<|im_start|>user\nmine<|im_end|>");
  await panel(page).getByRole("button", { name: "Remove “My case”" }).click();
  await expect(conversation(page).getByRole("option", { name: "My case" })).toHaveCount(0);
});

test("a conversation that another page has kept since stays", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({ "": realTemplate("chatml") }));
  await conversation(page).selectOption("Own messages");
  await page.evaluate(() => {
    localStorage.setItem("template-conversations", '[{"name": "Of another page", "messages": "[]"}]');
  });
  await panel(page).getByRole("textbox", { name: "Name of the conversation" }).fill("Mine");
  await panel(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(conversation(page).getByRole("option", { name: "Mine", exact: true })).toHaveCount(1);
  await expect(conversation(page).getByRole("option", { name: "Of another page" })).toHaveCount(1);
});

test("a template that never ends is stopped by the limits of the engine", async ({ page, app }) => {
  const loops = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}{{ messages }}";
  await openTemplate(page, app, templateFile({ "": loops, good: realTemplate("chatml") }));
  await expect(failure(page)).toContainText("The template was stopped:");
  await panel(page).getByRole("combobox", { name: "Chat template of the file" }).selectOption("good");
  await expect(renderedText(page)).toContainText("What is the capital of France?");
  await expect(failure(page)).toHaveCount(0);
  const workers = () => page.workers().filter((worker) => worker.url().includes("template-worker")).length;
  await expect.poll(workers).toBe(1);
});

test("a worker that does not answer is ended, and the next request starts another one", async ({ page, app }) => {
  await page.clock.install();
  // It starts, and does nothing else.
  const body = `self.onmessage = ({ data }) => data.job === "start" && postMessage({ id: data.id, response: 0 });
    postMessage("ready");`;
  const headers = { "content-type": "text/javascript", "cache-control": "no-store" };
  await page.route(/template-worker/, (route) => route.fulfill({ headers, body }));
  await openTemplate(page, app, templateFile({ "": "{{ messages[0].content }}" }));
  await expect.poll(() => page.workers().length).toBeGreaterThan(0);
  await expect(panel(page)).toContainText("Rendering…");
  await page.clock.fastForward(11_000);
  await expect(failure(page)).toContainText("The template was stopped. It was not done after 10 seconds.");
  await page.unroute(/template-worker/);
  await panel(page).getByRole("checkbox", { name: "Add a generation prompt" }).uncheck();
  // The requests that wait for such a worker end, too.
  await expect(async () => {
    await page.clock.fastForward(11_000);
    await expect(renderedText(page)).toContainText("What is the capital of France?", { timeout: 1000 });
  }).toPass();
});

test("a template of a megabyte is shown as plain text, and rendered", async ({ page, app }) => {
  const source = `{{ messages[0].content }}${"<|im_start|>0123456789 {".repeat(42_000)}`;
  await openTemplate(page, app, templateFile({ "": source }));
  await expect(panel(page)).toContainText("are shown as plain text");
  await expect(panel(page)).toContainText(/The first 1,000,000 characters/);
  await expect(panel(page)).toContainText("special tokens in the part that is shown");
  await panel(page).getByRole("button", { name: "Show 32,000 more characters" }).click();
  await expect(renderedText(page).locator(".token").nth(2000)).toHaveText("<|im_start|>");
});

test("a template of more than a mebibyte is not rendered", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({ "": "x".repeat(2_000_001) }));
  await expect(failure(page)).toContainText("The template was stopped: the template is longer than 1 MiB");
  await expect(panel(page)).toContainText("2,000,001 characters, 1 line");
});

test("a file without a template says what llama.cpp does, and loads no engine", async ({ page, app }) => {
  const modules: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("gguf_wasm_template")) modules.push(request.url());
  });
  await openTemplate(page, app, templateFile({}));
  await expect(panel(page).getByRole("heading", { name: "This file has no chat template" })).toBeVisible();
  await expect(panel(page)).toContainText("llama.cpp then uses ChatML");
  await page.getByRole("tab", { name: /Checks/ }).click();
  await expect(page.locator("gguf-checks .loads")).toBeVisible();
  expect(modules).toEqual([]);
});

test("all templates of the file can be chosen, and missing ones are named", async ({ page, app }) => {
  const names = ["tool_use", "rag"];
  await openTemplate(
    page,
    app,
    templateFile({ tool_use: "tools: {{ messages[0].content }}" }, [
      ["tokenizer.chat_templates", { type: "strings", count: 2, at: (index) => names[index] ?? "" }],
    ]),
  );
  await expect(panel(page)).toContainText("The file has no default template. llama.cpp uses tool_use instead.");
  await expect(panel(page)).toContainText("tokenizer.chat_templates names templates that the file does not have: rag.");
  await expect(renderedText(page)).toContainText("tools: What is the capital of France?");
  await panel(page).getByRole("button", { name: "tokenizer.chat_template.tool_use" }).click();
  await expect(page.getByRole("tab", { name: /Metadata/ })).toHaveAttribute("aria-selected", "true");
});

test("the choices are in the address, and a link restores them", async ({ page, app }) => {
  await page.goto(app.origin);
  const url = app.file(
    "/models/chat.gguf",
    templateFile({ "": "default", other: "{{ x }} {{ messages[0].content }}" }),
  );
  await page.goto(`${app.origin}/#url=${encodeURIComponent(url)}&view=template`);
  await panel(page).getByRole("combobox", { name: "Chat template of the file" }).selectOption("other");
  await conversation(page).selectOption("Own messages");
  await panel(page).getByRole("textbox", { name: "Messages as JSON" }).fill('[{"role":"user","content":"mine"}]');
  await panel(page).getByRole("checkbox", { name: "Add a generation prompt" }).uncheck();
  await panel(page).getByRole("combobox", { name: "x, as JSON" }).fill("17");
  await expect(renderedText(page)).toContainText("17 mine");
  await expect(page).toHaveURL(
    /&view=template&template\.name=other&template\.conversation=own&template\.messages=%5B%7B%22role%22:%22user%22,%22content%22:%22mine%22%7D%5D&template\.prompt=off&template\.set=x%3D17$/,
  );
  await page.reload();
  await expect(renderedText(page)).toContainText("17 mine");
  await expect(panel(page).getByRole("checkbox", { name: "Add a generation prompt" })).not.toBeChecked();
});

test("the editor is not loaded before the panel is shown, and the review of the template ends its worker", async ({
  page,
  app,
}) => {
  await leaveDocument(page);
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  await openTemplate(page, app, smallModel());
  await expect(panel(page).getByRole("textbox", { name: "Chat template" })).toBeVisible();
  expect(scripts.filter((url) => /\/code-editor-/.test(url))).toHaveLength(1);
  const before = scripts.length;
  await page.reload();
  const reviewing = page.waitForEvent("worker");
  await chooseFiles(page, [{ name: "a.gguf", bytes: smallModel() }]);
  await expect(page.getByRole("heading", { name: "Tiny Test" })).toBeVisible();
  await page.getByRole("tab", { name: "Memory" }).click();
  expect((await reviewing).url()).toContain("template-worker");
  expect(scripts.slice(before).filter((url) => /code-editor/.test(url))).toEqual([]);
  const workers = () => page.workers().filter((worker) => worker.url().includes("template-worker"));
  await expect.poll(workers).toEqual([]);
});

test("a renderer whose script is late is reported, and not started in another way", async ({ page, app }) => {
  await page.clock.install();
  await page.route(/template-worker/, () => undefined);
  await openTemplate(page, app, templateFile({ "": "{{ messages[0].content }}" }));
  await page.clock.fastForward(21_000);
  // The other way starts a worker from a `blob:` address, which the policy of this page does not allow: the console would say so.
  await expect(failure(page)).toContainText("The renderer did not start.");
});
