// Compares the expected renderings with those of Python's jinja2, which transformers uses.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  CONVERSATIONS,
  EXPRESSION_VARIABLES,
  EXPRESSIONS,
  expectedRenderings,
  NOW,
  TEMPLATES,
  writeRenderings,
} from "./conversations.mjs";

const PYTHON = process.env.GGUF_PYTHON;
/** The reason why the test is skipped, or false. With CI=true there must be a Python interpreter. */
const missing = PYTHON ? false : "NOT COVERED: the comparison with jinja2: `cargo xtask test package` sets GGUF_PYTHON";
if (missing && process.env.CI === "true") throw new Error(missing);

const SCRIPT = fileURLToPath(new URL("../python/chat_templates.py", import.meta.url));

/**
 * The renderings by Python: by template, then by conversation.
 *
 * @param {Record<string, string>} templates
 * @param {Record<string, object>} conversations
 * @returns {Record<string, Record<string, { text?: string, error?: string }>>}
 */
function renderInPython(templates, conversations) {
  const input = JSON.stringify({ templates, conversations, now: NOW });
  const python = spawnSync(PYTHON ?? "", [SCRIPT], { input, maxBuffer: 2 ** 28, encoding: "utf8" });
  assert.equal(python.status, 0, python.stderr);
  return JSON.parse(python.stdout);
}

test("jinja2 renders the expected texts", { skip: missing }, () => {
  const rendered = renderInPython(TEMPLATES, CONVERSATIONS);
  assert.deepEqual(Object.keys(rendered), Object.keys(TEMPLATES));
  for (const [name, renderings] of Object.entries(rendered)) {
    // To write the expected renderings of a new template: GGUF_WRITE_RENDERINGS=1.
    if (process.env.GGUF_WRITE_RENDERINGS === "1")
      writeFileSync(fileURLToPath(new URL(`renderings/${name}.txt`, import.meta.url)), writeRenderings(renderings));
    const texts = Object.fromEntries(Object.entries(renderings).map(([title, { text }]) => [title, text]));
    assert.deepEqual(expectedRenderings(name), texts, name);
  }
});

test("jinja2 renders the expected texts of values and operators", { skip: missing }, () => {
  const templates = Object.fromEntries(Object.keys(EXPRESSIONS).map((template) => [template, template]));
  const rendered = renderInPython(templates, { only: EXPRESSION_VARIABLES });
  const texts = Object.entries(rendered).map(([template, { only }]) => [template, only?.text ?? null]);
  assert.deepEqual(Object.fromEntries(texts), EXPRESSIONS);
});
