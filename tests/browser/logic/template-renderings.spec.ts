/** Conversations that the worker of the page renders, in Node. The expected texts are those of llama-server. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { prepareInput } from "../../../www/src/template/render-input.ts";
import type { RenderInput, TemplateRequests } from "../../../www/src/template/template-messages.ts";
import { OWN } from "../../../www/src/template/template-state.ts";
import { json, missing, pathOf } from "../../package/corpus.mjs";
import { TEMPLATES } from "../../template/templates.mjs";

type Kind = keyof TemplateRequests;
interface Scope {
  onmessage: (event: { data: { id: number; job: string; request: unknown } }) => void;
  postMessage: (message: unknown) => void;
}

let last = 0;
const waiting = new Map<number, (response: unknown) => void>();

/** Asks the worker. */
function ask(job: string, request: unknown): Promise<unknown> {
  last += 1;
  const id = last;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    (globalThis as unknown as Scope).onmessage({ data: { id, job, request } });
  });
}

const request = <K extends Kind>(kind: K, input: TemplateRequests[K]["request"]) =>
  ask(kind, input) as Promise<TemplateRequests[K]["response"]>;

/** The text of a rendering, or its problem. */
async function render(input: RenderInput) {
  const { rendering, problem } = await request("render", input);
  return rendering?.text ?? problem;
}

test.beforeAll(async () => {
  Object.assign(globalThis, {
    self: globalThis,
    postMessage: (message: unknown) => {
      const { id = 0, response } = message as { id?: number; response?: unknown };
      waiting.get(id)?.(response);
    },
  });
  await import("../../../www/src/template/template-worker.ts");
  const module = fileURLToPath(new URL("../../../pkg/template/gguf_wasm_template_bg.wasm", import.meta.url));
  await ask("start", await WebAssembly.compile(readFileSync(module)));
});

const tokens = { bos_token: "<s>", eos_token: "</s>" };
const context = (messages: unknown, more = {}) => JSON.stringify({ messages, ...more });
const USER = { role: "user", content: "Hello" };

/** The context of the panel for one's own messages, which are a JSON text. */
function ownContext(messages: string, variables = {}, facts = Object.keys(variables)): string {
  const read = facts.map((name) => ({ name, isSwitch: false, values: [] }));
  const syntax = { variables: read, tests: [], addresses: [], long: [], tokens: [] };
  const { conversations } = prepareInput({ conversation: OWN, messages, variables }, syntax, tokens);
  return conversations[0]?.context ?? "";
}

test("real templates render what llama-server gives to the model", async () => {
  test.skip(missing !== false, String(missing));
  const { expected, texts } = json("templates/expected.json") as {
    texts: Record<string, string>;
    expected: Record<string, Record<string, { llama_server?: { text?: string; text_of?: string } }>>;
  };
  const contexts = json("templates/contexts.json") as Record<string, string>;
  let compared = 0;
  for (const name of ["r-Qwen-Qwen3-0.6B", "r-google-gemma-2-2b-it", "r-GLM-4.6"]) {
    const template = readFileSync(pathOf(`templates/templates/${name}.jinja`), "utf8");
    for (const [title, { llama_server: wanted }] of Object.entries(expected[name] ?? {})) {
      const text = wanted?.text ?? texts[wanted?.text_of ?? ""];
      if (text === undefined) continue;
      compared += 1;
      const given = contexts[title] ?? "";
      const prompt = given.includes('"add_generation_prompt"') ? "" : '"add_generation_prompt": false, ';
      expect(await render({ template, context: given.replace("{", `{${prompt}`) }), `${name} ${title}`).toBe(text);
    }
  }
  expect(compared).toBeGreaterThan(20);
});

test("numbers that a person types stay as they are", async () => {
  const template = "{{ messages[0].content }} {{ x | tojson }} {{ messages[1].tool_calls[0].function.arguments }}";
  const messages = `[${JSON.stringify(USER)}, {"role": "assistant", "content": "", "tool_calls": [
    {"type": "function", "function": {"name": "f", "arguments": {"big": 9007199254740993, "items": [1.5]}}}]}]`;
  expect(await render({ template, context: ownContext(messages, { x: "[9007199254740993, 0.5]" }) })).toBe(
    'Hello [9007199254740993, 0.5] {"big":9007199254740993,"items":[1.5]}',
  );
});

test("the indentation of an answer is kept, and what was prepared is said", async () => {
  const template = "{% for m in messages %}{{ m.role }}:{{ m.content }}\n{% endfor %}";
  const answer = "    if x:\n        return";
  const messages = [
    {
      role: "developer",
      content: [
        { type: "text", text: "Be" },
        { type: "text", text: "brief." },
      ],
    },
    { role: "assistant", content: answer },
  ];
  const { rendering } = await request("render", { template, context: context(messages) });
  expect(rendering?.text).toBe(`system:Be\nbrief.\nassistant:${answer}\n`);
  expect(rendering?.notes.map(({ code }) => code)).toContain("developer-renamed");
});

test("tokens that the tokenizer adds are dropped", async () => {
  const template = "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}";
  const input = { template, context: context([USER], tokens) };
  expect(await render(input)).toBe("<s>Hello</s>");
  const { rendering } = await request("render", { ...input, addedBos: "<s>", addedEos: "</s>" });
  expect(rendering?.text).toBe("Hello");
  expect(rendering?.notes.map(({ code }) => code)).toEqual(["bos-dropped", "eos-dropped"]);
});

test("problems have their kind, their message and their place", async () => {
  const problemOf = async (template: string, messages: unknown = [USER]) =>
    (await request("render", { template, context: context(messages) })).problem;
  expect(await problemOf("{{ raise_exception('No, ' ~ 1) }}")).toEqual({
    kind: "refused",
    message: "No, 1",
    place: { line: 1, column: 19 },
  });
  expect(await problemOf("\n😀 {{ x.y.z() }}")).toMatchObject({ kind: "run-time", place: { line: 2 } });
  expect(await problemOf("{% if %}")).toMatchObject({ kind: "syntax", place: { line: 1, column: 7 } });
  expect(await problemOf("{{ messages }}", 5)).toMatchObject({ kind: "conversation" });
  expect((await request("render", { template: "", context: "{" })).problem).toMatchObject({ kind: "context" });
  expect((await request("syntax", { template: "a\n{{ x }" })).problem?.place).toEqual({ line: 2, column: 6 });
});

test("hostile templates end with a limit", async () => {
  const doubled = "{% set ns = namespace(y='y') %}{% for i in range(64) %}{% set ns.y = ns.y ~ ns.y %}{% endfor %}";
  const endless = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}";
  const recursion = "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}";
  for (const template of [doubled, endless, recursion])
    expect(await render({ template, context: context([USER]) }), template).toMatchObject({ kind: "limit" });
  // The worker still answers.
  expect(await render({ template: "{{ messages[0].content }}", context: context([USER]) })).toBe("Hello");
});

test("a long rendering is cut", async () => {
  const template = "{% for i in range(1100) %}{{ x }}{% endfor %}";
  const { rendering } = await request("render", { template, context: context([USER], { x: "y".repeat(1000) }) });
  expect(rendering).toMatchObject({ text: "y".repeat(1_000_000), isCut: true });
});

test("the worker finds the facts and the marked messages of a template", async () => {
  const template = TEMPLATES["chatml"] ?? "";
  expect((await request("syntax", { template })).facts?.variables.map(({ name }) => name)).toContain("messages");
  const { conversation } = await request("probe", { template, variables: { ...tokens } });
  expect(conversation.text).toContain("markersystem");
});
