// `gguf-wasm export`: the formats of other tools, printed or written into a file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf, GgufWriter } from "gguf-wasm/full";
import { serveFile } from "../../support/file-server.mjs";
import { shardFiles } from "../../support/shards.mjs";
import { json, missing, pathOf } from "../corpus.mjs";
import { installCommandLine, modelBytes, namesIn } from "./command-line.mjs";

const cli = await installCommandLine();

const bytes = await withTokens();
const { folder, path: model } = await cli.newModel(bytes);
const gguf = await Gguf.open(bytes);

/** A small file with a vocabulary, chat templates and tensors. */
async function withTokens() {
  const editor = (await Gguf.open(await modelBytes())).edit();
  editor.set("tokenizer.ggml.tokens", ["<s>", "a,b", "\u001b[2J"], "STRING[]");
  editor.set("tokenizer.ggml.scores", [0, -1.5, NaN], "FLOAT32[]");
  editor.set("tokenizer.chat_template", "{{ default }}\n");
  editor.set("tokenizer.chat_template.tool_use", "{{ tools }}");
  return new Uint8Array(await new Response(editor.plan().stream()).arrayBuffer());
}

/** Runs the command, which must succeed, and returns what it prints. @param {string[]} args */
async function printed(...args) {
  const { code, stdout, stderr } = await cli.run(["export", model, ...args]);
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

describe("texts", () => {
  test("JSON is the default", async () => {
    const expected = gguf.toJSON({ fileName: model });
    assert.deepEqual(JSON.parse(await printed()), expected);
    assert.equal(expected.metadata["test.big"]?.value, "18446744073709551615");
    assert.deepEqual(JSON.parse(await printed("--format", "json", "--arrays", "short")).metadata["general.tags"], {
      index: 7,
      type: "ARRAY",
      offset: expected.metadata["general.tags"]?.offset,
      array_types: ["STRING"],
      value: ["one", "two"],
      length: 2,
    });
    const short = JSON.parse(await printed("--arrays", "none", "--no-tensors"));
    assert.deepEqual(short, gguf.toJSON({ fileName: model, arrays: "none", tensors: false }));
  });

  test("Markdown, CSV and templates", async () => {
    assert.equal(await printed("--format", "markdown"), gguf.toMarkdown({ fileName: model }));
    assert.equal(
      await printed("--format", "markdown", "--no-tensors"),
      gguf.toMarkdown({ fileName: model, tensors: false }),
    );
    assert.equal(await printed("--format", "csv"), gguf.tensorsToCsv());
    assert.equal(await printed("--format", "tokens"), gguf.tokensToCsv());
    const safe = { spreadsheetSafe: true };
    const formula = join(folder, "formula.gguf");
    const editor = (await Gguf.open(await modelBytes())).edit();
    editor.renameTensor("blk.0.attn_q.weight", "=cmd");
    await writeFile(formula, new Uint8Array(await new Response(editor.plan().stream()).arrayBuffer()));
    const safely = await cli.run(["export", formula, "--format", "csv", "--spreadsheet-safe"]);
    assert.match(safely.stdout, /\n0,'=cmd,/);
    assert.equal(await printed("--format", "tokens", "--spreadsheet-safe"), gguf.tokensToCsv(safe));
    assert.equal(await printed("--format", "template"), "{{ default }}\n");
    assert.equal(await printed("--template", "tool_use"), "{{ tools }}");
  });

  test("--output writes a file, and overwrites one only with --force", async () => {
    const folder = await cli.folder();
    const path = join(folder, "model.csv");
    const stdout = await printed("--format", "csv", "--output", path);
    const size = gguf.tensorsToCsv().length;
    assert.equal(stdout, `${path}: written, ${size} bytes\n`);
    assert.equal(await readFile(path, "utf8"), gguf.tensorsToCsv());
    const again = await cli.run(["export", model, "--format", "tokens", "-o", path]);
    assert.deepEqual([again.code, again.stderr.includes("(file-exists)")], [3, true]);
    assert.equal(await readFile(path, "utf8"), gguf.tensorsToCsv());
    await printed("--format", "tokens", "-o", path, "--force");
    assert.equal(await readFile(path, "utf8"), gguf.tokensToCsv());
    assert.deepEqual(namesIn(folder), ["model.csv"]);
  });

  test("a long text is not cut inside of a character", async () => {
    const long = `${"x".repeat((1 << 20) - 1)}😀${"é".repeat(2 << 20)}`;
    const writer = new GgufWriter();
    writer.set("tokenizer.chat_template", long);
    const [input, output] = [join(folder, "long.gguf"), join(folder, "long.jinja")];
    await writeFile(input, new Uint8Array(await writer.toBlob().arrayBuffer()));
    await cli.succeed(["export", input, "--format", "template", "-o", output]);
    assert.equal(await readFile(output, "utf8"), long);
  });

  test("files of the corpus, and a URL", { skip: missing }, async (context) => {
    const { files } = json("files/index.json");
    for (const { file } of files.filter((/** @type {unknown} */ _, /** @type {number} */ i) => i % 12 === 0)) {
      const { stdout } = await cli.run(["export", pathOf(`files/${file}`), "--one-file"]);
      const found = JSON.parse(stdout);
      assert.deepEqual(
        found,
        (await Gguf.open(readFileSync(pathOf(`files/${file}`)))).toJSON({ fileName: found.filename }),
      );
    }
    const { url } = await serveFile(context, readFileSync(model));
    assert.equal((await cli.run(["export", url, "--format", "csv"])).stdout, gguf.tensorsToCsv());
  });

  test("a set without all of its shards has a warning in every format", async () => {
    const folder = await cli.folder();
    const shards = Object.entries(shardFiles(3));
    for (const [name, bytes] of shards.slice(0, 2)) await writeFile(join(folder, name), bytes);
    const incomplete = join(folder, "m-00001-of-00003.gguf");
    for (const args of [
      ["--format", "json"],
      ["--format", "markdown"],
      ["--format", "csv"],
      ["--tensor", "t1"],
    ]) {
      const output = join(folder, `result-${args[1]}`);
      const { stderr } = await cli.succeed(["export", incomplete, ...args, "-o", output]);
      assert.match(stderr, /the set has problems:\n.*error +missing-shard/);
    }
    assert.match((await cli.run(["inspect", incomplete])).stderr, /missing-shard/);
    assert.equal((await cli.run(["export", incomplete, "--one-file"])).stderr, "");
    for (const [name, bytes] of shards) await writeFile(join(folder, name), bytes);
    assert.equal((await cli.run(["export", incomplete])).stderr, "");
  });

  test("a file from the standard input", async () => {
    const { stdout } = await cli.shell(`gguf-wasm export - --format csv < "${model}"`);
    assert.equal(stdout, gguf.tensorsToCsv());
  });
});

describe("npy", () => {
  const TENSOR = "blk.1.attn_q.weight";
  /** @param {import("gguf-wasm/full").NpyOptions} [options] */
  const expected = async (options) =>
    Buffer.from(await new Response(gguf.toNpy(TENSOR, options).stream()).arrayBuffer());

  test("into a file", async () => {
    const folder = await cli.folder();
    const path = join(folder, "a.npy");
    assert.equal(await printed("--tensor", TENSOR, "-o", path), `${path}: written, |i1, 64, 192 bytes\n`);
    assert.deepEqual(await readFile(path), await expected());
    await printed("--tensor", TENSOR, "--stored", "--format", "npy", "-o", path, "-f");
    assert.deepEqual(await readFile(path), await expected({ as: "stored" }));
    assert.deepEqual(namesIn(folder), ["a.npy"]);
  });

  test("into a pipe, and from a URL", async (context) => {
    const path = join(folder, "piped.npy");
    const { code } = await cli.shell(`gguf-wasm export "${model}" --tensor ${TENSOR} | cat > "${path}"`);
    assert.equal(code, 0);
    assert.deepEqual(await readFile(path), await expected());
    const { url } = await serveFile(context, readFileSync(model));
    const remote = await cli.shell(`gguf-wasm export "${url}" --tensor ${TENSOR} > "${path}"`);
    assert.deepEqual([remote.code, remote.stderr], [0, ""]);
    assert.deepEqual(await readFile(path), await expected());
  });

  test(
    "not onto a terminal",
    { skip: process.platform !== "linux" && "the program script is that of Linux" },
    async () => {
      const { stdout } = await cli.shell(`script -qec 'gguf-wasm export "${model}" --tensor ${TENSOR}' /dev/null`);
      assert.match(stdout, /An \.npy file is not text.*--output/);
      assert.ok(!stdout.includes("NUMPY"));
    },
  );

  test("a file that is too short: nothing is left", async () => {
    const folder = await cli.folder();
    const path = join(folder, "short.gguf");
    await writeFile(path, readFileSync(model).subarray(0, -200));
    const { code, stderr } = await cli.run(["export", path, "--tensor", TENSOR, "-o", join(folder, "a.npy")]);
    assert.equal(code, 3);
    assert.match(stderr, /unexpected-eof/);
    assert.deepEqual(namesIn(folder), ["short.gguf"]);
  });

  test("a pipe as FILE is refused", async () => {
    const { code, stderr } = await cli.shell(`cat "${model}" | gguf-wasm export - --tensor ${TENSOR}`);
    assert.equal(code, 3);
    assert.match(stderr, /no-ranges/);
  });
});

test("failures: exit code 3", async () => {
  /** @type {[string[], RegExp][]} */
  const cases = [
    [["--template", "rag"], /no chat template "rag".*"default", "tool_use".*\(unknown-key\)/],
    [["--tensor", "none"], /no tensor "none".*\(unknown-tensor\)/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await cli.run(["export", model, ...args]);
    assert.deepEqual([code, stdout], [3, ""], args.join(" "));
    assert.match(stderr, message);
  }
  const plain = join(folder, "plain.gguf");
  await writeFile(plain, await modelBytes());
  for (const [format, message] of /** @type {const} */ ([
    ["tokens", /no-tokenizer/],
    ["template", /The file has no chat templates\./],
  ])) {
    const { code, stderr } = await cli.run(["export", plain, "--format", format]);
    assert.equal(code, 3);
    assert.match(stderr, message);
  }
});

test("an unknown format is refused, and the error has the formats that the help has", async () => {
  const { stdout: help } = await cli.run(["export", "--help"]);
  const [, formats] = /The format: (.*?)\. Default/.exec(help.replace(/\s+/g, " ")) ?? assert.fail(help);
  const { code, stdout, stderr } = await cli.run(["export", model, "--format", "yaml"]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.ok(stderr.includes(`--format is "yaml", expected ${formats}.`), stderr);
});

test("wrong use: exit code 2", async () => {
  /** @type {[string[], RegExp][]} */
  const cases = [
    [["--format", "npy"], /Give --tensor NAME/],
    [["--arrays", "all"], /--arrays is "all", expected full, short or none\./],
    [["--format", "csv", "--arrays", "short"], /--arrays is only for --format json, but the format is csv\./],
    [["--format", "tokens", "--no-tensors"], /--no-tensors is only for --format json and markdown/],
    [["--spreadsheet-safe"], /--spreadsheet-safe is only for --format csv and tokens/],
    [["--stored"], /--stored is only for --format npy, but the format is json\./],
    [["--format", "json", "--tensor", "t"], /--tensor is only for --format npy/],
    [["--tensor", "t", "--template", "x"], /--template is only for --format template, but the format is npy\./],
    [["--output", "-"], /"-" cannot be written/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await cli.run(["export", model, ...args]);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
  }
});
