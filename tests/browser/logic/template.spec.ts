/** The logic of the chat template panel that needs no page. */

import { runInNewContext } from "node:vm";
import { expect, test } from "@playwright/test";
import { locationHash } from "../../../www/src/app/location-hash.ts";
import type { ShownEntry } from "../../../www/src/gguf/shown-file.ts";
import { parseMessages } from "../../../www/src/template/own-messages.ts";
import { parseTemplate } from "../../../www/src/template/parse-template.ts";
import { prepareInput } from "../../../www/src/template/render-input.ts";
import { renderTemplate } from "../../../www/src/template/render-template.ts";
import {
  isOneToken,
  SpecialTokens,
  splitAtTokens,
  tokenised,
  unknownTokens,
} from "../../../www/src/template/rendered-tokens.ts";
import { removeAbilities, removeCompilers } from "../../../www/src/template/sandbox.ts";
import { strftime } from "../../../www/src/template/strftime.ts";
import { syntaxFacts } from "../../../www/src/template/syntax-facts.ts";
import { chatTemplates, missingNames } from "../../../www/src/template/template-list.ts";
import { TEMPLATE_STATE_FIELDS, withoutDefaults } from "../../../www/src/template/template-state.ts";
import { tokenOffsets } from "../../../www/src/template/token-places.ts";
import { addsBos, bosIdOf, tokenVariables } from "../../../www/src/template/token-variables.ts";
import { TEMPLATES } from "../../template/conversations.mjs";

const { parse, format } = locationHash([{ name: "template", stateFields: TEMPLATE_STATE_FIELDS }]);

const render = (template: string, variables: Record<string, unknown> = {}) =>
  renderTemplate({ template, messages: [], addGenerationPrompt: false, variables });

/** The facts about the syntax of a template. */
function factsOf(template: string) {
  const { program, tokens } = parseTemplate(template);
  if (!program) throw new Error("not valid");
  return syntaxFacts(template, program, tokens);
}

/** Runs a function, and counts the pieces that it takes of texts and lists, and the length of all pieces. */
function piecesOf<T>(run: () => T): { result: T; pieces: number; length: number } {
  const [ofText, ofList] = [String.prototype, Array.prototype];
  const own = [ofText.slice, ofText.substring, ofList.slice] as const;
  let [pieces, length] = [0, 0];
  const counted = <P extends { length: number }>(piece: P): P => {
    pieces += 1;
    length += piece.length;
    return piece;
  };
  ofText.slice = function (...range) {
    return counted(own[0].apply(this, range));
  };
  ofText.substring = function (...range) {
    return counted(own[1].apply(this, range));
  };
  ofList.slice = function (...range) {
    return counted(own[2].apply(this, range));
  };
  try {
    const result = run();
    return { result, pieces, length };
  } finally {
    [ofText.slice, ofText.substring, ofList.slice] = own;
  }
}

const row = (key: string, value: unknown, more: Partial<ShownEntry> = {}): ShownEntry =>
  ({ entry: { key, type: "STRING", value }, id: key, position: 0, ...more }) as unknown as ShownEntry;

test("choices are read from the hash that they were written to", () => {
  const template = {
    name: "tool_use",
    conversation: "own",
    messages: '[{"role":"user","content":"a&b=c"}]',
    noPrompt: true,
    tools: false,
    variables: { date_string: '"1, 2"', enable_thinking: "false" },
  };
  expect(parse(format({ template }))).toEqual({ template });
  expect(format({ template: { conversation: "plain", noPrompt: false, messages: "[]", variables: {} } })).toBe("");
  expect(format({ template: { conversation: "tools", tools: false } })).toBe(
    "#template.conversation=tools&template.tools=off",
  );
  expect(parse("#template.conversation=unknown&template.prompt=on&template.tools=2&template.set=x")).toEqual({});
  expect(JSON.stringify(withoutDefaults({ variables: { b: "1", a: "2" } }))).toBe('{"variables":{"a":"2","b":"1"}}');
  // Messages that are too long for an address are left out.
  expect(format({ template: { conversation: "own", messages: `["${"x".repeat(600)}"]` } })).toBe(
    "#template.conversation=own",
  );
});

test("the tokens of real templates are found at their places in the source", () => {
  for (const [name, source] of Object.entries(TEMPLATES)) {
    const { tokens = [] } = parseTemplate(source);
    const offsets = tokenOffsets(source, tokens);
    expect(tokens.length, name).toBeGreaterThan(10);
    const isFound = ({ type, value }: (typeof tokens)[number], at: number) => {
      if (type === "Text") return true;
      if (type === "StringLiteral") return /['"]/.test(source.charAt(at));
      return source.startsWith(type === "Comment" ? "{#" : value, at);
    };
    expect(
      tokens.filter((token, index) => !isFound(token, offsets[index] ?? -1)),
      name,
    ).toEqual([]);
  }
  // Tags that the lexer removes are passed.
  const source = "a{% generation %}b{{ x }}{%- endgeneration -%}c{{ y }}";
  const { tokens = [] } = parseTemplate(source);
  const names = tokens.map(({ value }, index) => [value, tokenOffsets(source, tokens)[index]]);
  expect(names).toContainEqual(["x", source.indexOf("x")]);
  expect(names).toContainEqual(["y", source.indexOf("y")]);
});

for (const [source, line, column, message] of [
  ["a\n{{ x }", 2, 6, "Expected closing expression token, found “}”."],
  ["{% for m in a %}\n{% if b %}x{% endfor %}", 2, 15, "Unexpected “endfor”: the open block is “if”."],
  ["{% for m in a %}\n{% if b %}x{% endif %}", 1, 1, "The block “for” is not closed."],
  ["{% endif %}", 1, 4, "Unexpected “endif”: no block is open."],
  ["{% include 'x' %}", 1, 4, "Chat templates have no statement “include”."],
  ["ok\n{{ a ? b }}", 2, 6, "Unexpected character: ?."],
  ["{{ a }}\n {{ 'abc }}", 2, 2, "The tag or a string in it is not closed."],
  ["{% if x == %}{% endif %}", 1, 12, "Unexpected “%}”."],
  ["text {# comment", 1, 6, "The comment is not closed."],
  ["{% set x %}abc", 1, 1, "The block “set” is not closed."],
  ["{{ 'a\\q' }}", 1, 1, "Unexpected escaped character: q."],
  ["x {{", 1, 5, "The template ends within a tag."],
] as const) {
  test(`a syntax error has a place: ${JSON.stringify(source)}`, () => {
    expect(parseTemplate(source).problem).toEqual({ kind: "syntax", message, place: { line, column } });
  });
}

test("the variables of a template are found, with their kinds and values", () => {
  const names = (template: string) => factsOf(template).variables.map(({ name }) => name);
  expect(names("{% for m in messages if m.role %}{{ m.x }}{{ loop.index }}{% endfor %}{{ m }}")).toEqual([
    "messages",
    "m",
  ]);
  expect(names("{% set a = b %}{{ a }}{% macro f(x, y=c) %}{{ x }}{{ y }}{% endmacro %}{{ f(d, y=e) }}")).toEqual([
    ...["b", "c", "d", "e"],
  ]);
  expect(names("{{ x | default(y) | join(z) }}{{ v is string }}{{ raise_exception('a') }}{{ range(3) }}")).toEqual([
    ...["x", "y", "z", "v"],
  ]);
  expect(names("{{ a.b['c'][d] }}{{ {'k': e} }}{{ [f, g] }}{% set ns = namespace(h=i) %}{% set ns.h = j %}")).toEqual([
    ...["a", "d", "e", "f", "g", "i", "j"],
  ]);
  const variables = factsOf(
    "{% if on and x is defined and x is not false %}{% endif %}{{ 1 if not y }}{% if effort == 'low' or effort in ['high', 2] %}{% endif %}{% if date is not defined %}{% set date = 'd' %}{% endif %}{{ date }}",
  ).variables;
  expect(variables).toEqual([
    { name: "on", isSwitch: true, values: [] },
    { name: "x", isSwitch: true, values: [] },
    { name: "y", isSwitch: true, values: [] },
    { name: "effort", isSwitch: false, values: ['"low"', '"high"', "2"] },
    { name: "date", isSwitch: false, values: [] },
  ]);
});

test("the literals that expressions are compared with are listed", () => {
  const { tests } = factsOf(
    "{% for m in messages %}{% if m['role'] == 'user' or 'tool' != m.role %}{% endif %}{{ '</think>' in m.content }}{{ m.content.startswith('<') }}{{ m.name | lower == 'a' }}{{ messages[0].role == 'system' }}{% endfor %}",
  );
  expect(tests).toEqual([
    { expression: "m.role", values: ['"user"', '"tool"'] },
    { expression: "m.content", values: ['"</think>"', '"<"'] },
    { expression: "m.name | lower", values: ['"a"'] },
    { expression: "messages[0].role", values: ['"system"'] },
  ]);
});

for (const [template, expression, values] of [
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
] as const) {
  test(`a literal below a condition is listed: ${template} ${expression}`, () => {
    expect(factsOf(template).tests.find((test) => test.expression === expression)?.values).toEqual(values);
  });
}

test("texts that are only written, and keys of members, are not listed", () => {
  const template =
    "{% if messages[0]['role'] and messages[1:] %}{{ 'a' ~ x | replace('b', 'c') }}{{ x.get('d') }}{% endif %}{% set y = 'e' %}{{ y }}";
  expect(factsOf(template).tests).toEqual([]);
});

test("joined literals are searched as one text", () => {
  const { addresses, tokens, long } = factsOf(
    `{{ 'htt' ~ ('ps:' + '//x.org') }}\n{{ '<|a' 'b|>' }}{{ '${"x".repeat(600)}' ~\n'${"y".repeat(600)}' }}`,
  );
  expect(addresses.map(({ text, place }) => [text, place.line, place.column])).toEqual([["https://x.org", 1, 4]]);
  expect(tokens.map(({ text }) => text)).toEqual(["<|ab|>"]);
  expect(long.map(({ length, place }) => [length, place.line])).toEqual([[1200, 2]]);
  expect(factsOf("{{ ['htt', 'ps://x.org'] }}{{ 'htt' - 'ps://x.org' }}").addresses).toEqual([]);
});

test("the place of a long text after a tag is its own line", () => {
  const { long } = factsOf(`{% set a = 1 %}\n${"long text ".repeat(200)}`);
  expect(long.map(({ place }) => place)).toEqual([{ line: 2, column: 1 }]);
});

test("literals with addresses and special tokens are found once, with their lines", () => {
  const { tokens, addresses } = factsOf(
    "{# <|no|> #}\n<|a|>{{ '<|b|>' + \"<｜c｜>\" }}\n<|a|></s>\n{{ 'HTTPS://x.org/' }}",
  );
  expect(tokens.map(({ text, place }) => [text, place.line])).toEqual([
    ["<|a|>", 2],
    ["<|b|>", 2],
    ["<｜c｜>", 2],
    ["</s>", 3],
  ]);
  expect(addresses.map(({ text, place }) => [text, place.line, place.column])).toEqual([["HTTPS://x.org/", 4, 5]]);
});

test("errors of a rendering have their kind and message", () => {
  expect(render("{{ raise_exception('No, ' ~ 1) }}").problem).toEqual({ kind: "refused", message: "No, 1" });
  expect(render("{{ x.y.z() }}").problem?.kind).toBe("run-time");
  expect(render("{% if %}").problem?.kind).toBe("syntax");
  const outside = { kind: "run-time", message: "break and continue are only allowed in a loop." };
  expect([render("{% break %}").problem, render("{% continue %}").problem]).toEqual([outside, outside]);
  const tooDeep = {
    kind: "limit",
    message: "The template calls itself too often, or has too many expressions in each other.",
  };
  expect(render("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}").problem).toEqual(tooDeep);
  expect(render(`{{ ${"(".repeat(20_000)}1${")".repeat(20_000)} }}`).problem).toEqual(tooDeep);
  expect(render("{{ a }}", { a: "x\ud800" }).rendering?.text).toBe("x\ufffd");
});

test("loops may end their steps early as often as they want", () => {
  const template = "{% for i in range(2000) %}{% if i % 2 %}{% continue %}{% endif %}x{% endfor %}";
  expect(render(template).rendering?.text).toBe("x".repeat(1000));
});

test("the place of an error after many tags is found without reading the template again for each tag", () => {
  const tags = "{% set x = 1 %}".repeat(20_000);
  const { result, length } = piecesOf(() => parseTemplate(`${tags}{% endif %}`));
  expect(result.problem).toMatchObject({ message: "Unexpected “endif”: no block is open." });
  expect(length).toBeLessThan(20 * tags.length);
});

test("a template reaches nothing but its values", () => {
  for (const expression of [
    "constructor",
    "messages.constructor",
    "''.constructor",
    "{}.__proto__",
    "namespace.constructor",
    "raise_exception.constructor",
    "messages.__proto__.constructor",
    "globalThis",
    "self",
    "fetch",
  ])
    expect(render(`{{ (${expression}) is defined }}`).rendering?.text, expression).toBe("False");
  const holder = { fetch: 1, Math, postMessage: 2, indexedDB: 3 };
  const scope = Object.create(holder, {
    XMLHttpRequest: { value: 1, configurable: true },
    JSON: { value: JSON, configurable: true },
  }) as object;
  removeAbilities(scope);
  expect(Reflect.ownKeys(scope)).toEqual(["JSON"]);
  expect(Reflect.ownKeys(holder)).toEqual(["Math", "postMessage"]);
});

test("the worker cannot compile texts", () => {
  const kinds = ["() => 1", "function () {}", "async () => 1", "function* () {}", "async function* () {}", "class {}"];
  const source = `${removeCompilers.toString()}; removeCompilers(); [${kinds.map((kind) => `(${kind}).constructor`).join()}]`;
  expect(Array.from(runInNewContext(source) as unknown[])).toEqual(kinds.map(() => undefined));
  const scope = { eval: 1, Function: 2, JSON: 3 };
  removeAbilities(scope);
  expect(Object.keys(scope)).toEqual(["JSON"]);
});

test("messages are checked, and problems name the message", () => {
  const problemOf = (text: string) => parseMessages(text).problem;
  expect(
    parseMessages('[{"role":"user","content":null,"x":1},{"role":"tool","content":[{"type":"text"}]}]').value,
  ).toEqual([
    { role: "user", content: null, x: 1 },
    { role: "tool", content: [{ type: "text" }] },
  ]);
  expect(problemOf("[")).toMatch(/^This is not valid JSON/);
  expect(problemOf('[\n {role: "user"}]')).toMatch(/^This is not valid JSON: line 2, column 3\./);
  expect(problemOf("{}")).toMatch(/^Expected a list of messages/);
  expect(problemOf("[1]")).toBe("Message 1: expected an object with the members “role” and “content”.");
  expect(problemOf('[{"role":"user","content":""},{"content":"x"}]')).toBe(
    'Message 2: the member “role” must be a text such as "user".',
  );
  expect(problemOf('[{"role":"user"}]')).toBe("Message 1: the member “content” is missing.");
  expect(problemOf('[{"role":"user","content":5}]')).toMatch(/^Message 1: the member “content” must be/);
  expect(problemOf('[{"role":"user","content":["x"]}]')).toMatch(/^Message 1: each part of “content”/);
  expect(problemOf('[{"role":"assistant","tool_calls":[1]}]')).toMatch(/^Message 1: the member “tool_calls”/);
});

test("messages that are nested too deeply are refused", () => {
  const nested = (depth: number) =>
    `[{"role":"user","content":[{"type":"text","text":"[[","more":${"[".repeat(depth)}${"]".repeat(depth)}}]}]`;
  expect(parseMessages(nested(190)).problem).toBeUndefined();
  expect(parseMessages(nested(200_000)).problem).toBe(
    "The text has more than 200 lists and objects in each other. Remove some.",
  );
  expect(parseMessages(JSON.stringify([{ role: "user", content: "[{".repeat(300) }])).problem).toBeUndefined();
});

test("the values of a rendering follow from the choices", () => {
  const facts = factsOf("{{ messages }}{{ bos_token }}{{ tools }}{% if enable_thinking %}{% endif %}{{ date }}");
  const tokens = { bos_token: "<s>", eos_token: "" };
  const plain = prepareInput("t", {}, facts, tokens).input;
  // llama.cpp sets enable_thinking.
  expect(plain?.variables).toEqual({ ...tokens, enable_thinking: true });
  expect([plain?.tools, plain?.addGenerationPrompt]).toEqual([undefined, true]);
  const chosen = prepareInput(
    "t",
    { conversation: "tools", noPrompt: true, variables: { date: '"1 May"', unread: "1", enable_thinking: "false" } },
    facts,
    tokens,
  );
  expect(chosen.input?.variables).toEqual({ ...tokens, enable_thinking: false, date: "1 May" });
  expect([chosen.input?.tools?.length, chosen.input?.addGenerationPrompt]).toEqual([1, false]);
  expect(prepareInput("t", { conversation: "tools", tools: false }, facts, tokens).input?.tools).toBeUndefined();
  const invalid = prepareInput("t", { conversation: "own", messages: "{}", variables: { date: "x" } }, facts, tokens);
  expect(invalid.input).toBeUndefined();
  expect(invalid.problems.messages).toMatch(/^Expected a list/);
  expect(invalid.problems.variables.get("date")).toMatch(/^This is not valid JSON/);
});

test("variables may have the names of members of all JavaScript objects", () => {
  const template = "{{ constructor }}{{ toString }}{{ hasOwnProperty }}{{ __proto__ }}";
  const facts = factsOf(template);
  expect(prepareInput(template, {}, facts, {}).input?.variables).toEqual({});
  const variables = Object.fromEntries([
    ["constructor", "1"],
    ["__proto__", '"x"'],
  ]);
  const chosen = prepareInput(template, { variables }, facts, {});
  expect(Object.entries(chosen.input?.variables ?? {})).toEqual([
    ["constructor", 1],
    ["__proto__", "x"],
  ]);
  expect(render(template, chosen.input?.variables).rendering?.text).toBe("1x");
  const invalid = prepareInput(template, { variables: Object.fromEntries([["__proto__", "x"]]) }, facts, {});
  expect([...invalid.problems.variables.keys()]).toEqual(["__proto__"]);
});

test("the templates of a file are listed, the default first", () => {
  const names = { elementType: "STRING", slice: () => ["tool_use", "rag"] };
  const rows = [
    row("tokenizer.chat_template.tool_use", "b"),
    row("tokenizer.chat_template", "a"),
    row("tokenizer.chat_template.gone", "c", { mark: "removed" }),
    row("tokenizer.chat_templates", names),
  ];
  const templates = chatTemplates(rows);
  expect(templates.map(({ name, text }) => [name, text])).toEqual([
    ["", "a"],
    ["tool_use", "b"],
  ]);
  expect(missingNames(rows, templates)).toEqual(["rag"]);
  expect(missingNames([], templates)).toEqual([]);
});

test("special tokens give variables, and the id of BOS is found", () => {
  const specialTokens = () => [
    { role: "bos", id: 1, text: "<s>", key: "" },
    { role: "unk", id: 0, text: "<unk>", key: "" },
    { role: "eot", id: 2, text: "<eot>", key: "" },
  ];
  expect(tokenVariables({ specialTokens })).toEqual({ bos_token: "<s>", eos_token: "", unk_token: "<unk>" });
  expect(
    tokenVariables({
      specialTokens: () => {
        throw new Error("too large");
      },
    }),
  ).toEqual({ bos_token: "", eos_token: "" });
  expect(bosIdOf({ specialTokens })).toBe(1);
  expect(bosIdOf({ specialTokens: () => [] })).toBeUndefined();
});

test("the tokenizer says whether BOS is added, or the entries if it cannot be run", () => {
  const models = [
    { name: "llama", spelling: "word-mark", addsBos: true },
    { name: "gpt2", spelling: "byte-letters", addsBos: false },
  ] as const;
  const added = (...ids: number[]) => ({ added: ids });
  expect(addsBos(new Map(), 1, added(1, 2), models)).toBe(true);
  expect(addsBos(new Map([["tokenizer.ggml.model", "llama"]]), 1, added(2), models)).toBe(false);
  expect(addsBos(new Map(), 1, added(), models)).toBe(false);
  expect(addsBos(new Map([["tokenizer.ggml.add_bos_token", true]]), 1, undefined, models)).toBeUndefined();
  const fails = { problem: "unsupported" };
  expect(addsBos(new Map([["tokenizer.ggml.add_bos_token", true]]), 1, fails, models)).toBe(true);
  expect(addsBos(new Map([["tokenizer.ggml.model", "llama"]]), 1, fails, models)).toBe(true);
  const refused = new Map<string, string | boolean>([
    ["tokenizer.ggml.model", "llama"],
    ["tokenizer.ggml.add_bos_token", false],
  ]);
  expect(addsBos(refused, 1, fails, models)).toBe(false);
  expect(addsBos(new Map([["tokenizer.ggml.model", "gpt2"]]), 1, fails, models)).toBe(false);
});

test("a text is a token if the tokenizer makes one of it", async () => {
  const tokenizer = { encode: async (text: string) => new Int32Array(text === "<|im_end|>" ? 1 : text.length) };
  expect(await Promise.all(["<|im_end|>", "<|x|>"].map((text) => isOneToken(text, tokenizer)))).toEqual([true, false]);
  const cannot = {
    encode: () =>
      Promise.reject(
        Object.assign(new Error("The vocabulary has no token for the byte"), {
          name: "GgufError",
          code: "bad-vocabulary",
        }),
      ),
  };
  expect(await isOneToken("<|im_end|>", cannot)).toBe(false);
  const metadata = new Map([["tokenizer.ggml.tokens", { indexOf: (text: string) => ["<|n|>"].indexOf(text) }]]);
  const literals = ["<|im_end|>", "<|x|>", "<|n|>"].map((text) => ({
    text,
    length: text.length,
    place: { line: 1, column: 1 },
  }));
  const unknown = await unknownTokens(
    { metadata } as unknown as Parameters<typeof unknownTokens>[0],
    (text) => isOneToken(text, tokenizer),
    literals,
    new AbortController().signal,
  );
  expect(unknown.map(({ literal, isNormal }) => [literal.text, isNormal])).toEqual([
    ["<|x|>", false],
    ["<|n|>", true],
  ]);
});

test("a text is split at its special tokens, the longest first", () => {
  const token = (id: number, text: string) => ({ id, text, kind: "control" as const });
  const special = new SpecialTokens([token(1, "<a>"), token(2, "<a><b>"), token(3, ""), token(4, "<a")]);
  const pieces = splitAtTokens("x<a><b><a>y<a <", special).map(({ text, token }) => [text, token?.id]);
  expect(pieces).toEqual([
    ["x", undefined],
    ["<a><b>", 2],
    ["<a>", 1],
    ["y", undefined],
    ["<a", 4],
    [" <", undefined],
  ]);
  expect(special.find("<a>")?.id).toBe(1);
  expect(special.find("<b>")).toBeUndefined();
  expect(splitAtTokens("", special)).toEqual([]);
  expect(splitAtTokens("x<a><a>", special, 4).map(({ text }) => text)).toEqual(["x", "<a>", "<a>"]);
  expect(splitAtTokens("x<a><a>", special, 1).map(({ text }) => text)).toEqual(["x<a><a>"]);
});

test("only the beginning of a long text is tokenised", async () => {
  const read: string[] = [];
  const tokenizer = {
    tokenize: async (text: string) => {
      read.push(text);
      return { ids: Int32Array.of(7), offsets: Uint32Array.of(0, text.length) };
    },
    tokens: async () => [{ text: "ab", bytes: new Uint8Array(), type: "control" as const, isSpecial: true }],
  };
  expect(await tokenised("abcd", tokenizer, 2)).toEqual({
    pieces: [{ text: "ab", token: { id: 7, text: "ab", kind: "control" } }, { text: "cd" }],
    count: 1,
  });
  expect(read).toEqual(["ab"]);
});

test("tokens are marked that the tokenizer takes for special ones, whatever their type is", async () => {
  const types = [
    ["normal", true],
    ["normal", false],
    ["user-defined", true],
    ["unknown", true],
  ] as const;
  const tokenizer = {
    tokenize: async () => ({ ids: Int32Array.of(0, 1, 2, 3), offsets: Uint32Array.of(0, 1, 2, 3, 4) }),
    tokens: async (ids: readonly number[]) =>
      ids.map((id) => {
        const [type = "normal" as const, isSpecial = false] = types[id] ?? [];
        return { text: "", bytes: new Uint8Array(), type, isSpecial };
      }),
  };
  expect((await tokenised("abcd", tokenizer, 4)).pieces.map(({ text, token }) => [text, token?.kind])).toEqual([
    ["a", "control"],
    ["b", undefined],
    ["c", "user-defined"],
    ["d", undefined],
  ]);
});

test("many special tokens with the same first character: a position takes one look for each length", () => {
  const tokens = Array.from({ length: 100_000 }, (_, id) => ({ id, text: `<${id}>`, kind: "control" as const }));
  const special = new SpecialTokens(tokens);
  const { result, pieces } = piecesOf(() => splitAtTokens("<".repeat(20_000) + "<99999>", special));
  expect(result.map(({ token }) => token?.id)).toEqual([undefined, 99_999]);
  // The texts have 3 to 7 characters.
  expect(pieces).toBeLessThanOrEqual(5 * 20_001 + 1);
});

test("times are formatted as in Python", () => {
  const time = new Date(2026, 6, 5, 14, 3, 9);
  expect(strftime(time, "%d %b %Y|%B %-d, %y|%A %a|%Y-%m-%d %H:%M:%S|%I %p|%j|%e|%F %T|%%|%Q")).toBe(
    "05 Jul 2026|July 5, 26|Sunday Sun|2026-07-05 14:03:09|02 PM|186| 5|2026-07-05 14:03:09|%|%Q",
  );
});
