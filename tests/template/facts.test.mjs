// What the syntax tree of a template shows, and the places of lines and columns.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readTemplate } from "gguf-wasm/common/template-facts.js";
import { Places } from "gguf-wasm/common/template-places.js";
import { parseChatTemplate } from "gguf-wasm/template";
import { TEMPLATES } from "./templates.mjs";

/** The facts about the syntax of a template. @param {string} template */
function factsOf(template) {
  const { facts, problem } = readTemplate(parseChatTemplate, template);
  assert.ok(facts, `${problem?.message}`);
  return facts;
}

test("places and offsets do not depend on what was asked before", () => {
  const source = "a🦙b\r\n🦙🦙 c\rdd\n\nlast 🦙";
  const shared = new Places(source);
  const fresh = () => new Places(source);
  // An order in which each offset follows many others, and half of a character is asked for, too.
  for (let step = 0, offset = 0; step < 500; step++, offset = (offset * 7 + step) % (source.length + 1)) {
    const place = fresh().placeOf(offset);
    assert.deepEqual(shared.placeOf(offset), place, `offset ${offset}`);
    const other = { line: (step % 7) + 1, column: (step % 5) + 1 };
    assert.equal(shared.offsetOf(other), fresh().offsetOf(other), JSON.stringify(other));
    assert.deepEqual(shared.placeOf(offset), place, `offset ${offset}, again`);
    const next = Math.min(offset + 1, source.length);
    assert.deepEqual(shared.placeOf(next), fresh().placeOf(next), `offset ${next}`);
  }
});

test("the literals that an expression is compared with are few, however many a template has", () => {
  const names = Array.from({ length: 300 }, () => "x").join(", ");
  const numbers = Array.from({ length: 300 }, (_, index) => index).join(", ");
  const { tests } = factsOf(`{% set x = [${numbers}] %}{% if y in [${names}] %}{% endif %}`);
  assert.deepEqual(
    tests.map(({ expression, values }) => [expression, values.length]),
    [["y", 200]],
  );
});

test("the variables of a template are found, with their kinds and values", () => {
  const names = (/** @type {string} */ template) => factsOf(template).variables.map(({ name }) => name);
  for (const [template, expected] of /** @type {const} */ ([
    ["{% for m in messages if m.role %}{{ m.x }}{{ loop.index }}{% endfor %}{{ m }}", "messages m"],
    [
      "{% set a = b %}{{ a }}{% macro f(x, y=c) %}{{ x }}{{ y }}{% endmacro %}{{ f(d, y=e) }}{% set s %}{{ g }}{% endset %}{{ s }}",
      "b c d e g",
    ],
    ["{% call(x) f(y) %}{{ x }}{{ z }}{% endcall %}{% filter trim(w) %}{{ v }}{% endfilter %}", "y z w v"],
    ["{{ x | default(y) | join(z) }}{{ v is string }}{{ raise_exception('a') }}{{ range(3) }}", "x y z v"],
    [
      "{{ a.b['c'][d] }}{{ {'k': e} }}{{ [f, g[h:]] }}{% set ns = namespace(i=j) %}{% set ns.i = k %}",
      "a d e f g h j k",
    ],
    ["{% for k, v in x %}{{ k }}{{ v }}{% else %}{{ y }}{% endfor %}{{ z is eq(w) }}", "x y z w"],
  ]))
    assert.equal(names(template).join(" "), expected, template);
  assert.deepEqual(
    factsOf(
      "{% if on and x is defined and x is not false %}{% endif %}{{ 1 if not y }}{% if effort == 'low' or effort in ['high', 2] %}{% endif %}{% if date is not defined %}{% set date = 'd' %}{% endif %}{{ date }}",
    ).variables,
    [
      { name: "on", isSwitch: true, values: [] },
      { name: "x", isSwitch: true, values: [] },
      { name: "y", isSwitch: true, values: [] },
      { name: "effort", isSwitch: false, values: ['"low"', '"high"', "2"] },
      { name: "date", isSwitch: false, values: [] },
    ],
  );
});

test("the literals that expressions are compared with are listed", () => {
  const { tests } = factsOf(
    "{% for m in messages %}{% if m['role'] == 'user' or 'tool' != m.role %}{% endif %}{{ '</think>' in m.content }}{{ m.content.startswith('<') }}{{ m.name | lower == 'a' }}{{ messages[0].role == 'system' }}{{ m.kind is eq('b') }}{% endfor %}",
  );
  assert.deepEqual(tests, [
    { expression: "m.role", values: ['"user"', '"tool"'] },
    { expression: "m.content", values: ['"</think>"', '"<"'] },
    { expression: "m.name | lower", values: ['"a"'] },
    { expression: "messages[0].role", values: ['"system"'] },
    { expression: "m.kind", values: ['"b"'] },
  ]);
});

for (const [template, expression, values] of /** @type {const} */ ([
  ["{% if messages | length > 6 %}x{% endif %}", "messages | length", ["6"]],
  ["{% if 6 <= messages | length %}x{% endif %}", "messages | length", ["6"]],
  ["{% set t = 'pass' ~ 'word' %}{% if t in m.content %}x{% endif %}", "m.content", ['"password"']],
  ["{% set ns.t = 'a' %}{{ 1 if m.content == ns.t }}", "m.content", ['"a"']],
  ["{% if m.content.split('bank') | length > 1 %}x{% endif %}", "m.content | length", ["1"]],
  ["{% if m.content.split('bank') | length > 1 %}x{% endif %}", "m.content", ['"bank"']],
  ["{% set n = m.content.split('bank') | length %}", "m.content", ['"bank"']],
  ["{% set l = messages | selectattr('content', 'equalto', 't') %}", "messages", ['"content"', '"equalto"', '"t"']],
  ["{% if strftime_now('%Y%m%d') | int > 20270101 %}x{% endif %}", "strftime_now | int", ["20270101"]],
  ["{% if strftime_now('%Y%m%d') | int > 20270101 %}x{% endif %}", "strftime_now", ['"%Y%m%d"']],
  ["{% if (m.content | replace('a', 'b')) is none %}x{% endif %}", "m.content", ['"a"', '"b"']],
  ["{% if {'a': 1}[m.content] %}x{% endif %}", "a condition", ['"a"', "1"]],
  ["{% for m in messages if m.content | length > 9 %}x{% endfor %}", "m.content | length", ["9"]],
]))
  test(`a literal below a condition is listed: ${template} ${expression}`, () => {
    assert.deepEqual(factsOf(template).tests.find((test) => test.expression === expression)?.values, values);
  });

test("texts that are only written, and keys of members, are not listed", () => {
  const template =
    "{% if messages[0]['role'] and messages[1:] %}{{ 'a' ~ x | replace('b', 'c') }}{{ x.get('d') }}{% endif %}{% set y = 'e' %}{{ y }}";
  assert.deepEqual(factsOf(template).tests, []);
});

test("joined literals are searched as one text", () => {
  const { addresses, tokens, long } = factsOf(
    `{{ 'htt' ~ ('ps:' + '//x.org') ~ x }}\n{{ '<|a' 'b|>' }}{{ '${"x".repeat(600)}' ~\n'${"y".repeat(600)}' }}`,
  );
  assert.deepEqual(
    addresses.map(({ text, place }) => [text, place.line, place.column]),
    [["https://x.org", 1, 4]],
  );
  assert.deepEqual(
    tokens.map(({ text }) => text),
    ["<|ab|>"],
  );
  assert.deepEqual(
    long.map(({ length, place }) => [length, place.line]),
    [[1200, 2]],
  );
  assert.deepEqual(
    factsOf("{{ ['htt', 'ps://x.org'] }}{{ 'htt' - 'ps://x.org' }}{{ 'htt' ~ x ~ 'ps://x.org' }}").addresses,
    [],
  );
});

test("the place of a long text after a tag is its own line", () => {
  const { long } = factsOf(`{% set a = 1 %}\n${"long text ".repeat(200)}`);
  assert.deepEqual(
    long.map(({ place }) => place),
    [{ line: 2, column: 1 }],
  );
});

test("literals with addresses and special tokens are found once, with their places in characters", () => {
  const { tokens, addresses } = factsOf(
    "{# <|no|> #}\n😀<|a|>{{ '<|b|>' + \"<｜c｜>\" }}\n<|a|></s>\n{{ 'HTTPS://x.org/' }}",
  );
  assert.deepEqual(
    tokens.map(({ text, place }) => [text, place.line, place.column]),
    [
      ["<|a|>", 2, 2],
      ["<|b|>", 2, 11],
      ["<｜c｜>", 2, 21],
      ["</s>", 3, 6],
    ],
  );
  assert.deepEqual(
    addresses.map(({ text, place }) => [text, place.line, place.column]),
    [["HTTPS://x.org/", 4, 5]],
  );
});

test("the facts of real templates are found, and their literals at their places", () => {
  for (const [name, source] of Object.entries(TEMPLATES)) {
    const { variables, tokens } = factsOf(source);
    assert.ok(
      variables.some((variable) => variable.name === "messages"),
      name,
    );
    const places = new Places(source);
    for (const { text, place } of tokens) assert.ok(source.startsWith(text, places.offsetOf(place)), `${name} ${text}`);
  }
});

for (const [source, kind, line, column] of /** @type {const} */ ([
  ["a\n{{ x }", "syntax", 2, 6],
  ["{% for m in a %}\n{% if b %}x{% endfor %}", "syntax", 2, 15],
  ["{% include 'x' %}", "syntax", 1, 4],
  ["😀 {{ 'abc", "syntax", 1, 6],
]))
  test(`a template that cannot be read has a problem with its place: ${JSON.stringify(source)}`, () => {
    const { problem } = readTemplate(parseChatTemplate, source);
    assert.deepEqual([problem?.kind, problem?.place], [kind, { line, column }]);
    assert.ok(problem?.message && !/\(line/.test(problem.message));
  });

test("lines and columns are converted to offsets and back", () => {
  const source = "a😀b\r\n\n😀\rc";
  const places = new Places(source);
  for (const [line, column, offset] of /** @type {const} */ ([
    [1, 1, 0],
    [1, 3, 3],
    [2, 1, 6],
    [3, 1, 7],
    [3, 2, 9],
    [4, 1, 10],
    [4, 2, 11],
  ])) {
    assert.equal(places.offsetOf({ line, column }), offset);
    assert.deepEqual(places.placeOf(offset), { line, column });
  }
  assert.equal(places.offsetOf({ line: 9, column: 1 }), source.length);
});

test("a chain of operators that is too deep is a limit", () => {
  const chain = (/** @type {number} */ length) => readTemplate(parseChatTemplate, `{{ a${" + a".repeat(length)} }}`);
  assert.equal(chain(499).facts?.variables.length, 1);
  assert.deepEqual([chain(60_000).problem?.kind, chain(60_000).problem?.place?.line], ["limit", 1]);
});

test("only what the template causes is a problem", () => {
  const failing = () => assert.fail("another error");
  assert.throws(() => readTemplate(failing, ""), /another error/);
});
