// `renderChatTemplate`, compared with the renderings of llama.cpp's engine and of llama-server.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { GgufError, renderChatTemplate } from "gguf-wasm/template";
import { json, missing, pathOf } from "../corpus.mjs";

/** @typedef {{ text?: string, text_of?: string, error?: string }} Expected */
/** @typedef {Record<string, Record<string, Record<string, Expected>>>} Renderings by template, context and engine */

/** @type {{ now: number, texts: Record<string, string>, expected: Renderings }} */
const { now, texts, expected } = json("templates/expected.json");
/** @type {Record<string, string>} JSON texts */
const contexts = json("templates/contexts.json");

// The times of the corpus are those of UTC.
process.env.TZ = "UTC";

/** @param {string} template @param {string} context @param {boolean} server */
function render(template, context, server) {
  // The corpus has no variable in place of a false one. llama-server has `true` in place of a missing one.
  if (server && !context.includes('"add_generation_prompt"'))
    context = context.replace("{", '{"add_generation_prompt": false, ');
  return renderChatTemplate(template, context, { now: new Date(now * 1000), server }).text;
}

/**
 * Compares all renderings of an engine. An error is equal to any error of the package: the words differ.
 *
 * @param {"llama_cpp" | "llama_server"} engine
 */
function compare(engine) {
  const differences = [];
  let count = 0;
  for (const [name, results] of Object.entries(expected)) {
    const template = readFileSync(pathOf(`templates/templates/${name}.jinja`), "utf8");
    for (const [context, { [engine]: wanted }] of Object.entries(results)) {
      if (!wanted || !("text" in wanted || "text_of" in wanted || "error" in wanted)) continue;
      count++;
      const text = wanted.text_of === undefined ? wanted.text : texts[wanted.text_of];
      let found;
      try {
        found = render(template, contexts[context] ?? "", engine === "llama_server");
      } catch (error) {
        assert.ok(error instanceof GgufError && error.code.startsWith("template-"), `${name} ${context}: ${error}`);
      }
      if (found !== text) differences.push(`${name} ${context}: ${JSON.stringify(found)}`);
    }
  }
  assert.deepEqual(differences, []);
  return count;
}

test("all renderings equal those of llama.cpp's engine", { skip: missing }, () => {
  assert.ok(compare("llama_cpp") > 1300);
});

test("all prepared renderings equal those of llama-server", { skip: missing }, () => {
  assert.ok(compare("llama_server") > 500);
});
