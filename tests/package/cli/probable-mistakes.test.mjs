// Changes that are probably mistakes: misspelt keys, values that are not those of their key, types that are not clear, and files that
// are not a value.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { completeModel, installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine();

const original = await completeModel();

/** A new folder with `model.gguf`. */
const newModel = () => cli.newModel(original);

/** @param {string} path */
const open = async (path) => Gguf.open(await readFile(path));

/**
 * The errors and warnings that a change would cause, as `CODE SEVERITY KEY: MESSAGE`.
 *
 * @param {readonly string[]} args
 * @param {number} [code]
 * @returns {Promise<string[]>}
 */
async function causes(args, code = 0) {
  const { newFindings } = await cli.json([...args, "--dry-run"], code);
  return newFindings.map(
    (/** @type {any} */ { severity, code, key, message }) => `${severity} ${code} ${key}: ${message}`,
  );
}

describe("keys that are probably misspelt have a warning with the nearest known key", () => {
  test("set", async () => {
    const { path } = await newModel();
    for (const [key, known] of [
      ["chat_template", "tokenizer.chat_template"],
      ["general.nmae", "general.name"],
      ["llama.attention.head_cnt", "llama.attention.head_count"],
      ["llama.context_lenght", "llama.context_length"],
      ["lama.context_length", "llama.context_length"],
      ["General.Name", "general.name"],
      ["tokenizer.chat.template", "tokenizer.chat_template"],
      ["eos_token_id", "tokenizer.ggml.eos_token_id"],
    ]) {
      const [first = "", ...others] = await causes(["set", path, key ?? "", "1"]);
      assert.match(first, /^warning misspelt-key /);
      assert.ok(first.includes(`It looks like ${known}, which the file`), first);
      assert.deepEqual(others, [], key);
    }
    const { stderr } = await cli.succeed(["set", path, "general.nmae", "x"]);
    assert.match(stderr, /the change causes warnings:\nwarning +misspelt-key +general\.nmae: .*general\.name/);
    const again = await cli.run(["validate", path]);
    assert.match(again.stdout, /warning +misspelt-key +general\.nmae: .*general\.name, which the file has, too/);
  });

  test("edit and rename", async () => {
    const { path } = await newModel();
    const edit = await causes(["edit", path, "--set", "general.nmae=x", "--set", "my.own=1"]);
    assert.equal(edit.length, 1);
    assert.match(edit[0] ?? "", /general\.nmae: .*general\.name/);
    const renamed = await causes(["rename", path, "general.name", "general.nmae"]);
    assert.match(renamed[0] ?? "", /misspelt-key general\.nmae: .*general\.name, which the file does not have/);
  });

  test("a key of another architecture", async () => {
    const { path } = await newModel();
    const found = await causes(["set", path, "qwen2.context_length", "4096"]);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? "", /^warning other-architecture-key qwen2\.context_length: .* llama\.context_length/);
  });
});

describe("values of known keys", () => {
  test("an id beyond the vocabulary is refused, unless --force is given", async () => {
    const { path } = await newModel();
    for (const args of [
      ["set", path, "tokenizer.ggml.eos_token_id", "8"],
      ["set", path, "tokenizer.ggml.bos_token_id", "4294967295"],
      ["edit", path, "--set", "tokenizer.ggml.padding_token_id=99"],
    ]) {
      const { code, stdout, stderr } = await cli.run(args);
      assert.equal(code, 1, args.join(" "));
      assert.match(stderr, /error +token-id-out-of-range +tokenizer\.ggml\.\w+: .*the vocabulary has 8 tokens/);
      assert.match(stdout, /nothing was written, .* --force accepts them/);
    }
    assert.deepEqual(new Uint8Array(await readFile(path)), original);
    assert.equal((await cli.run(["set", path, "tokenizer.ggml.eos_token_id", "8", "--force"])).code, 0);
    assert.equal((await open(path)).metadata.get("tokenizer.ggml.eos_token_id"), 8);
  });

  test("numbers can be given by their names, and unknown ones have a warning", async () => {
    const { path } = await newModel();
    for (const [key = "", name = "", value] of [
      ["general.file_type", "Q4_K_M", 15],
      ["llama.pooling_type", "mean", 1],
      ["llama.expert_gating_func", "Sigmoid", 2],
    ]) {
      const { changes } = await cli.json(["set", path, String(key), String(name), "--dry-run"]);
      assert.deepEqual([changes[0].to, changes[0].toType], [value, "UINT32"]);
    }
    assert.match(
      (await causes(["set", path, "llama.pooling_type", "9"]))[0] ?? "",
      /^warning unknown-value .*1 \(Mean\)/,
    );
    assert.match((await causes(["set", path, "general.type", "Model"]))[0] ?? "", /^warning unknown-value .* "model",/);
    const { code, stderr } = await cli.run(["set", path, "llama.pooling_type", "middle"]);
    assert.equal(code, 2);
    assert.match(stderr, /Expected a whole number, or the name of one: 0 \(None\), 1 \(Mean\)/);
  });
});

describe("the type of a new key that nobody knows", () => {
  test("is the one that the value is written as", async () => {
    const { path } = await newModel();
    for (const [text, type, value] of /** @type {[string, string, unknown][]} */ ([
      ["3", "UINT32", 3],
      ["-3", "INT32", -3],
      ["3.0", "FLOAT32", 3],
      ["1e3", "FLOAT32", 1000],
      ["16777217.0", "FLOAT64", 16777217],
      ["1e300", "FLOAT64", 1e300],
      ["true", "BOOL", true],
      ["v1.0", "STRING", "v1.0"],
      ["[1, 2]", "UINT32[]", [1, 2]],
      ["[1.0, 2]", "FLOAT32[]", [1, 2]],
      ["[1e300]", "FLOAT64[]", [1e300]],
      ["[18446744073709551615]", "UINT64[]", ["18446744073709551615"]],
      ['["1.0"]', "STRING[]", ["1.0"]],
      ["[true, false]", "BOOL[]", [true, false]],
    ])) {
      const { changes } = await cli.json(["set", path, "my.new", text, "--dry-run"]);
      assert.deepEqual([changes[0].toType, changes[0].to], [type, value], text);
    }
  });

  test("is asked for if that is not clear", async () => {
    const { path } = await newModel();
    for (const text of ["[]", "[[]]", "[1, 2", "[a, b]", '["a", 1]', "[1, true]", "[null]", "True", "007"]) {
      const { code, stderr } = await cli.run(["set", path, "my.new", text]);
      assert.equal(code, 2, text);
      assert.match(
        stderr,
        /The type of the new key "my\.new" is not clear: .* Give the type: --type [A-Z]+(\[\])?\.\n/,
      );
    }
    const { code, stderr } = await cli.run(["edit", path, "--set", "my.new=[]"]);
    assert.equal(code, 2);
    assert.match(stderr, /Give the type: --set my\.new:STRING\[\]=…\.\n/);
    const empty = await cli.json([
      "edit",
      path,
      "--set",
      "my.new:UINT32[]=[]",
      "--set",
      "general.tags=[]",
      "--dry-run",
    ]);
    assert.deepEqual(
      empty.changes.map((/** @type {any} */ { toType }) => toType),
      ["UINT32[]", "STRING[]"],
    );
    const text = await cli.json(["set", path, "my.new", "[INST]", "--type", "STRING", "--dry-run"]);
    assert.equal(text.changes[0].to, "[INST]");
  });
});

describe("chat templates of Hugging Face's files", () => {
  /** @param {string} path @returns {Promise<Record<string, unknown>>} */
  async function templatesOf(path) {
    const entries = [...(await open(path)).metadata].filter(([key]) => key.startsWith("tokenizer.chat_template"));
    return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === "object" ? [...value] : value]));
  }

  test("a text replaces all templates", async () => {
    const { folder, path } = await newModel();
    for (const [name, option] of [
      ["tokenizer_config.json", "--from-file"],
      ["chat_template.json", "--set-file"],
    ]) {
      const file = join(folder, name ?? "");
      await writeFile(file, JSON.stringify({ bos_token: "<s>", chat_template: `{{ "${name}" }}` }));
      const args =
        option === "--from-file"
          ? ["set", path, "tokenizer.chat_template", option, file]
          : ["edit", path, "--set-file", `tokenizer.chat_template=${file}`];
      await cli.succeed(args);
      assert.deepEqual(await templatesOf(path), { "tokenizer.chat_template": `{{ "${name}" }}` });
    }
  });

  test("a list becomes the named templates and their list", async () => {
    const { folder, path } = await newModel();
    const file = join(folder, "tokenizer_config.json");
    const list = [
      { name: "default", template: "one" },
      { name: "tool use", template: "two" },
      { name: "rag", template: "three" },
    ];
    await writeFile(file, `\ufeff${JSON.stringify({ chat_template: list })}`);
    assert.equal((await cli.run(["set", path, "tokenizer.chat_template.old", "x"])).code, 0);
    assert.equal((await cli.run(["set", path, "tokenizer.chat_template", "--from-file", file])).code, 0);
    const expected = {
      "tokenizer.chat_template": "one",
      "tokenizer.chat_template.tool_use": "two",
      "tokenizer.chat_template.rag": "three",
      "tokenizer.chat_templates": ["tool_use", "rag"],
    };
    assert.deepEqual(await templatesOf(path), expected);
    // gguf-new-metadata takes the list itself, too.
    assert.equal((await cli.run(["set", path, "tokenizer.chat_template", JSON.stringify(list)])).code, 0);
    assert.deepEqual(await templatesOf(path), expected);
    const named = ["set", path, "tokenizer.chat_template.rag", "--from-file", file, "--dry-run"];
    assert.deepEqual((await cli.json(named)).changes, []);
  });

  test("a file without a template is refused", async () => {
    const { folder, path } = await newModel();
    const file = join(folder, "config.json");
    for (const json of [
      '{"model_type": "llama"}',
      '{"chat_template": [{"name": "x"}]}',
      '{"chat_template": null}',
      "[]",
    ]) {
      await writeFile(file, json);
      const args = ["set", path, "tokenizer.chat_template", "--from-file", file];
      const { code, stderr } = await cli.run(args);
      assert.equal(code, 2, json);
      assert.match(stderr, /is JSON with .* Give a tokenizer_config\.json or chat_template\.json that has it/);
      assert.equal((await cli.run([...args, "--type", "STRING", "--dry-run"])).code, 0);
    }
    // A template that begins with a bracket is no JSON.
    assert.equal((await cli.run(["set", path, "tokenizer.chat_template", "{{ x }}", "--dry-run"])).code, 0);
    assert.equal((await cli.run(["set", path, "tokenizer.chat_template", "[INST] {{ x }}", "--dry-run"])).code, 0);
  });
});
