// The command that converts models of Hugging Face: the files of convert_hf_to_gguf.py, refusals, and what failures leave.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { constants } from "node:fs";
import { cp, mkdir, open, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { range, serveFiles, whole } from "../../support/file-server.mjs";
import { serveHub } from "../../support/hub-server.mjs";
import { ofRun } from "../../support/long.mjs";
import { missing, pathOf } from "../corpus.mjs";
import { filesOf, folderOf, model, REFUSED, run as recorded } from "../models/corpus.mjs";
import { cutPart, installCommandLine, namesIn } from "./command-line.mjs";

/** @import { Answer } from "../../support/file-server.mjs" */

const cli = await installCommandLine(["convert", "models"]);
const windows = process.platform === "win32" && "Windows needs rights for symbolic links";

const [DONE, ANSWER_IS_NO, WRONG_USE, FAILED] = [0, 1, 2, 3];

/** A model whose vocabulary needs no pre-tokenizer. */
const NAME = "Tiny-Llama-0.1M-Chat-v1.0";

/** @param {string} path */
const sha256 = async (path) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

/** The SHA-256 of a run. @param {string} name @param {string} id */
const expected = (name, id) => recorded(model(name), id).output.sha256;

/** The options of this command for a command line of the reference. @param {readonly string[]} args @param {string | null} pre */
const optionsOf = ([, ...args], pre) => [
  ...args.map((arg, i) =>
    args[i - 1] === "--metadata" ? pathOf(`convert/${arg}`) : arg.replace("--outtype", "--type"),
  ),
  ...(pre === null ? [] : ["--pre", pre]),
];

/** Answers with ranges to those who ask for them. @type {Answer} */
const either = (request, ...rest) => (request.headers.range ? range : whole)(request, ...rest);

describe("convert writes the file of convert_hf_to_gguf.py", { skip: missing }, () => {
  /** @type {[name: string, id: string][]} */
  const runs = [
    [NAME, "q8_0"],
    [NAME, "auto"],
    [NAME, "vocab"],
    ["llama3-style", "name"],
    ["llama3-style", "metadata"],
    ["qwen3-fp8", "fp8q8"],
    ["ternary-llama", "tq2_0"],
    ["Mixtral-4x0.1M-Instruct", "f16"],
    ["bge-tiny-en-v1.5", "f16"],
  ];
  for (const [name, id] of runs) {
    test(`${name}.${id}`, async () => {
      const found = model(name);
      const output = join(await cli.folder(), "out.gguf");
      const { stdout } = await cli.succeed([
        "convert",
        folderOf(found.folder),
        output,
        ...optionsOf(recorded(found, id).args, found.pre),
      ]);
      assert.match(stdout, new RegExp(`${found.hf_class}, architecture ${found.gguf_arch}`));
      assert.match(stdout, /out\.gguf: written, .*tensors?\n$/);
      assert.equal(await sha256(output), expected(name, id));
    });
  }

  test("from a server and from the hub, with the token of the environment", async (t) => {
    const folder = await cli.folder();
    const files = filesOf(`models/${NAME}`);
    const served = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${NAME}/${path}`, bytes]));
    const { origin } = await serveFiles(t, served, either);
    const byUrl = await cli.run(["convert", `${origin}/${NAME}/`, join(folder, "url.gguf"), "--type", "BF16"]);
    assert.equal(byUrl.code, DONE, byUrl.stderr);
    assert.equal(await sha256(join(folder, "url.gguf")), expected(NAME, "bf16"));

    const hub = await serveHub(t, { [`owner/${NAME}`]: { files, token: "hf_test", revisions: ["main", "v2"] } });
    const env = { HF_ENDPOINT: hub.origin, HF_TOKEN: "hf_test" };
    for (const [i, options] of [[`hub:owner/${NAME}`], [`hub:owner/${NAME}`, "--revision", "v2"]].entries()) {
      const [name = "", ...rest] = options;
      const output = join(folder, `hub-${i}.gguf`);
      await cli.succeed(["convert", name, output, "--type", "f16", ...rest], { env });
      assert.equal(await sha256(output), expected(NAME, "f16"));
    }
    const other = await cli.run(["convert", `hub:owner/${NAME}`, join(folder, "x"), "--revision", "v3"], { env });
    assert.equal(other.code, FAILED);
    assert.match(other.stderr, /has no revision "v3"/);
  });

  test("with --json, about what was converted", async () => {
    const output = join(await cli.folder(), "out.gguf");
    const args = ["convert", folderOf(`models/${NAME}`), output, "--type", "f16", "--json"];
    const dry = JSON.parse((await cli.run([...args, "--dry-run"])).stdout);
    const { code, stdout, stderr } = await cli.run(args);
    assert.deepEqual([code, stderr], [DONE, ""]);
    const result = JSON.parse(stdout);
    assert.deepEqual({ ...dry, written: [output], output }, result);
    assert.deepEqual(dry.written, []);
    const { size, tensors } = recorded(model(NAME), "f16").output;
    assert.deepEqual([result.size, result.type, result.className], [size, "f16", "LlamaForCausalLM"]);
    assert.deepEqual(
      result.tensors.map((/** @type {{ name: string, type: string }} */ { name, type }) => [name, type]),
      tensors.map(({ name, type }) => [name, type]),
    );
    assert.equal(result.vocabulary.kind, "llama");
  });
});

describe("convert to a type of quantize", { skip: missing }, () => {
  test("writes the file of --type f32 and quantize", async () => {
    const folder = await cli.folder();
    const at = (/** @type {string} */ name) => join(folder, name);
    const source = folderOf("models/ternary-llama");
    const { pre } = model("ternary-llama");
    const options = pre === null ? [] : ["--pre", pre];
    const own = await cli.run(["convert", source, at("f32.gguf"), "--type", "f32", ...options]);
    assert.equal(own.code, DONE, own.stderr);
    for (const [type, threads] of /** @type {const} */ ([
      ["Q4_K_M", "1"],
      ["q5_0", "0"],
      ["IQ4_XS", "0"],
    ])) {
      const quantized = await cli.run(["quantize", at("f32.gguf"), at(`2-${type}.gguf`), type, "--threads", threads]);
      assert.equal(quantized.code, DONE, quantized.stderr);
      const direct = await cli.run([
        "convert",
        source,
        at(`1-${type}.gguf`),
        "--type",
        type,
        "--threads",
        threads,
        ...options,
      ]);
      assert.equal(direct.code, DONE, direct.stderr);
      assert.match(direct.stdout, /bits per weight/);
      assert.equal(await sha256(at(`1-${type}.gguf`)), await sha256(at(`2-${type}.gguf`)), type);
    }
    const vocabulary = ["convert", source, at("v.gguf"), "--type", "Q4_K_M", "--vocab-only", ...options];
    const { stdout } = await cli.succeed(vocabulary);
    assert.match(stdout, /v\.gguf: written, .*, 0 tensors\n$/);
    assert.doesNotMatch(stdout, /bits per weight/);
    const unknown = await cli.run(["convert", source, at("x.gguf"), "--type", "Q9_9", ...options]);
    assert.equal(unknown.code, WRONG_USE);
    assert.match(unknown.stderr, /Q9_9/);
    const refused = await cli.run(["convert", source, at("x.gguf"), "--type", "IQ1_S", ...options, "--json"]);
    assert.equal(refused.code, ANSWER_IS_NO, refused.stderr);
    assert.ok(JSON.parse(refused.stdout).error);
    assert.deepEqual(
      (await namesIn(folder)).filter((name) => name.startsWith("x")),
      [],
    );
  });
});

describe("convert refuses", { skip: missing }, () => {
  test("what the corpus has of runs that are refused, or should be, with a message, and writes nothing", async () => {
    const folder = await cli.folder();
    const refused = REFUSED.filter(({ folder }) => !folder.endsWith("/pre-tokenizer-unknown"));
    // The API refuses all of them in `models/corpus.test.mjs`.
    for (const { folder: source, args, pre } of refused.filter((_, index) => index % ofRun(8, 1) === 0)) {
      const { code, stderr } = await cli.run([
        "convert",
        folderOf(source),
        join(folder, "out.gguf"),
        ...optionsOf(args, pre),
      ]);
      assert.equal(code, FAILED, `${source}: ${stderr}`);
      assert.match(stderr, /^gguf-wasm: .{30,} \([a-z-]+(, offset \d+)?\)\n$/s, source);
    }
    assert.deepEqual(await namesIn(folder), []);
  });

  test("a vocabulary whose pre-tokenizer is unknown, with the probable names", async () => {
    const folder = await cli.folder();
    const output = join(folder, "out.gguf");
    const args = ["convert", folderOf("hostile/pre-tokenizer-unknown"), output];
    const { code, stderr } = await cli.run(args);
    assert.equal(code, FAILED);
    assert.match(stderr, /Probable names: [a-z0-9-]+.* Choose one with --pre NAME/s);
    const { error } = JSON.parse((await cli.run([...args, "--json"])).stdout);
    assert.equal(error.code, "unknown-pre-tokenizer");
    const [first] = error.probablePreTokenizers;
    const given = await cli.run([...args, "--pre", first]);
    assert.equal(given.code, DONE, given.stderr);
  });

  test("what is no model, and wrong options", async () => {
    const folder = await cli.folder();
    const output = join(folder, "out.gguf");
    const source = folderOf(`models/${NAME}`);
    const metadata = join(folder, "metadata.json");
    await writeFile(metadata, "[1]");
    for (const [args, code, message] of /** @type {[string[], number, RegExp][]} */ ([
      [["no-such-folder", output], FAILED, /no-such-folder: there is no such file or folder/],
      [[join(source, "config.json"), output], FAILED, /it is a file, not a folder/],
      [["hub:name", output], WRONG_USE, /is not a name of the hub/],
      [[source, output, "--revision", "main"], WRONG_USE, /--revision is for repositories/],
      [[source, output, "--metadata", metadata], FAILED, /expected an object/],
      [[source, output, "--dry-run", "--resume"], WRONG_USE, /cannot be given together/],
      [[source], WRONG_USE, /OUT is missing/],
    ])) {
      const found = await cli.run(["convert", ...args]);
      assert.equal(found.code, code, found.stderr);
      assert.match(found.stderr, message);
    }
    assert.deepEqual(await namesIn(folder), ["metadata.json"]);
  });
});

describe("convert and pipes", { skip: missing || windows }, () => {
  test("a part that is a pipe is refused, and the program ends", async () => {
    const folder = join(await cli.folder(), NAME);
    await cp(folderOf(`models/${NAME}`), folder, { recursive: true });
    await rm(join(folder, "model.safetensors"));
    execFileSync("mkfifo", [join(folder, "model.safetensors")]);
    const { code, stderr } = await cli.runProcess(["convert", folder, join(folder, "out.gguf")]);
    assert.equal(code, FAILED);
    assert.match(stderr, /the file model\.safetensors is a stream, a pipe or a device.*\(no-ranges\)/);
  });

  test("Ctrl-C ends a program that waits for the writer of a pipe", async () => {
    const folder = await cli.folder();
    const pipe = join(folder, "pipe.gguf");
    execFileSync("mkfifo", [pipe]);
    const child = spawn(cli.program(), ["inspect", pipe]);
    const closed = once(child, "close");
    // As soon as there is a reader, the pipe can be opened without waiting for one.
    const hasReader = () =>
      open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).then(
        (handle) => handle,
        () => undefined,
      );
    let writer;
    while ((writer = await hasReader()) === undefined) await wait(20);
    child.kill("SIGINT");
    const [code, signal] = await closed;
    await writer.close();
    assert.deepEqual([code, signal], [null, "SIGINT"]);
  });
});

describe("convert keeps files", { skip: missing }, () => {
  test("that exist, and all that it reads", async () => {
    const folder = join(await cli.folder(), NAME);
    await cp(folderOf(`models/${NAME}`), folder, { recursive: true });
    const output = join(folder, "out.gguf");
    await writeFile(output, "precious");
    const refused = await cli.run(["convert", folder, output]);
    assert.equal(refused.code, FAILED);
    assert.equal(await readFile(output, "utf8"), "precious");
    const forced = await cli.run(["convert", folder, output, "--force", "--type", "f16"]);
    assert.equal(forced.code, DONE, forced.stderr);
    assert.equal(await sha256(output), expected(NAME, "f16"));
    for (const name of ["model.safetensors", "config.json"]) {
      const before = await sha256(join(folder, name));
      const { code, stderr } = await cli.run(["convert", folder, join(folder, name), "--force"]);
      assert.equal(code, ANSWER_IS_NO, stderr);
      assert.equal(await sha256(join(folder, name)), before);
    }
  });

  test("of a folder of links, as the cache of Hugging Face has them", { skip: windows }, async () => {
    const folder = join(await cli.folder(), NAME);
    await mkdir(folder);
    for (const path of Object.keys(filesOf(`models/${NAME}`))) {
      await symlink(join(folderOf(`models/${NAME}`), path), join(folder, path));
    }
    const output = join(await cli.folder(), "out.gguf");
    await cli.succeed(["convert", folder, output, "--type", "q8_0"]);
    assert.equal(await sha256(output), expected(NAME, "q8_0"));
  });

  test("and continues a part with --resume, if the model is the same", async () => {
    const folder = await cli.folder();
    const own = join(folder, NAME);
    await cp(folderOf(`models/${NAME}`), own, { recursive: true });
    for (const [type = "", name = ""] of [
      ["f16", "own.gguf"],
      ["Q4_0", "quantized.gguf"],
    ]) {
      const output = join(folder, name);
      const args = ["convert", own, output, "--type", type, "--threads", "0"];
      await cli.leavePart(args);
      const whole = await readFile(`${output}.part`);
      await cutPart(output, Math.floor(whole.length * 0.7));
      const unasked = await cli.run(args);
      assert.equal(unasked.code, FAILED);
      assert.match(unasked.stderr, /--resume/);
      // A tensor, a setting and the tokenizer, each with the old size and time.
      for (const [file, change] of /** @type {[string, (bytes: Buffer) => void][]} */ ([
        ["model.safetensors", (bytes) => bytes.writeUInt8(bytes.readUInt8(bytes.length - 2) ^ 1, bytes.length - 2)],
        ["config.json", (bytes) => bytes.write(" ", bytes.indexOf("\n"))],
        ["tokenizer_config.json", (bytes) => bytes.write(" ", bytes.indexOf("\n"))],
      ])) {
        const path = join(own, file);
        const before = await readFile(path);
        const { mtime } = await stat(path);
        const changed = Buffer.from(before);
        change(changed);
        await writeFile(path, changed);
        await utimes(path, mtime, mtime);
        const { code, stderr } = await cli.run([...args, "--resume"]);
        assert.equal(code, ANSWER_IS_NO, stderr);
        assert.match(stderr, new RegExp(`made from another \\S*${file}: its content .*\\(foreign-part\\)`));
        await writeFile(path, before);
      }
      const options = await cli.run([...args, "--resume", "--model-name", "Other"]);
      assert.equal(options.code, ANSWER_IS_NO, options.stderr);
      assert.match(options.stderr, /modelName was not given, and is "Other".*\(foreign-part\)/);
      const resumed = await cli.run([...args, "--resume"]);
      assert.equal(resumed.code, DONE, resumed.stderr);
      assert.ok(whole.equals(await readFile(output)), name);
    }
    const left = join(folder, "left.gguf");
    await writeFile(`${left}.part`, Buffer.alloc(5000, 1));
    const foreign = await cli.run(["convert", own, left, "--resume", "--force"]);
    assert.equal(foreign.code, ANSWER_IS_NO, foreign.stderr);
    assert.match(foreign.stderr, /foreign-part/);
  });

  test("and continues a part of a repository, if its files are the same", async (t) => {
    const files = { ...filesOf(`models/${NAME}`) };
    const hub = await serveHub(t, { [`owner/${NAME}`]: { files } });
    const env = { HF_ENDPOINT: hub.origin };
    const output = join(await cli.folder(), "out.gguf");
    const args = ["convert", `hub:owner/${NAME}`, output, "--type", "f16"];
    await cli.leavePart(args, env);
    await cutPart(output, 50_000);
    for (const file of ["model.safetensors", "tokenizer_config.json"]) {
      const before = files[file] ?? new Uint8Array();
      const changed = before.slice();
      // The last byte of the tensors, and a line break in the text.
      if (file.endsWith("json")) changed[changed.indexOf(10)] = 32;
      else changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      files[file] = changed;
      const { code, stderr } = await cli.run([...args, "--resume"], { env });
      assert.equal(code, ANSWER_IS_NO, stderr);
      assert.match(stderr, new RegExp(`made from another ${file}: its content is different.*\\(foreign-part\\)`));
      files[file] = before;
    }
    await cli.succeed([...args, "--resume"], { env });
    assert.equal(await sha256(output), expected(NAME, "f16"));
  });
});
