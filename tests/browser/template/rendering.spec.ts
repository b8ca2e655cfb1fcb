// What the panel renders: samples, own messages, variables, special tokens, errors, and templates that never end.

import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { chooseFiles } from "../support/local-files.ts";
import { leaveDocument } from "../support/shared-page.ts";
import {
  conversation,
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
  await expect(panel(page)).toContainText("A field is not valid, so there is no new rendering.");
  await field.fill('[{ "role": "user", "content": "again" }]');
  await expect(renderedText(page)).toContainText("again");
});

test("errors have their message, and a syntax error leads to its place", async ({ page, app }) => {
  await openTemplate(
    page,
    app,
    templateFile({
      "": "{{ messages[0].content }}\n{% if x %}never closed",
      refuses: "{{ raise_exception('Only <images>, please') }}",
      fails: "{{ messages.nothing.more() }}",
    }),
  );
  await expect(failure(page)).toContainText("The template is not valid. The block “if” is not closed.");
  await failure(page).getByRole("button", { name: "Line 2, column 1" }).click();
  await expect(panel(page).getByRole("textbox", { name: "Chat template" })).toBeFocused();
  const choice = panel(page).getByRole("combobox", { name: "Chat template of the file" });
  await choice.selectOption("refuses");
  await expect(failure(page)).toContainText("The template refuses the conversation: Only <images>, please");
  await choice.selectOption("fails");
  await expect(failure(page)).toContainText("The template fails:");
});

test("a template that never ends is stopped, and the page stays responsive", async ({ page, app }) => {
  const loops = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}{{ messages }}";
  await openTemplate(page, app, templateFile({ "": loops, good: realTemplate("chatml") }));
  // While the template runs, the page takes input.
  await expect(panel(page)).toContainText("Rendering…");
  await conversation(page).selectOption("Own messages");
  await expect(panel(page).getByRole("textbox", { name: "Messages as JSON" })).toBeVisible();
  await expect(failure(page)).toContainText("The template ran for 2 seconds and was stopped.");
  // The worker has been ended. The next request starts another one.
  await panel(page).getByRole("combobox", { name: "Chat template of the file" }).selectOption("good");
  await expect(renderedText(page)).toContainText("What is the capital of France?");
  await expect(failure(page)).toHaveCount(0);
  const workers = () => page.workers().filter((worker) => worker.url().includes("template-worker")).length;
  await expect.poll(workers).toBe(1);
});

test("a template that makes too much is stopped", async ({ page, app }) => {
  const doubles = "{% set ns = namespace(a=[1]) %}{% for i in range(64) %}{% set ns.a = ns.a + ns.a %}{% endfor %}";
  await openTemplate(page, app, templateFile({ "": `${doubles}{{ messages }}` }));
  await expect(failure(page)).toContainText(/The template makes more than 128 MiB of texts and lists|stopped/);
});

/** The value of an expression in the worker of the page. Playwright's own way needs `eval`, which the worker does not have. */
async function evaluateInWorker(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const attached = new Promise<string>((resolve) => {
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
      if (targetInfo.url.includes("template-worker")) resolve(sessionId);
    });
  });
  const answered = new Promise<unknown>((resolve) => {
    session.on("Target.receivedMessageFromTarget", ({ message }) => {
      const { id, result } = JSON.parse(message) as { id?: number; result?: { result: { value?: unknown } } };
      // Other messages are events.
      if (id === 1) resolve(result?.result.value);
    });
  });
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const params = { expression, returnByValue: true };
  const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params });
  await session.send("Target.sendMessageToTarget", { sessionId: await attached, message });
  return answered;
}

test("the worker has no network and no storage, and cannot compile texts", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({ "": realTemplate("chatml") }));
  await expect(renderedText(page)).toContainText("France");
  const names = [
    ...["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts", "indexedDB", "caches", "navigator"],
    ...["Worker", "BroadcastChannel", "WebTransport", "setTimeout", "WebAssembly", "eval", "Function"],
  ];
  const left = await evaluateInWorker(
    page,
    `[...${JSON.stringify(names)}, "JSON"].filter((name) => name in globalThis)`,
  );
  expect(left).toEqual(["JSON"]);
  const kinds = "[() => 1, async () => 1, function* () {}, async function* () {}]";
  expect(await evaluateInWorker(page, `${kinds}.map((kind) => typeof kind.constructor)`)).toEqual(
    Array.from({ length: 4 }, () => "undefined"),
  );
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

test("a template of more than two million characters is not rendered", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({ "": "x".repeat(2_000_001) }));
  await expect(failure(page)).toContainText("Templates with more than 2,000,000 characters are not rendered.");
  await expect(panel(page)).toContainText("2,000,001 characters, 1 line");
});

test("a file without a template says what llama.cpp does", async ({ page, app }) => {
  await openTemplate(page, app, templateFile({}));
  await expect(panel(page).getByRole("heading", { name: "This file has no chat template" })).toBeVisible();
  await expect(panel(page)).toContainText("llama.cpp then uses ChatML");
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
