// `gguf.chat`: templates and special tokens of a file.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as explain from "gguf-wasm/explain";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";

/** @typedef {Parameters<typeof ggufBytes>[0]} Entries */

const TOKENS = ["<s>", "</s>", "<u>", "h", "i", "x", "Ġ"];
const TEMPLATE =
  "{{ bos_token }}{% for m in messages %}<u>{{ m.content }}{% endfor %}{{ eos_token if not add_generation_prompt }}";

/** @type {Entries} */
const TOKENIZER = [
  ["tokenizer.ggml.model", text("gpt2")],
  ["tokenizer.ggml.pre", text("gpt-2")],
  ["tokenizer.ggml.tokens", { type: "strings", count: TOKENS.length, at: (index) => TOKENS[index] ?? "" }],
  ["tokenizer.ggml.token_type", { type: "int32s", count: TOKENS.length, at: (index) => (index < 3 ? 3 : 1) }],
  ["tokenizer.ggml.merges", { type: "strings", count: 0, at: () => "" }],
  ["tokenizer.ggml.bos_token_id", uint32(0)],
  ["tokenizer.ggml.eos_token_id", uint32(1)],
];

/** @param {Entries} entries */
const open = (...entries) => Gguf.open(ggufBytes([...TOKENIZER, ...entries]));
const messages = [{ role: "user", content: "hi" }];

test("a conversation is rendered with the template and the special tokens of the file", async () => {
  const gguf = await open(["tokenizer.chat_template", text(TEMPLATE)]);
  const { text: prompt, parts, notes, tokens } = await gguf.chat(messages);
  assert.equal(prompt, "<s><u>hi");
  assert.deepEqual(
    parts.filter(({ isInput }) => isInput).map((part) => part.text),
    ["<s>", "hi"],
  );
  assert.deepEqual([notes, tokens], [[], undefined]);
  const ended = await gguf.chat(messages, { addGenerationPrompt: false });
  assert.equal(ended.text, "<s><u>hi</s>");
  assert.ok(Object.isFrozen(ended));
});

test("tokens are those that llama-server gives the model: an added BOS token is there once", async () => {
  const gguf = await open(
    ["tokenizer.chat_template", text(TEMPLATE)],
    ["tokenizer.ggml.add_bos_token", { type: "bool", value: true }],
  );
  const { text: prompt, notes, tokens } = await gguf.chat(messages, { tokens: true });
  assert.equal(prompt, "<u>hi");
  assert.deepEqual(
    notes.map(({ code }) => code),
    ["bos-dropped"],
  );
  assert.deepEqual([...(tokens ?? [])], [0, 2, 3, 4]);
});

test("a template is chosen as llama-server chooses it, by name, or given", async () => {
  const gguf = await open(
    ["tokenizer.chat_template", text("plain")],
    ["tokenizer.chat_template.tool_use", text("{{ tools[0].function.name }}")],
    ["tokenizer.chat_template.rag", text("rag {{ depth }}")],
  );
  const tools = [{ type: "function", function: { name: "search", parameters: {} } }];
  assert.equal((await gguf.chat(messages)).text, "plain");
  assert.equal((await gguf.chat(messages, { tools })).text, "search");
  assert.equal((await gguf.chat(messages, { tools: [] })).text, "plain");
  assert.equal((await gguf.chat(messages, { tools, name: "default" })).text, "plain");
  assert.equal((await gguf.chat(messages, { name: "rag", variables: '{"depth": 1.0}' })).text, "rag 1.0");
  assert.equal((await gguf.chat(messages, { template: "own" })).text, "own");
  await assert.rejects(gguf.chat(messages, { name: "none" }), { name: "GgufError", code: "no-chat-template" });
  const broken = await open(
    ["tokenizer.chat_template", text("plain")],
    ["tokenizer.chat_template.tool_use", text("{% if %}")],
  );
  assert.equal((await broken.chat(messages, { tools })).text, "plain");
});

const CHATML = "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n";

test("a file without a template gets ChatML, and a note says so", async () => {
  const { text: prompt, notes } = await (await open()).chat(messages);
  assert.equal(prompt, CHATML);
  assert.deepEqual(
    notes.map(({ code }) => code),
    ["chatml-used"],
  );
});

test("an empty default template, and the name of ChatML, are replaced as in llama.cpp", async () => {
  const tools = [{ type: "function", function: { name: "search", parameters: {} } }];
  /** @type {[value: string | undefined, toolUse: string | undefined, expected: string][]} */
  const cases = [
    ["", undefined, CHATML],
    ["chatml", undefined, CHATML],
    ["", "tools", "tools"],
    [undefined, "tools", "tools"],
    ["chatml", "tools", "tools"],
  ];
  for (const [value, toolUse, expected] of cases) {
    /** @type {[key: string, value: string | undefined][]} */
    const given = [
      ["tokenizer.chat_template", value],
      ["tokenizer.chat_template.tool_use", toolUse],
    ];
    /** @type {Entries} */
    const entries = given.flatMap(([key, value]) =>
      value === undefined ? [] : [/** @type {const} */ ([key, text(value)])],
    );
    assert.equal((await (await open(...entries)).chat(messages)).text, expected, JSON.stringify([value, toolUse]));
  }
  // llama-server does not start with such a file.
  const broken = await open(
    ["tokenizer.chat_template", text("{{")],
    ["tokenizer.chat_template.tool_use", text("tools")],
  );
  await assert.rejects(broken.chat(messages, { tools }), { code: "template-syntax" });
});

test("a file without a tokenizer renders, and has no tokens", async () => {
  const gguf = await Gguf.open(ggufBytes([["tokenizer.chat_template", text(TEMPLATE)]]));
  assert.equal((await gguf.chat(messages)).text, "<u>hi");
  await assert.rejects(gguf.chat(messages, { tokens: true }), { code: "no-tokenizer" });
});

test("messages and tools can be JSON texts; what is no JSON is named", async () => {
  const gguf = await open(["tokenizer.chat_template", text("{{ messages[0].content }}{{ tools | tojson if tools }}")]);
  const { text: prompt } = await gguf.chat('[{"role": "user", "content": "hi"}]', {
    tools: '[{"type": "function", "function": {"name": "f", "parameters": {"default": 1.0}}}]',
  });
  assert.match(prompt, /^hi.*"default": 1\D/);
  const refused = (/** @type {any[]} */ ...args) =>
    assert.rejects(gguf.chat.apply(gguf, /** @type {any} */ (args)), { code: "template-context" });
  await refused('[], "tools": []');
  await refused(undefined);
  await refused(messages, { tools: "{" });
  await refused(messages, { variables: 7 });
  for (const variables of ["[1]", "null", '"text"', []]) await refused(messages, { variables });
  await refused("{}");
  assert.match((await gguf.chat('\ufeff[{"role": "user", "content": "hi"}]')).text, /^hi/);
  await assert.rejects(gguf.chat([{ role: "user", content: /** @type {any} */ ({}) }]), {
    code: "template-conversation",
  });
  for (const options of [{ tool: [] }, { signal: {} }, { name: "a", template: "b" }, { tokens: 1 }])
    await assert.rejects(gguf.chat(messages, /** @type {any} */ (options)), { code: "invalid-argument" });
  assert.match((await gguf.chat(messages, /** @type {any} */ (null))).text, /^hi/);
});

test("errors of the template have their position, and are those of this package", async () => {
  const gguf = await open(["tokenizer.chat_template", text("\n{{ raise_exception('no') }}")]);
  await assert.rejects(gguf.chat(messages), (/** @type {any} */ error) => {
    assert.ok(error instanceof explain.GgufError);
    assert.deepEqual([error.code, error.line, error.column], ["template-raised", 2, 19]);
    return true;
  });
});

test("an aborted call rejects with the reason of its signal", async () => {
  const gguf = await open(["tokenizer.chat_template", text(TEMPLATE)]);
  await assert.rejects(gguf.chat(messages, { signal: AbortSignal.abort(new Error("stop")) }), /stop/);
});

test("gguf-wasm/explain has it, too", async () => {
  const gguf = await explain.Gguf.open(ggufBytes([["tokenizer.chat_template", text("{{ messages | length }}")]]));
  assert.equal((await gguf.chat(messages)).text, "1");
});
