/** Real chat templates, rendered by the renderer of the page in Node. The expected texts are those of Python's jinja2. */

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { renderTemplate } from "../../../www/src/template/render-template.ts";
import { SAMPLE_CONVERSATIONS } from "../../../www/src/template/sample-conversations.ts";
import {
  CONVERSATIONS,
  EXPRESSION_VARIABLES,
  EXPRESSIONS,
  expectedRenderings,
  NOW,
  TEMPLATES,
} from "../../template/conversations.mjs";
import { DIFFERENCES, EXPRESSION_DIFFERENCES } from "../../template/differences.mjs";

const [year, month, ...rest] = NOW;
const now = new Date(year, month - 1, ...rest).getTime();

/** What the table of differences says about a rendering. */
const differenceOf = (template: string, conversation: string) =>
  DIFFERENCES.find(
    ({ templates, conversations }) => templates.includes(template) && conversations.includes(conversation),
  );

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("not in the corpus");
  return value;
}

function render(template: string, conversation: string) {
  const { messages, tools, add_generation_prompt, ...variables } = known(CONVERSATIONS[conversation]);
  const source = known(TEMPLATES[template]);
  return renderTemplate({
    template: source,
    messages,
    tools,
    addGenerationPrompt: add_generation_prompt,
    variables,
    now,
  });
}

test("there are many real templates, each with its renderings", () => {
  expect(Object.keys(TEMPLATES).length).toBeGreaterThanOrEqual(30);
  const files = readdirSync(fileURLToPath(new URL("../../template/renderings", import.meta.url)));
  expect(files.sort()).toEqual(Object.keys(TEMPLATES).map((name) => `${name}.txt`));
  for (const { templates, conversations } of DIFFERENCES) {
    for (const name of templates) expect(Object.keys(TEMPLATES)).toContain(name);
    for (const name of conversations) expect(Object.keys(CONVERSATIONS)).toContain(name);
  }
});

test("the conversations are the samples of the page, one that ends with an answer, and one with a content that is null", () => {
  const samples = SAMPLE_CONVERSATIONS.map(({ id, messages, tools }) => [id, { messages, tools }] as const);
  const { answered, "null-content": calls, ...others } = CONVERSATIONS;
  expect(answered?.messages.length).toBe(2);
  expect(calls?.messages.map((message) => (message as { content: unknown }).content)).toContain(null);
  expect(Object.entries(others).map(([id, { messages, tools }]) => [id, { messages, tools }])).toEqual(samples);
});

for (const template of Object.keys(TEMPLATES)) {
  test(`${template} is rendered as by jinja2, or the difference is explained`, () => {
    for (const [conversation, expected] of Object.entries(expectedRenderings(template))) {
      const { rendering, problem } = render(template, conversation);
      const difference = differenceOf(template, conversation);
      if (!difference) {
        expect(rendering?.text, `${conversation}: ${problem?.message ?? ""}`).toBe(expected);
        continue;
      }
      expect(rendering?.text, conversation).not.toBe(expected);
      expect(rendering === undefined ? "fails" : "renders", conversation).toBe(difference.there);
    }
  });
}

test("values and operators are those of jinja2, or the difference is explained", () => {
  const differs: string[] = [];
  for (const [template, expected] of Object.entries(EXPRESSIONS)) {
    const { rendering } = renderTemplate({
      template,
      messages: [],
      addGenerationPrompt: false,
      variables: EXPRESSION_VARIABLES,
    });
    if (EXPRESSION_DIFFERENCES.some(({ templates }) => templates.includes(template))) {
      if ((rendering?.text ?? null) !== expected) differs.push(template);
    } else expect(rendering?.text ?? null, template).toBe(expected);
  }
  expect(differs).toEqual(EXPRESSION_DIFFERENCES.flatMap(({ templates }) => templates));
});
