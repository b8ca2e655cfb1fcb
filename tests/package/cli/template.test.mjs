// `gguf-wasm template`: prints, lists, renders and checks chat templates.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import "gguf-wasm/template";
import { completeModel, installCommandLine, modelBytes } from "./command-line.mjs";

const cli = await installCommandLine();

/** Writes role and content of each message, tools, and a variable. It ends with a line feed. */
const TEMPLATE =
  "{% for m in messages %}{{ m.role }}: {{ m.content }}</s>\n{% endfor %}" +
  "{% if tools %}{% set f = tools[0].function %}{{ f.name }} {{ f.parameters.a }} {{ f.parameters.b }}\n{% endif %}{{ level }}" +
  "{% if enable_thinking is defined and not enable_thinking %}no thoughts\n{% endif %}" +
  "{% if add_generation_prompt %}assistant:{% endif %}{{ '\\n\\n' }}\n";

const { folder, path: model } = await cli.newModel(
  await withTemplates({ "": TEMPLATE, tool_use: "{{ tools | length }} tools{{ messages[0].content }}" }),
);

/** The bytes of a model with chat templates. @param {Record<string, string>} templates The names are keys. */
async function withTemplates(templates) {
  const editor = (await Gguf.open(await completeModel())).edit();
  editor.set("tokenizer.ggml.bos_token_id", 1);
  // The vocabulary has no token for a space.
  editor.set("tokenizer.ggml.add_space_prefix", false);
  for (const [name, template] of Object.entries(templates)) {
    editor.set(`tokenizer.chat_template${name && `.${name}`}`, template);
  }
  return new Uint8Array(await new Response(editor.plan().stream()).arrayBuffer());
}

/** Writes a file into the folder. @param {string} name @param {unknown} content A text, or a value that becomes JSON. */
async function file(name, content) {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const HELLO = await file("hello.json", [{ role: "user", content: "a" }]);
const TOOLS = '[{"type": "function", "function": {"name": "add", "parameters": {"a": 1.0, "b": 9007199254740993}}}]';

/** Runs the command, which must succeed. @param {string[]} args @param {string} [notes] What the standard error has. */
async function printed(args, notes = "") {
  const { code, stdout, stderr } = await cli.run(["template", ...args]);
  assert.deepEqual([code, stderr], [0, notes], args.join(" "));
  return stdout;
}

describe("stored templates", () => {
  test("the default one and one by its name, exactly", async () => {
    assert.equal(await printed([model]), TEMPLATE);
    assert.match(await printed([model, "--name", "tool_use"]), /^\{\{ tools \| length \}\} tools.*\}\}$/);
    assert.deepEqual(await cli.json(["template", model]), {
      file: model,
      name: "default",
      key: "tokenizer.chat_template",
      text: TEMPLATE,
    });
  });

  test("their names", async () => {
    assert.equal(await printed([model, "--list"]), "default\ntool_use\n");
    const { templates } = await cli.json(["template", model, "-l"]);
    assert.deepEqual(templates[0], { name: "default", key: "tokenizer.chat_template", length: TEMPLATE.length });
    assert.equal(templates[1].key, "tokenizer.chat_template.tool_use");
  });

  test("one that the file does not have", async () => {
    const wrong = await cli.run(["template", model, "--name", "rag"]);
    assert.deepEqual([wrong.code, wrong.stdout], [3, ""]);
    assert.match(
      wrong.stderr,
      /no chat template "rag"\. The file has "default", "tool_use"\..*\(no-chat-template\)\n$/,
    );
    const { path } = await cli.newModel(await modelBytes());
    assert.equal(await printed([path, "--list"]), "");
    for (const args of [[], ["--check"]]) {
      const none = await cli.run(["template", path, ...args]);
      assert.deepEqual([none.code, none.stdout], [3, ""]);
      assert.match(
        none.stderr,
        /no chat templates\. llama\.cpp uses ChatML then: <\|im_start\|>.*\(no-chat-template\)\n$/,
      );
    }
    const { error } = await cli.json(["template", path], 3);
    assert.deepEqual([error.code, error.file], ["no-chat-template", path]);
  });
});

describe("--render", () => {
  test("a list of messages", async () => {
    assert.equal(await printed([model, "--render", HELLO]), "user: a</s>\nassistant:\n\n");
    const args = [model, "--render", HELLO, "--no-generation-prompt", "--no-thinking"];
    assert.equal(await printed(args), "user: a</s>\nno thoughts\n\n\n");
  });

  test("tools and variables, whose numbers keep their form", async () => {
    const tools = await file("tools.json", TOOLS);
    const variables = await file("variables.json", '\ufeff{"level": 1.0}');
    const options = ["--tools", tools, "--variables", variables];
    const { code, stdout, stderr } = await cli.run([
      ...["template", model, "--render", HELLO, "--name", "default"],
      ...options,
    ]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "user: a</s>\nadd 1.0 9007199254740993\n1.0assistant:\n\n");
    // As llama-server, the command chooses the template for tools.
    const chosen = await cli.run(["template", model, "--render", HELLO, "--tools", tools]);
    assert.equal(chosen.stdout, "1 toolsa");
  });

  test("a request, and what options give in place of its members", async () => {
    const kwargs = '{"level": 9007199254740993, "a\\"}": [{"b": ","}]}';
    const messages = '[{"role": "user", "content": "}],[{\\\\\\""}]';
    const request = await file(
      "request.json",
      `{"model": "x", "stop": ["]", {"messages": 1}], "messages": [], "messages" : ${messages} ,\n` +
        `"tools": null, "chat_template_kwargs": ${kwargs}, "add_generation_prompt": false}`,
    );
    const text = await printed([model, "--render", request]);
    assert.equal(text, 'user: }],[{\\"</s>\n9007199254740993\n\n');
    const variables = await file("level.json", { level: "high" });
    const other = await printed([model, "--render", request, "--variables", variables]);
    assert.equal(other, 'user: }],[{\\"</s>\nhigh\n\n');
    const withTools = await file("with-tools.json", `{"messages": ${messages}, "tools": ${TOOLS}}`);
    assert.equal((await cli.run(["template", model, "--render", withTools])).stdout, '1 tools}],[{\\"');
  });

  test("messages from the standard input, and another template", async () => {
    const template = await file("other.jinja", "{{ messages[-1].content }} in {{ strftime_now('%Y') }}");
    const args = ["template", model, "--render", "-", "--template-file", template, "--now", "2031-08-01"];
    const { code, stdout, stderr } = await cli.run(args, { input: '[{"role": "user", "content": "é"}]' });
    assert.deepEqual([code, stdout, stderr], [0, "é in 2031", ""]);
  });

  test("what llama-server changes is told on the standard error, and with --json in the result", async () => {
    const messages = await file("developer.json", [{ role: "developer", content: "a" }]);
    const { stdout, stderr } = await cli.run(["template", model, "--render", messages]);
    assert.match(stdout, /^system: a/);
    assert.match(stderr, /^gguf-wasm: The role `developer` became `system`\. \(developer-renamed\)\n/);
    const { code, ...json } = await cli.run(["template", model, "--render", messages, "--json"]);
    assert.deepEqual([code, json.stderr], [0, ""]);
    const { file: name, text, parts, notes, tokens } = JSON.parse(json.stdout);
    assert.deepEqual([name, text, tokens], [model, stdout, undefined]);
    assert.equal(notes[0].code, "developer-renamed");
    assert.equal(parts.map((/** @type {{ text: string }} */ { text }) => text).join(""), text);
    assert.ok(parts.some((/** @type {object} */ part) => JSON.stringify(part) === '{"text":"a","isInput":true}'));
  });

  test("a file without a template gets ChatML", async () => {
    const { path } = await cli.newModel(await completeModel());
    const notes = "gguf-wasm: The file has no chat template, so ChatML is used, as in llama.cpp. (chatml-used)\n";
    assert.equal(
      await printed([path, "--render", HELLO], notes),
      "<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\n",
    );
    const named = await cli.newModel(await withTemplates({ rag: "{{ messages[0].content }}" }));
    assert.match(await printed([named.path, "--render", HELLO], notes), /^<\|im_start\|>user\na/);
    assert.equal(await printed([named.path, "--render", HELLO, "--name", "rag"]), "a");
  });

  test("--tokens prints what `tokenize` prints for the text", async () => {
    const template = ["--template-file", await file("tokens.jinja", "{{ messages[0].content }}</s>ab")];
    const text = await file("rendered.txt", await printed([model, "--render", HELLO, ...template]));
    const { stdout } = await cli.succeed(["tokenize", model, "--text-file", text]);
    assert.equal(
      stdout,
      'ID  TOKEN   TEXT\n 1  "<s>"   ""\n 3  "a"     "a"\n 2  "</s>"  "</s>"\n 3  "a"     "a"\n 4  "b"     "b"\n',
    );
    assert.equal(await printed([model, "--render", HELLO, ...template, "--tokens"]), stdout);
    const expected = await cli.json(["tokenize", model, "--text-file", text]);
    const { count, ids, tokens } = await cli.json(["template", model, "--render", HELLO, ...template, "--tokens"]);
    assert.deepEqual({ count, ids, tokens }, { count: expected.count, ids: expected.ids, tokens: expected.tokens });
  });
});

describe("--check", () => {
  /** @param {string} name @param {string} template @param {string[]} [options] */
  async function checked(name, template, options = []) {
    const args = ["template", model, "--check", "--template-file", await file(name, template), ...options];
    return { ...(await cli.run(args)), json: async (/** @type {number} */ code) => cli.json(args, code) };
  }

  test("a good template, and what it takes", async () => {
    const good =
      "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}";
    const { code, stdout, json } = await checked("good.jinja", good, ["--strict"]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /good\.jinja: llama\.cpp accepts the chat template\.\nno problems found\n/);
    assert.match(stdout, /^system messages +yes\ndescriptions of tools +no$/m);
    const { loads, isValid, findings, capabilities } = await json(0);
    assert.deepEqual([loads.answer, isValid, findings], ["yes", true, []]);
    assert.deepEqual([capabilities.systemRole, capabilities.tools], [true, false]);
  });

  test("warnings are errors only with --strict", async () => {
    const template =
      "{{ bos_token }}{% for m in messages %}{% if m.role != 'system' %}{{ m.content }}<|end|>{% endif %}{% endfor %}" +
      "<!-- https://example.com/\u001b[2J -->";
    const { code, stdout, json } = await checked("odd.jinja", template);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^0 errors, 3 warnings, 1 note$/m);
    assert.match(stdout, /^warning +system-unused +The system message is not used\.$/m);
    assert.match(stdout, /^ +The text begins with <s>, and programs put the same token before each text/m);
    assert.match(stdout, /^ +<\|end\|> \(line 1\) is not a token/m);
    assert.match(stdout, /^info +address +The template contains addresses\.\n +https:\/\/example\.com\/\\u\{1b\}/m);
    const { findings } = await json(0);
    assert.deepEqual(
      findings.map((/** @type {{ code: string }} */ { code }) => code),
      ["system-unused", "bos-twice", "token-unknown", "address"],
    );
    assert.equal((await checked("odd.jinja", template, ["--strict"])).code, 1);
  });

  test("errors: messages that are not used, and a template that llama.cpp refuses", async () => {
    const unused = await checked("unused.jinja", "Hello");
    assert.equal(unused.code, 1);
    assert.match(unused.stdout, /^error +messages-unused +Messages are not used\.$/m);
    const refused = await checked("refused.jinja", "a\n{% if b %}c");
    assert.equal(refused.code, 1);
    assert.match(
      refused.stdout,
      /refused\.jinja: llama\.cpp refuses the chat template\.\n1 error, 0 warnings, 0 notes\n/,
    );
    assert.match(refused.stdout, /^ +Line 2, column 1[0-9]: /m);
    const { loads, isValid, findings, capabilities } = await refused.json(1);
    assert.deepEqual([loads.answer, isValid, capabilities], ["no", false, undefined]);
    assert.equal(findings[0].line, 2);
  });

  test("a template of the file, also without a vocabulary", async () => {
    const editor = (await Gguf.open(await modelBytes())).edit();
    editor.set("tokenizer.chat_template", "{{ messages[-1].content }}<|end|>");
    const { path } = await cli.newModel(new Uint8Array(await new Response(editor.plan().stream()).arrayBuffer()));
    const { code, stdout } = await cli.run(["template", path, "--check"]);
    assert.equal(code, 1);
    assert.match(stdout, /accepts the chat template "default"\.\n/);
    assert.doesNotMatch(stdout, /token-unknown|bos-twice/);
    const { name, key } = await cli.json(["template", path, "--check"], 1);
    assert.deepEqual([name, key], ["default", "tokenizer.chat_template"]);
  });
});

describe("failures: exit code 3", () => {
  test("files that are missing or have something else", async () => {
    const messages = await file("object.json", { prompt: "a" });
    /** @type {[string[], RegExp][]} */
    const cases = [
      [
        ["--render", join(folder, "helo.json")],
        /helo\.json: there is no such file.*Did you mean .*hello\.json\? \(ENOENT\)/,
      ],
      [["--render", folder], /it is a folder\..*\(EISDIR\)/],
      [
        ["--render", await file("no.json", "[{]")],
        /no\.json: it is not JSON, expected \[\{ "role": "user".*\(bad-json\)/,
      ],
      [["--render", messages], /object\.json: it has another value than .*"messages" \(bad-json\)|\(bad-json\)/],
      [
        ["--render", HELLO, "--tools", messages],
        /object\.json: it has another value than \[\{ "type": "function".*\(bad-json\)/,
      ],
      [
        ["--render", HELLO, "--variables", HELLO],
        /hello\.json: it has another value than \{ "reasoning_effort".*\(bad-json\)/,
      ],
      [["--render", await file("no-role.json", [{}])], /no-role\.json: .*\(template-conversation\)/],
      [["--render", HELLO, "--template-file", join(folder, "x.jinja")], /x\.jinja: .*\(ENOENT\)/],
      [["--render", HELLO, "--name", "rag"], /The file has "default", "tool_use"\..*\(no-chat-template\)/],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await cli.run(["template", model, ...args]);
      assert.deepEqual([code, stdout], [3, ""], args.join(" "));
      assert.match(stderr, message);
      assert.match(stderr, /^gguf-wasm: .*\n$/, "one line");
    }
  });

  test("templates that fail: the code, the file and the position", async () => {
    /** @type {[string, string, number, number][]} */
    const cases = [
      ["{{ a", "template-syntax", 1, 4],
      ["a\n{{ 1 + {} }}", "template-render", 2, 6],
      ["{{ raise_exception('No \u001b[2J') }}", "template-raised", 1, 19],
      ["{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}", "template-limit", 1, 45],
    ];
    for (const [template, code, line, column] of cases) {
      const path = await file("failing.jinja", template);
      const args = ["template", model, "--render", HELLO, "--template-file", path];
      const { error } = await cli.json(args, 3);
      assert.deepEqual([error.code, error.file, error.line, error.column], [code, path, line, column]);
      const { stderr } = await cli.run(args);
      assert.ok(stderr.startsWith(`gguf-wasm: ${path}: `), stderr);
      assert.ok(stderr.endsWith(` (line ${line}, column ${column}) (${code})\n`), stderr);
      assert.ok(!stderr.includes("\u001b"));
    }
  });
});

test("wrong use: exit code 2", async () => {
  /** @type {[string[], RegExp][]} */
  const cases = [
    [["--tokens"], /--tokens is only for --render\./],
    [["--check", "--tools", HELLO], /--tools is only for --render\./],
    [["--render", HELLO, "--strict"], /--strict is only for --check\./],
    [["--template-file", HELLO], /--template-file is only for --render and --check\./],
    [["--list", "--check"], /--list and --check cannot be given together\./],
    [["--list", "--name", "x"], /--name cannot be given with it\./],
    [["--check", "--name", "x", "--template-file", HELLO], /The template is given twice/],
    [["--render", HELLO, "--now", "2026-02-31"], /expected a time such as 2026-08-01/],
    [["--render", HELLO, "--now", "2026-13-01"], /expected a time such as 2026-08-01/],
    [["--render", HELLO, "--now", "2026-Aug-1"], /expected a time such as 2026-08-01/],
    [["--render", HELLO, "--now", "yesterday"], /--now is "yesterday", expected a time such as 2026-08-01/],
    [["--render", "-", "--tools", "-"], /--render and --tools are the standard input, which can be one file only\./],
    [[HELLO], /is one too many\. --name NAME chooses a template, and --render PATH renders/],
    [["--chat-template-kwargs", "{}"], /`template` has --variables PATH/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await cli.run(["template", model, ...args]);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
  }
});

test("a terminal obeys no control character of a template or a conversation; a program gets them as they are", async () => {
  const { path } = await cli.newModel(await withTemplates({ "": "\u001b[2J\u009b{{ messages[0].content }}" }));
  const messages = await file("hostile.json", [{ role: "user", content: "a\u001b[2J\u202e\n" }]);
  const env = { NODE_OPTIONS: "--import=data:text/javascript,process.stdout.isTTY=true" };
  for (const [args, plain, shown] of /** @type {const} */ ([
    [[], "\u001b[2J\u009b{{", "\\u{1b}[2J\\u{9b}{{"],
    [["--render", messages], "\u001b[2J\u009ba\u001b[2J\u202e\n", "\\u{1b}[2J\\u{9b}a\\u{1b}[2J\\u{202e}\n"],
  ])) {
    const program = await cli.run(["template", path, ...args]);
    assert.ok(program.stdout.startsWith(plain), JSON.stringify(program.stdout));
    const terminal = await cli.run(["template", path, ...args], { env });
    assert.ok(terminal.stdout.startsWith(shown), JSON.stringify(terminal.stdout));
  }
});
