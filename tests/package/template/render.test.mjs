// The functions of `gguf-wasm/template`: arguments, results, errors, limits. What templates mean is tested natively.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chatTemplateCapabilities, GgufError, parseChatTemplate, renderChatTemplate } from "gguf-wasm/template";

const TURNS = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}";
const messages = [{ role: "user", content: "Hi" }];

/** @param {() => unknown} call */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof GgufError, String(error));
    return { code: error.code, line: error.line, column: error.column, message: error.message };
  }
  return assert.fail("nothing was thrown");
}

test("a context is an object or a JSON text; parts tell the conversation from the template", () => {
  const rendered = renderChatTemplate(TURNS, { messages });
  assert.deepEqual(rendered, {
    text: "<user>Hi",
    parts: [
      { text: "<", isInput: false },
      { text: "user", isInput: true },
      { text: ">", isInput: false },
      { text: "Hi", isInput: true },
    ],
    notes: [],
  });
  assert.deepEqual(renderChatTemplate(TURNS, JSON.stringify({ messages })), rendered);
  assert.ok(Object.isFrozen(rendered) && Object.isFrozen(rendered.parts[0]));
});

test("numbers of a JSON text keep their form", () => {
  const template = "{{ a }} {{ b }} {{ c }} {{ d | tojson }}";
  const { text } = renderChatTemplate(template, '{"a": 1.0, "b": 9007199254740993, "c": 1e20, "d": [2.0, 2]}');
  // llama.cpp writes numbers so.
  assert.equal(text, "1.0 9007199254740993 100000000000000000000.0 [2, 2]");
  // JavaScript knows one kind of numbers.
  assert.match(renderChatTemplate("{{ a }}", { a: 1.0 }).text, /^1$/);
});

test("with `server`, the conversation is prepared as llama-server does it, and notes say so", () => {
  const { text, notes } = renderChatTemplate(
    `{{ bos_token }}${TURNS}{% if add_generation_prompt %}<{{ mood }}>{% endif %}`,
    {
      messages: [{ role: "developer", content: [{ type: "text", text: "Be brief." }] }],
      bos_token: "<s>",
      chat_template_kwargs: { mood: "glad" },
    },
    { server: true, addedBos: "<s>" },
  );
  assert.equal(text, "<system>Be brief.<glad>");
  const codes = notes.map(({ code }) => code);
  assert.ok(codes.includes("developer-renamed") && codes.includes("bos-dropped"), codes.join());
  assert.ok(notes.every(({ message }) => message.endsWith(".")));
});

test("variables of a request replace those that are prepared, and there are not too many", () => {
  const template = "{{ enable_thinking }},{{ add_generation_prompt }},{{ x }}";
  const render = (/** @type {object} */ request) =>
    renderChatTemplate(template, { messages: [], ...request }, { server: true }).text;
  assert.equal(render({}), "True,True,");
  assert.equal(
    render({ chat_template_kwargs: { enable_thinking: 0, add_generation_prompt: false, x: 1 } }),
    "0,True,1",
  );
  const code = (/** @type {unknown} */ kwargs) => errorOf(() => render({ chat_template_kwargs: kwargs })).code;
  assert.equal(code("x"), "template-conversation");
  assert.equal(code({ enable_thinking: "false" }), "template-conversation");
  assert.equal(code(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`v${i}`, i]))), "template-limit");
});

test("BOS and EOS are dropped wherever their texts come from, and only if there are some", () => {
  const render = (/** @type {string} */ template, /** @type {object} */ options) => {
    const rendered = renderChatTemplate(template, { messages: [], x: "s" }, { server: true, ...options });
    return [rendered.text, ...rendered.notes.map(({ code }) => code)];
  };
  assert.deepEqual(render("<{{ x }}>hi", { addedBos: "<s>" }), ["hi", "bos-dropped"]);
  assert.deepEqual(render("hi</{{ x }}>", { addedEos: "</s>" }), ["hi", "eos-dropped"]);
  assert.deepEqual(render("hi", { addedBos: "", addedEos: "" }), ["hi"]);
});

test("the time is that of the option, in the time zone of the machine", () => {
  const template = "{{ strftime_now('%Y-%m-%d %H:%M:%S') }}";
  const render = (/** @type {Date | number} */ now) => renderChatTemplate(template, {}, { now }).text;
  for (const date of [new Date(2026, 1, 3, 4, 5, 6), new Date(2026, 6, 3, 23, 59, 59)]) {
    const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
    const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    const shown = `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
    assert.equal(render(date), shown);
    assert.equal(render(date.getTime()), shown);
  }
  assert.equal(renderChatTemplate("{{ strftime_now('%Y') }}", {}).text, String(new Date().getFullYear()));
  for (const wrong of [NaN, true, "5", {}])
    assert.equal(errorOf(() => render(/** @type {any} */ (wrong))).code, "invalid-argument");
});

test("errors have a code, and the line and column in Unicode characters", () => {
  const at = (/** @type {string} */ template, context = {}) => {
    const { code, line, column } = errorOf(() => renderChatTemplate(template, context));
    return [code, line, column];
  };
  assert.deepEqual(at("a\nb 🦙 {{ x ~ }}"), ["template-syntax", 2, 12]);
  assert.deepEqual(at("\n{{ raise_exception('no') }}"), ["template-raised", 2, 19]);
  assert.deepEqual(at("{{ 1 + none }}").slice(0, 2), ["template-render", 1]);
  assert.deepEqual(at("{% for i in range(9999999) %}{{ i }}{% endfor %}").slice(0, 1), ["template-limit"]);
  assert.match(errorOf(() => renderChatTemplate("{{ raise_exception('no roles') }}", {})).message, /no roles.*line 1/);
});

test("a context that is no object is refused", () => {
  const cyclic = /** @type {Record<string, unknown>} */ ({});
  cyclic["self"] = cyclic;
  const hostile = {
    get messages() {
      throw new Error("no");
    },
  };
  for (const context of [undefined, null, 7, "[]", "{", '"text"', [], cyclic, { n: 1n }, hostile, () => 1]) {
    assert.equal(errorOf(() => renderChatTemplate("", /** @type {any} */ (context))).code, "template-context");
  }
  assert.equal(errorOf(() => renderChatTemplate(/** @type {any} */ (7), {})).code, "invalid-argument");
  const server = { server: true };
  const wrong = { messages: [{ role: "user", content: { deep: 1 } }] };
  assert.equal(errorOf(() => renderChatTemplate(TURNS, wrong, server)).code, "template-conversation");
});

test("limits can be lowered and raised, and the stack of the module always suffices", () => {
  const loop = "{% for i in range(60000) %}{{ i }}{% endfor %}";
  assert.ok(renderChatTemplate(loop, {}).text.length > 200_000);
  const code = (/** @type {object} */ limits, template = loop) =>
    errorOf(() => renderChatTemplate(template, {}, { limits })).code;
  assert.equal(code({ steps: 1000 }), "template-limit");
  const large = "{{ ('a' * 100000000).replace('a', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbb') | length }}";
  assert.equal(code({ memory: 2 ** 32 - 1, steps: 1e15 }, large), "template-limit");
  assert.equal(code({ memory: 1000 }), "template-limit");
  const recursion = "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}";
  for (const limits of [{}, { depth: 20 }, { depth: 1e9 }]) assert.equal(code(limits, recursion), "template-limit");
  assert.equal(code({ step: 1 }), "invalid-argument");
  assert.equal(code({ steps: -1 }), "invalid-argument");
  assert.equal(errorOf(() => renderChatTemplate("", {}, { limits: /** @type {any} */ (3) })).code, "invalid-argument");
});

test("hostile templates end with a code, or quickly", () => {
  const many = (/** @type {string} */ text, count = 1 << 15) => text.repeat(count);
  /** @type {Record<string, [template: string, code: string | undefined]>} */
  const hostile = {
    "a long range": ["{{ range(99999) | join(range(99999) | join) }}", "template-limit"],
    "nested lists compared": [
      "{% set ns = namespace(a=[], b=[]) %}{% for i in range(90) %}{% set ns.a = [ns.a, ns.a] %}{% set ns.b = [ns.b, ns.b] %}" +
        "{% endfor %}{{ ns.a == ns.b }}",
      undefined,
    ],
    "endless recursion": [
      "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}",
      "template-limit",
    ],
    "a long text": [many("a", (1 << 20) + 1), "template-limit"],
    "many tags": [many("{{ a }}"), undefined],
    "deep brackets": [`{{ ${many("(")} }}`, "template-limit"],
    "deep blocks": [many("{% if a %}"), "template-limit"],
    "catastrophic replacing": ["{% set x = 'a' * 999999 %}{{ ('a' ~ x) | replace('a', x) }}", "template-limit"],
    "a text that doubles": [
      "{% set ns = namespace(t='a') %}{% for i in range(60) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}{{ ns.t }}",
      "template-limit",
    ],
  };
  for (const [name, [template, code]] of Object.entries(hostile)) {
    const render = () => renderChatTemplate(template, {});
    if (code === undefined) assert.ok(render().text.length < 10, name);
    else assert.equal(errorOf(render).code, code, name);
  }
  assert.equal(renderChatTemplate("{{ 1 }}", {}).text, "1");
});

test("the syntax tree has the position of each node", () => {
  const [text, loop] = parseChatTemplate(
    "🦙\n{% for m in messages if m.role != 'tool' %}{{ m.content | trim }}{% endfor %}",
  );
  assert.deepEqual(text, { type: "text", line: 1, column: 1, value: "🦙\n" });
  assert.ok(loop?.type === "for" && loop.iterable.type === "select" && loop.iterable.test.type === "binary");
  const { right } = loop.iterable.test;
  assert.deepEqual(right, { type: "string", line: 2, column: 35, value: "tool" });
  const [filter] = loop.body;
  assert.ok(filter?.type === "filter" && filter.value.type === "member" && filter.value.object.type === "name");
  assert.deepEqual(parseChatTemplate(""), []);
  assert.equal(errorOf(() => parseChatTemplate("{% if %}")).code, "template-syntax");
});

test("capabilities are those that llama-server finds out", () => {
  const none = chatTemplateCapabilities(TURNS);
  assert.ok(none.systemRole && none.stringContent && !none.tools && !none.toolCalls && !none.typedContent);
  const tools = chatTemplateCapabilities(`{{ tools[0].function.name }}${TURNS}`);
  assert.ok(tools.tools);
  assert.equal(errorOf(() => chatTemplateCapabilities("{{")).code, "template-syntax");
});
