/** The logic of the chat template panel that needs no page. */

import { expect, test } from "@playwright/test";
import { keepChoicesIn } from "../../../www/src/ui/choices.ts";
import { locationHash } from "../../../www/src/app/location-hash.ts";
import type { ShownEntry } from "../../../www/src/gguf/shown-file.ts";
import { familyPlaces } from "../../../www/src/template/family-places.ts";
import { hubTemplates, templatesOfEntries, templatesOfJson } from "../../../www/src/template/other-templates.ts";
import { parseMessages } from "../../../www/src/template/own-messages.ts";
import { prepareInput } from "../../../www/src/template/render-input.ts";
import {
  isOneToken,
  SpecialTokens,
  splitAtTokens,
  tokenised,
  unknownTokens,
} from "../../../www/src/template/rendered-tokens.ts";
import { comparedConversation, comparisonHeadline } from "../../../www/src/template/rendering-differences.ts";
import { requestParts, requestText } from "../../../www/src/template/request-body.ts";
import { offeredSamples, SAMPLE_CONVERSATIONS } from "../../../www/src/template/sample-conversations.ts";
import { readSaved, storeSaved, withoutSaved, withSaved } from "../../../www/src/template/saved-conversations.ts";
import { chatTemplates, missingNames } from "../../../www/src/template/template-list.ts";
import {
  TEMPLATE_STATE_FIELDS,
  type TemplateState,
  withoutDefaults,
} from "../../../www/src/template/template-state.ts";
import { addedTokens, addsBos, bosIdOf, tokenVariables } from "../../../www/src/template/token-variables.ts";

const { parse, format } = locationHash([{ name: "template", stateFields: TEMPLATE_STATE_FIELDS }]);

/** The facts about a template that reads some variables. */
const reading = (...names: string[]) => ({
  variables: names.map((name) => ({ name, isSwitch: false, values: [] })),
  tests: [],
  addresses: [],
  long: [],
  tokens: [],
});

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
  // A comparison with the default template has a mark, because the name of this template is empty.
  for (const against of ["", "rag"])
    expect(parse(format({ template: { against } }))).toEqual({ template: { against } });
  expect(format({ template: { conversation: "tools", tools: false } })).toBe(
    "#template.conversation=tools&template.tools=off",
  );
  expect(parse("#template.conversation=unknown&template.prompt=2&template.tools=2&template.set=x")).toEqual({});
  expect(JSON.stringify(withoutDefaults({ variables: { b: "1", a: "2" } }))).toBe('{"variables":{"a":"2","b":"1"}}');
  // A sample that has no prompt by itself may get one.
  for (const [noPrompt, text] of [
    [true, ""],
    [false, "&template.prompt=on"],
  ] as const)
    expect(format({ template: { conversation: "ended", noPrompt } })).toBe(`#template.conversation=ended${text}`);
  expect(parse("#template.conversation=ended&template.prompt=on")).toEqual({
    template: { conversation: "ended", noPrompt: false },
  });
  // Messages that are too long for an address are left out.
  expect(format({ template: { conversation: "own", messages: `["${"x".repeat(600)}"]` } })).toBe(
    "#template.conversation=own",
  );
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

test("what llama-server gets follows from the choices", () => {
  const facts = reading("messages", "bos_token", "tools", "enable_thinking", "date");
  const tokens = { bos_token: "<s>", eos_token: "" };
  const prepared = (state: TemplateState) => prepareInput(state, facts, tokens);
  const contextOf = (state: TemplateState) => JSON.parse(prepared(state).conversations[0]?.context ?? "") as object;
  const messages = [{ role: "user", content: "What is the capital of France?" }];
  expect(contextOf({})).toEqual({ messages, ...tokens });
  const variables = { date: '"1 May"', unread: "1", enable_thinking: "false" };
  expect(contextOf({ conversation: "tools", noPrompt: true, variables })).toMatchObject({
    ...tokens,
    add_generation_prompt: false,
    tools: [{ type: "function" }],
    date: "1 May",
    enable_thinking: false,
  });
  expect(contextOf({ variables })).not.toHaveProperty("unread");
  expect(contextOf({ conversation: "tools", tools: false })).not.toHaveProperty("tools");
  const invalid = prepared({ conversation: "own", messages: "{}", variables: { date: "x" } });
  expect(invalid.conversations).toEqual([]);
  expect(invalid.problems.messages).toMatch(/^Expected a list/);
  expect(invalid.problems.variables.get("date")).toMatch(/^This is not valid JSON/);
});

test("all conversations are prepared, with one's own if there are any", () => {
  const ids = (state: TemplateState) =>
    prepareInput({ conversation: "all", ...state }, undefined, { bos_token: "", eos_token: "" }).conversations.map(
      ({ id }) => id,
    );
  const samples = SAMPLE_CONVERSATIONS.map(({ id }) => id);
  expect(ids({})).toEqual(samples);
  expect(ids({ messages: "[]" })).toEqual([...samples, "own"]);
  const saved = [{ name: "Mine", messages: "[1]", tools: "[]" }];
  const withSavedOnes = (messages: string) =>
    prepareInput(
      { conversation: "all", messages, ownTools: "[]" },
      reading("messages"),
      { bos_token: "", eos_token: "" },
      saved,
    ).conversations;
  const offered = offeredSamples(reading("messages")).map(({ id }) => id);
  // One's own messages that are kept are shown once.
  expect(withSavedOnes("[1]").map(({ id }) => id)).toEqual([...offered, "saved-0"]);
  expect(withSavedOnes("[]").map(({ title }) => title)).toEqual([
    ...offeredSamples(reading("messages")).map(({ title }) => title),
    "Mine",
    "Own messages",
  ]);
  expect(withSavedOnes("[1]").at(-1)?.context).toContain('"messages":[1],"tools":[]');
  const lacking = withSavedOnes("[1]").filter(({ context }) => context.includes('"add_generation_prompt":false'));
  expect(lacking.map(({ id }) => id)).toEqual(["ended"]);
});

test("a sample is offered if the template makes something of it", () => {
  const offered = (facts: Partial<ReturnType<typeof reading>>, shown?: string) =>
    offeredSamples({ ...reading("messages"), ...facts } as never, shown).map(({ id }) => id);
  const always = ["plain", "system", "turns", "no-system", "empty-system", "ended", "unicode"];
  const ofTools = ["tools", "tool-result", "parallel-calls", "tool-error"];
  expect(offered({})).toEqual(always);
  expect(offered({}, "image")).toEqual([...always, "image"]);
  expect(offered(reading("tools"))).toEqual([...always, ...ofTools]);
  const tests = (expression: string, ...values: string[]) => ({ tests: [{ expression, values }] as never });
  expect(offered(tests("message.role", '"tool"'))).toEqual([...always, ...ofTools]);
  expect(offered(tests("part.type", '"image"'))).toEqual([...always, "image"]);
  expect(offered(reading("enable_thinking"))).toEqual([...always, "thinking"]);
});

test("a request of a program becomes a conversation, and numbers stay as they are", () => {
  const messages = '[ {"role": "user", "content": "a \\"b\\" ], }", "n": 9007199254740993} ]';
  const text = `{"model": "x", "nested": {"messages": 1}, "messages": ${messages} ,
    "tools": [{"a": 1.0}], "chat_template_kwargs": {"enable_thinking": false, "n": 1.0}, "stream": true}`;
  expect(requestParts(text)).toEqual({
    messages,
    tools: '[{"a": 1.0}]',
    variables: { enable_thinking: "false", n: "1.0" },
  });
  expect(requestParts(requestText(messages, "[1]"))).toEqual({ messages, tools: "[1]", variables: {} });
  expect(requestParts('{"messages":[],"tools":null}')).toEqual({ messages: "[]", tools: undefined, variables: {} });
  for (const other of ["[]", "{}", '{"messages": [', "5", '"{}"']) expect(requestParts(other), other).toBeUndefined();
  // The tools of the own conversation take the place of the sample tools.
  const { conversations, problems } = prepareInput(
    { conversation: "own", messages: "[]", ownTools: '[{"n": 1.0}]' },
    undefined,
    { bos_token: "", eos_token: "" },
  );
  expect(conversations[0]?.context).toContain('"tools":[{"n": 1.0}]');
  expect(problems.tools).toBeUndefined();
  const invalid = prepareInput({ conversation: "own", messages: "[]", ownTools: "{}" }, undefined, {
    bos_token: "",
    eos_token: "",
  });
  expect(invalid.conversations).toEqual([]);
  expect(invalid.problems.tools).toBe("Expected a list of tools.");
});

test("conversations are kept under their names, within bounds", () => {
  const stored = new Map<string, string>();
  keepChoicesIn(
    () =>
      ({
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => void stored.set(key, value),
      }) as unknown as Storage,
  );
  expect(readSaved()).toEqual([]);
  const add = (name: string, messages = "[]") => withSaved(readSaved(), { name, messages });
  const keep = (name: string) => {
    const all = add(name);
    if (!("problem" in all)) storeSaved(all);
  };
  keep(" b ");
  keep("a");
  keep("b");
  expect(readSaved()).toEqual([
    { name: "a", messages: "[]" },
    { name: "b", messages: "[]" },
  ]);
  expect(withoutSaved(readSaved(), "a").map(({ name }) => name)).toEqual(["b"]);
  expect(add("  ")).toEqual({ problem: "Type a name for the conversation." });
  expect(add("long", "x".repeat(500_000))).toHaveProperty("problem", expect.stringMatching(/at most 500,000 are kept/));
  for (let at = 0; at < 50; at += 1) keep(`c${at}`);
  expect(readSaved()).toHaveLength(40);
  expect(add("one more")).toHaveProperty("problem", expect.stringMatching(/^At most 40 conversations/));
  // What another program has stored is not trusted.
  stored.set("template-conversations", '[null, {"name": 5}, {"name": "x", "messages": "[]", "tools": 7}]');
  expect(readSaved()).toEqual([{ name: "x", messages: "[]" }]);
  stored.set("template-conversations", "{");
  expect(readSaved()).toEqual([]);
});

test("a choice for which the storage has no room lasts as long as the page", () => {
  const stored = new Map([["template-conversations", '[{"name": "old", "messages": "[]"}]']]);
  let isFull = true;
  keepChoicesIn(
    () =>
      ({
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => {
          if (isFull) throw new DOMException("full", "QuotaExceededError");
          stored.set(key, value);
        },
      }) as unknown as Storage,
  );
  const names = () => readSaved().map(({ name }) => name);
  expect(names()).toEqual(["old"]);
  storeSaved([{ name: "new", messages: "[]" }]);
  expect(names()).toEqual(["new"]);
  isFull = false;
  storeSaved([{ name: "stored", messages: "[]" }]);
  expect(names()).toEqual(["stored"]);
  stored.set("template-conversations", '[{"name": "of another page", "messages": "[]"}]');
  expect(names()).toEqual(["of another page"]);
});

test("the family of a model is what its file says about its origin", () => {
  expect(
    familyPlaces(
      new Map<string, string>([
        ["general.repo_url", "https://huggingface.co/me/quantized"],
        ["general.base_model.0.repo_url", "https://huggingface.co/org/Base-1.0"],
        ["general.base_model.1.repo_url", "https://github.com/org/code"],
        ["general.base_model.2.repo_url", "https://huggingface.co/datasets/org/data"],
        ["general.source.repo_url", "https://huggingface.co/ORG/base-1.0"],
        ["general.source.huggingface.repository", "org/Other"],
      ]),
    ),
  ).toEqual(["ORG/base-1.0", "org/Other", "me/quantized"]);
  expect(familyPlaces(new Map())).toEqual([]);
});

test("the templates of a revision and of a folder are asked for there", async () => {
  const asked = async (place: string) => {
    const urls: string[] = [];
    await hubTemplates(place, {
      headers: undefined,
      signal: new AbortController().signal,
      fetch: (url) => {
        urls.push(url);
        return Promise.resolve(new Response("{{ x }}"));
      },
    });
    return urls;
  };
  const at = "https://huggingface.co/org/base/resolve";
  expect(await asked("org/base")).toEqual([`${at}/main/chat_template.jinja`]);
  expect(await asked("org/base@v2")).toEqual([`${at}/v2/chat_template.jinja`]);
  expect(await asked("org/base@refs%2Fpr%2F1/a b")).toEqual([`${at}/refs%2Fpr%2F1/a%20b/chat_template.jinja`]);
  expect(await asked("org/base/part/small")).toEqual([`${at}/main/part/small/chat_template.jinja`]);
  expect(await asked("spaces/org/base@v2")).toEqual([
    "https://huggingface.co/spaces/org/base/resolve/v2/chat_template.jinja",
  ]);
});

test("the templates of a repository are read from the first file that has them", async () => {
  const ask = async (files: Record<string, string | number>, headers?: HeadersInit) => {
    const asked: string[] = [];
    const inits: RequestInit[] = [];
    const found = await hubTemplates("org/base", {
      headers,
      signal: new AbortController().signal,
      fetch: (url, init) => {
        const name = url.replace("https://huggingface.co/org/base/resolve/main/", "");
        asked.push(name);
        inits.push(init);
        const file = files[name] ?? 404;
        return Promise.resolve(typeof file === "number" ? new Response(null, { status: file }) : new Response(file));
      },
    });
    return { found, asked, inits };
  };
  const template = (text: string, name = "") => ({ title: "org/base", templates: [{ name, text }] });
  const first = await ask({ "chat_template.jinja": "{{ x }}" }, { Authorization: "Bearer t", Other: "no" });
  expect(first.found).toEqual(template("{{ x }}"));
  expect(first.asked).toEqual(["chat_template.jinja"]);
  // A redirect may lead elsewhere. Browsers remove only this header then.
  expect(first.inits[0]).toMatchObject({ redirect: "follow", headers: { Authorization: "Bearer t" } });
  expect(first.inits[0]?.headers).not.toHaveProperty("Other");
  const second = await ask({ "tokenizer_config.json": '{"chat_template": "a"}' });
  expect(second.found).toEqual(template("a"));
  expect(second.asked).toEqual(["chat_template.jinja", "tokenizer_config.json"]);
  expect((await ask({ "tokenizer_config.json": "{}", "chat_template.json": '{"chat_template": "b"}' })).found).toEqual(
    template("b"),
  );
  const codeOf = async (files: Record<string, string | number>) => {
    const { found } = await ask(files);
    return "failure" in found ? found.failure.code : undefined;
  };
  expect(await codeOf({})).toBe("no-template");
  expect(await codeOf({ "chat_template.jinja": 401 })).toBe("repository-denied");
  expect(await codeOf({ "chat_template.jinja": 403 })).toBe("repository-denied");
  expect(await codeOf({ "chat_template.jinja": 429 })).toBe("rate-limited");
  expect(await codeOf({ "chat_template.jinja": 500 })).toBe("http");
  expect(await codeOf({ "tokenizer_config.json": "<html>" })).toBe("bad-response");
  expect(await codeOf({ "chat_template.jinja": "x".repeat(2_000_001) })).toBe("limit-exceeded");

  expect(
    templatesOfJson(
      '{"chat_template": [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}, 5]}',
    ),
  ).toEqual([
    { name: "", text: "d" },
    { name: "tool_use", text: "t" },
  ]);
  expect(templatesOfJson("[]")).toEqual([]);
  expect(
    templatesOfEntries(
      new Map<string, string>([
        ["tokenizer.chat_template.rag", "r"],
        ["tokenizer.chat_template", "d"],
        ["tokenizer.chat_templates", "x"],
      ]),
    ),
  ).toEqual([
    { name: "", text: "d" },
    { name: "rag", text: "r" },
  ]);
});

test("two templates are compared by what they make of each conversation", () => {
  const rendering = (text: string, isCurrent = true) => ({
    result: { rendering: { text, isCut: false, notes: [] } },
    isCurrent,
  });
  const refusal = (message: string, line = 1) => ({
    result: { problem: { kind: "refused" as const, message, place: { line, column: 1 } } },
    isCurrent: true,
  });
  type Shown = Parameters<typeof comparedConversation>[1];
  const compare = (one: Shown, other: Shown) => comparedConversation({ id: "", title: "" }, one, other);
  expect(compare(rendering("a"), rendering("a")).state).toBe("same");
  expect(compare(rendering("a"), rendering("b")).state).toBe("differs");
  expect(compare(rendering("a"), rendering("b", false)).state).toBe("open");
  expect(compare(refusal("no"), refusal("no", 2)).state).toBe("same");
  expect(compare(refusal("no"), rendering("no")).state).toBe("differs");
  const [same, differs] = [compare(rendering("a"), rendering("a")), compare(rendering("a"), rendering("b"))];
  const open = compare(rendering("a"), { result: undefined, isCurrent: false });
  expect(comparisonHeadline([same, differs, same])).toBe("Differs in 1 of 3 conversations.");
  expect(comparisonHeadline([same, same])).toBe("Both templates make the same text of all 2 conversations.");
  expect(comparisonHeadline([open, differs])).toBe("Rendering 2 conversations: 1 to go.");
  const refused = compare(rendering("a"), refusal("no such filter"));
  expect(comparisonHeadline([refused, refused])).toBe(
    "The other template is refused in all 2 conversations: no such filter",
  );
  expect(comparisonHeadline([refused, same])).toBe("Differs in 1 of 2 conversations.");
});

test("JSON of a person reaches llama-server as it is", () => {
  const messages = '[{"role":"user","content":"x","n":9007199254740993}]';
  const variables = { date: "1.0" };
  const { conversations } = prepareInput({ conversation: "own", messages, variables }, reading("date"), {
    bos_token: "",
    eos_token: "",
  });
  expect(conversations[0]?.context).toBe(`{"messages":${messages},"bos_token":"","eos_token":"","date":1.0}`);
});

test("variables may have the names of members of all JavaScript objects", () => {
  const facts = reading("constructor", "toString", "hasOwnProperty", "__proto__");
  const tokens = { bos_token: "", eos_token: "" };
  const contextOf = (variables: Record<string, string>) =>
    prepareInput({ variables }, facts, tokens).conversations[0]?.context;
  expect(contextOf({})).toMatch(/"eos_token":""\}$/);
  const variables = Object.fromEntries([
    ["constructor", "1"],
    ["__proto__", '"x"'],
  ]);
  expect(contextOf(variables)).toMatch(/"constructor":1,"__proto__":"x"\}$/);
  const invalid = prepareInput({ variables: Object.fromEntries([["__proto__", "x"]]) }, facts, tokens);
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
  expect(tokenVariables({ specialTokens })).toEqual({ bos_token: "<s>", eos_token: "" });
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

test("the tokens that are dropped are those that the tokenizer adds, or the edited entries", () => {
  const specialTokens = () => [
    { role: "bos", id: 1, text: "<s>", key: "" },
    { role: "eos", id: 2, text: "</s>", key: "" },
  ];
  const file = (entries: [string, boolean][] = []) => ({ metadata: new Map<string, boolean>(entries), specialTokens });
  const stored = file();
  const added = (ids: number[] | undefined, edited = stored) =>
    addedTokens({ stored, metadata: edited.metadata, tokenizer: ids && { added: ids } }, []);
  expect(added(undefined)).toEqual({ bos: undefined, eos: undefined });
  expect(added([1])).toEqual({ bos: true, eos: false });
  expect(added([1, 2])).toEqual({ bos: true, eos: true });
  expect(added([1], file([["tokenizer.ggml.add_eos_token", true]]))).toEqual({ bos: true, eos: true });
  expect(added([1], file([["tokenizer.ggml.add_bos_token", false]]))).toEqual({ bos: false, eos: false });
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
    added: [1],
    tokenize: async (text: string) => {
      read.push(text);
      return { ids: Int32Array.of(7), offsets: Uint32Array.of(0, text.length) };
    },
    tokens: async () => [{ text: "ab", bytes: new Uint8Array(), type: "control" as const, isSpecial: true }],
  };
  expect(await tokenised("abcd", tokenizer, 2)).toEqual({
    pieces: [{ text: "ab", token: { id: 7, text: "ab", kind: "control" } }, { text: "cd" }],
    count: 1,
    added: 1,
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
    added: [],
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
