// The flags of chat templates: for each, a template that has it, and one that has not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readTemplate } from "gguf-wasm/common/template-facts.js";
import { TEMPLATE_FLAGS, templateFlags } from "gguf-wasm/common/template-flags.js";
import { probeTemplate } from "gguf-wasm/common/template-probes.js";
import { parseChatTemplate, renderChatTemplate } from "gguf-wasm/template";
import { TEMPLATES } from "./templates.mjs";

/** @import { TemplateFacts } from "gguf-wasm/common/template-flags.js" */

const BOS = "<s>";

/** The facts of a template. @param {string} template @param {TemplateFacts} [more] @returns {TemplateFacts} */
function factsOf(template, more = {}) {
  const { facts, problem } = readTemplate(parseChatTemplate, template);
  if (problem) return { problem };
  const probes = probeTemplate(renderChatTemplate, template, { bos_token: BOS, eos_token: "</s>" });
  return { syntax: facts, probes, bos: BOS, addsBos: false, ...more };
}

/**
 * The details of a flag, or undefined.
 *
 * @param {string} code
 * @param {string} template
 * @param {TemplateFacts} [more]
 */
const detailsOf = (code, template, more) =>
  templateFlags(factsOf(template, more)).find((flag) => flag.code === code)?.details;

const CHATML = TEMPLATES["chatml"] ?? "";
const literal = { text: "<|im_end|>", length: 10, place: { line: 3, column: 1 } };
const long = (/** @type {number} */ length) => `{{ '${"x".repeat(length)}' }}${CHATML}`;

/**
 * @typedef {object} Case
 * @property {string} raises
 * @property {string} not
 * @property {string[]} details
 * @property {TemplateFacts} [more]
 * @property {TemplateFacts} [moreNot]
 */

/** @type {Readonly<Record<string, Case>>} */
const CASES = {
  "syntax-error": {
    raises: "{% for m in messages %}\n{{ m.content }}",
    not: CHATML,
    details: [
      "Line 2, column 14: unexpected end of the template: a block has no end.",
      "llama.cpp loads the weights, but llama-server and llama-cli stop when they start with this template.",
    ],
  },
  "never-rendered": {
    raises: "{{ raise_exception('No ' + messages[0].role) }}",
    // Some conversations are refused.
    not: `{% if messages[0].role == 'system' %}{{ raise_exception('No system') }}{% endif %}${CHATML}`,
    details: [
      "The template fails for each conversation that was tried: No system",
      "What it does with messages is not known. It may need tools or other variables.",
    ],
  },
  "messages-unused": {
    raises: "{{ bos_token }}Hello",
    not: CHATML,
    details: ["The template does not read the variable messages."],
  },
  "system-unused": {
    raises:
      "{% for m in messages %}{% if m.role == 'user' or m.role == 'assistant' %}{{ m.content }}{% endif %}{% endfor %}",
    not: CHATML,
    details: [
      "The text of the system message is not in the rendered text.",
      'It tests the role for "user", "assistant" only.',
    ],
  },
  "no-generation-prompt": {
    raises: "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}",
    not: CHATML,
    details: [
      'Answers of the assistant begin with "<|im_start|>assistant", but a text that the model shall continue ends without it.',
    ],
  },
  "bos-twice": {
    raises: `{{ bos_token }}${CHATML}`,
    not: `{{ bos_token }}${CHATML}`,
    more: { addsBos: true },
    details: [
      "The text begins with <s>, and programs put the same token before each text of this model. llama.cpp removes the one of the template. Other programs may not.",
    ],
  },
  "token-unknown": {
    raises: CHATML,
    not: CHATML,
    more: {
      unknownTokens: [
        { literal, isNormal: false },
        { literal, isNormal: true },
      ],
    },
    moreNot: { unknownTokens: [] },
    details: [
      "<|im_end|> (line 3) is not a token, so the model sees several tokens instead.",
      "<|im_end|> (line 3) is a normal token, so text that contains it is split into other tokens.",
    ],
  },
  address: {
    raises: `text\n{{ 'Visit https://example.com/a?b=c now.' }}${CHATML}`,
    not: `{# https://example.com #}${CHATML}`,
    details: ["https://example.com/a?b=c (line 2)"],
  },
  "long-literal": {
    raises: long(1001),
    not: long(1000),
    details: [`1,001 characters (line 1): ${"x".repeat(100)}…`],
  },
};

test("each flag of the table has a case", () => {
  assert.deepEqual(
    Object.keys(CASES),
    TEMPLATE_FLAGS.map(({ code }) => code),
  );
});

for (const [code, { raises, not, details, more, moreNot }] of Object.entries(CASES)) {
  test(`${code}: one template has the flag, and another has not`, () => {
    assert.deepEqual(detailsOf(code, raises, more), details);
    assert.equal(detailsOf(code, not, moreNot), undefined);
  });
}

test("messages are also missed in the rendered text, role by role", () => {
  assert.deepEqual(detailsOf("messages-unused", "{{ messages[-1].content }}"), [
    "The first user message of a conversation is not in the text.",
    "The answer of the assistant of a conversation is not in the text.",
  ]);
  // Templates for images expect lists of parts.
  const parts = "{% for m in messages %}{{ m.role }}: {{ m.content[0].text }}\n{% endfor %}";
  assert.equal(detailsOf("messages-unused", parts), undefined);
  assert.equal(detailsOf("system-unused", parts), undefined);
});

test("llama.cpp only removes a BOS token at the very beginning", () => {
  assert.deepEqual(detailsOf("bos-twice", `\n{{ ' ' + bos_token }}${CHATML}`, { addsBos: true }), [
    "The text begins with <s>, and programs put the same token before each text of this model. llama.cpp does not remove it, because white space stands before it.",
  ]);
  assert.equal(detailsOf("bos-twice", `{{ bos_token }}${CHATML}`, { addsBos: undefined }), undefined);
});

test("a template that refuses system messages says so", () => {
  assert.deepEqual(detailsOf("system-unused", TEMPLATES["gemma-2"] ?? ""), [
    "The template refuses a system message: System role not supported",
  ]);
});

test("the only warnings of the real templates are that some take no system message", () => {
  const found = Object.entries(TEMPLATES).flatMap(([name, template]) =>
    templateFlags(factsOf(template))
      .filter(({ severity }) => severity !== "note")
      .map(({ code }) => `${name}: ${code}`),
  );
  assert.deepEqual(found, [
    "gemma-2: system-unused",
    "gemma-7b: system-unused",
    "mistral-7b-v0.1: system-unused",
    "phi-3-mini: system-unused",
    "yandexgpt-5-lite: system-unused",
  ]);
});
