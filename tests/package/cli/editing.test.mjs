// How the commands that change a file do it: what they refuse, where they write, several changes at once, locks and fixes.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { chmod, link, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { completeModel, installCommandLine, modelBytes, namesIn } from "./command-line.mjs";

const cli = await installCommandLine();
const windows = process.platform === "win32" && "Windows has neither these modes nor these signals";

/** Too long to fit into the padding before the data. */
const LONG_NAME = `A long name${" of many words".repeat(7)}`;

const original = await completeModel();

/** A new folder with `model.gguf`. @param {Uint8Array} [bytes] */
const newModel = (bytes = original) => cli.newModel(bytes);

/** @param {string} path */
const bytesOf = async (path) => new Uint8Array(await readFile(path));

/** @param {string} path */
const open = async (path) => Gguf.open(await readFile(path));

/** @param {string} path @param {string} key */
const valueOf = async (path, key) => (await open(path)).metadata.get(key);

describe("errors that a change causes", () => {
  test("are shown, and the change is refused", async () => {
    const { folder, path } = await newModel();
    const { code, stdout, stderr } = await cli.run(["set", path, "llama.block_count", "7"]);
    assert.equal(code, 1);
    assert.match(stderr, /model\.gguf: the change causes errors:\nerror +block-count +llama\.block_count: .*7 blocks/);
    assert.match(
      stdout,
      /^set llama\.block_count: 1 → 7 \(UINT32\)\n.*nothing was written, because .* --force accepts them\.\n$/,
    );
    assert.deepEqual(await bytesOf(path), original);
    const result = await cli.json(["remove", path, "llama.context_length", "--dry-run"], 1);
    assert.deepEqual(result.written, []);
    assert.equal(result.error.code, "causes-errors");
    assert.ok(result.newFindings.some((/** @type {any} */ { severity }) => severity === "error"));
    const output = join(folder, "new.gguf");
    assert.equal((await cli.run(["rename", path, "llama.block_count", "x", "-o", output])).code, 1);
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });

  test("--force accepts them", async () => {
    const { path } = await newModel();
    const { stderr } = await cli.succeed(["set", path, "llama.block_count", "7", "--force"]);
    assert.match(stderr, /the change causes errors:\nerror +block-count/);
    assert.equal(await valueOf(path, "llama.block_count"), 7);
    // The error of the file is not one of this change; another wrong value of the same entry is.
    assert.equal((await cli.run(["set", path, "general.name", "Other"])).code, 0);
    assert.equal((await cli.run(["set", path, "llama.block_count", "9"])).code, 1);
    assert.equal((await cli.run(["set", path, "llama.block_count", "1"])).code, 0);
    assert.deepEqual(
      (await open(path)).validate().filter(({ severity }) => severity === "error"),
      [],
    );
  });

  test("warnings are shown as text, and the file is written", async () => {
    const { path } = await newModel();
    const { stderr } = await cli.succeed(["set", path, "general.autor", "A person"]);
    assert.match(stderr, /^gguf-wasm: .*: the change causes warnings:\nwarning +misspelt-key .*general\.author/);
    assert.equal(await valueOf(path, "general.autor"), "A person");
    const again = await cli.run(["set", path, "general.name", "Other"]);
    assert.equal(again.stderr, "", "the warning was there before");
  });
});

describe("in place or by replacement", { skip: windows }, () => {
  test("a change of a number is written in place", async () => {
    const { folder, path } = await newModel();
    const { ino } = await stat(path);
    const { stdout } = await cli.succeed(["set", path, "llama.context_length", "4096"]);
    assert.match(stdout, /model\.gguf: changed in place/);
    assert.equal((await stat(path)).ino, ino);
    const changed = await bytesOf(path);
    assert.equal(changed.filter((byte, i) => byte !== original[i]).length, 2);
    assert.equal(await valueOf(path, "llama.context_length"), 4096);
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });

  test("changes that are far from each other replace the file, unless --in-place is given", async () => {
    const { path } = await newModel();
    const far = ["edit", path, "--set", `my.text=${"x".repeat(5000)}`, "--set", "my.number:UINT32=1"];
    assert.equal((await cli.run(far)).code, 0);
    const { ino } = await stat(path);
    const numbers = (/** @type {number} */ value) => [
      "--set",
      `llama.context_length=${value}`,
      "--set",
      `my.number=${value}`,
    ];
    assert.equal((await cli.json(["edit", path, ...numbers(7), "--in-place"])).inPlace, true);
    assert.equal((await stat(path)).ino, ino);
    assert.equal((await cli.json(["edit", path, ...numbers(8)])).inPlace, false);
    assert.notEqual((await stat(path)).ino, ino);
    for (const key of ["llama.context_length", "my.number"]) assert.equal(await valueOf(path, key), 8);
  });

  test("a file with several names is replaced, and the command says so", async () => {
    const { folder, path } = await newModel();
    const other = join(folder, "other.gguf");
    await link(path, other);
    const { stderr } = await cli.succeed(["set", path, "llama.context_length", "4096"]);
    assert.match(stderr, /has 2 names \(hard links\)\. The other name keeps the old file/);
    assert.deepEqual(await bytesOf(other), original);
    assert.equal(await valueOf(path, "llama.context_length"), 4096);
  });

  test("a file that is protected against writing is not changed", async () => {
    const { folder, path } = await newModel();
    await chmod(path, 0o444);
    for (const value of ["4096", "5"]) {
      const { code, stderr } = await cli.run(["set", path, "llama.context_length", value, "--force"]);
      assert.equal(code, 1);
      assert.match(stderr, /protected against writing\..*chmod u\+w.*\(write-protected\)/);
    }
    assert.deepEqual(await bytesOf(path), original);
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });
});

describe("two programs at the same time", () => {
  test("of parallel commands, each changes the file or is refused", async () => {
    const { folder, path } = await newModel();
    const keys = ["my.one", "my.two", "my.three"];
    const outcomes = await Promise.all(keys.map((key) => cli.runProcess(["set", path, key, LONG_NAME])));
    const { metadata } = await open(path);
    for (const [i, { code, stderr }] of outcomes.entries()) {
      assert.ok(code === 0 || code === 1, stderr);
      assert.equal(metadata.has(keys[i] ?? ""), code === 0, keys[i]);
      if (code === 1) assert.match(stderr, /\(locked\)|\(changed\)/);
    }
    assert.ok(outcomes.some(({ code }) => code === 0));
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });

  test("a value that is there already changes nothing", async () => {
    const { path } = await newModel();
    const before = await stat(path);
    const { written, changes } = await cli.json(["set", path, "tokenizer.ggml.eos_token_id", "2"]);
    assert.deepEqual([written, changes], [[], []]);
    assert.match((await cli.run(["set", path, "tokenizer.ggml.eos_token_id", "2"])).stdout, /^Nothing to change\.\n$/);
    assert.equal((await stat(path)).mtimeMs, before.mtimeMs);
  });

  test("a lock that is a pipe is not waited for", { skip: windows, timeout: 60_000 }, async () => {
    const { path } = await newModel();
    execFileSync("mkfifo", [`${path}.lock`]);
    const { code, stderr } = await cli.run(["set", path, "general.name", "x"]);
    assert.deepEqual([code, /\(locked\)\n$/.test(stderr)], [1, true]);
  });

  test("the lock of a running process is respected, and stays", async () => {
    const { folder, path } = await newModel();
    const lock = `${path}.lock`;
    for (const text of [`${process.pid} ${hostname()}\n`, "12 another-host\n", ""]) {
      await writeFile(lock, text);
      for (const args of [
        ["set", path, "general.name", LONG_NAME],
        ["set", path, "llama.context_length", "5", "--in-place"],
      ]) {
        const { code, stderr } = await cli.runProcess(args);
        assert.equal(code, 1);
        assert.match(stderr, /changes the file now\. .* remove .*model\.gguf\.lock \(locked\)\n$/);
      }
      assert.equal(await readFile(lock, "utf8"), text);
    }
    assert.deepEqual(await bytesOf(path), original);
    assert.equal((await cli.run(["set", path, "general.name", "x", "-o", join(folder, "new.gguf")])).code, 0);
  });

  test("what a process that has ended left behind is removed", { skip: windows }, async () => {
    const { folder, path } = await newModel();
    const ended = spawn("true");
    await once(ended, "close");
    await writeFile(`${path}.lock`, `${ended.pid} ${hostname()}\n`);
    await writeFile(join(folder, `.model.gguf.${ended.pid}-0a0b0c0d.part`), "a part");
    assert.equal((await cli.run(["set", path, "general.name", "Other"])).code, 0);
    assert.equal(await valueOf(path, "general.name"), "Other");
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });

  for (const signal of /** @type {const} */ (["SIGKILL", "SIGINT"])) {
    test(`${signal} leaves the old or the new file`, { skip: windows }, async () => {
      const { folder, path } = await newModel(await modelBytes({ sizes: [16 << 20] }));
      const before = await bytesOf(path);
      const child = spawn(cli.program(), ["set", path, "general.name", LONG_NAME]);
      const closed = once(child, "close");
      // Before the process has named itself in the lock, only a person can say whether it still runs.
      const lockSize = () => statSync(`${path}.lock`, { throwIfNoEntry: false })?.size ?? 0;
      while (lockSize() === 0) await new Promise((resolve) => setImmediate(resolve));
      child.kill(signal);
      await closed;
      const name = await valueOf(path, "general.name");
      if (name === "A model") assert.deepEqual(await bytesOf(path), before);
      else assert.equal(name, LONG_NAME);
      if (signal === "SIGINT") assert.deepEqual(namesIn(folder), ["model.gguf"]);
      assert.equal((await cli.run(["set", path, "general.name", "Another name"])).code, 0);
      assert.deepEqual(namesIn(folder), ["model.gguf"]);
    });
  }

  test("a file that has changed since it was read is refused", async () => {
    const { folder, path } = await newModel();
    const { ChangedFile } = await import(cli.module("changed-file.js"));
    const { mtime } = await stat(path);
    /** @type {(() => Promise<void>)[]} */
    const changes = [
      () => writeFile(path, original.slice(0, -1)),
      () => writeFile(path, original),
      // Programs that copy files set the old time.
      async () => {
        await writeFile(path, original);
        await utimes(path, mtime, mtime);
      },
    ];
    for (const change of changes) {
      await writeFile(path, original);
      const file = await ChangedFile.lock(path, path);
      const replacement = file.replacement();
      await change();
      await replacement.write({ stream: async function* () {} }, () => {});
      assert.throws(() => replacement.moveIntoPlace(), { code: "changed" });
      await assert.rejects(file.patch({ applyTo: () => assert.fail("the file is written") }), { code: "changed" });
      file.unlock();
    }
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });
});

describe("edit", () => {
  test("several changes are made in their order, with one write", async () => {
    const { folder, path } = await newModel();
    const template = join(folder, "template.jinja");
    await writeFile(template, "{{ bos }} = x");
    const { stdout } = await cli.succeed([
      "edit",
      path,
      "--set",
      "my.flag:bool=true",
      "--rename",
      "my.flag=my.other",
      "--set",
      "general.name=a=b:c",
      "--set",
      'my.a:b:STRING[]=["x"]',
      "--set-file",
      `tokenizer.chat_template=${template}`,
      "--remove",
      "tokenizer.ggml.eos_token_id",
      "--set",
      "tokenizer.ggml.bos_token_id=<s>",
    ]);
    assert.equal(stdout.match(/: (written|changed in place), /g)?.length, 1);
    const { metadata, entries } = await open(path);
    assert.equal(metadata.get("my.other"), true);
    assert.equal(metadata.get("general.name"), "a=b:c");
    assert.equal(metadata.get("tokenizer.chat_template"), "{{ bos }} = x");
    assert.equal(metadata.get("tokenizer.ggml.bos_token_id"), 1);
    assert.ok(!metadata.has("tokenizer.ggml.eos_token_id") && !metadata.has("my.flag"));
    assert.equal(entries.find(({ key }) => key === "my.a:b")?.elementType, "STRING");
    // The key exists now, so its last part is not a type.
    assert.equal((await cli.run(["edit", path, "--set", 'my.a:b=["y"]'])).code, 0);
    const tensors = ["--rename-tensor", "output_norm.weight=x.weight", "--remove-tensor", "x.weight", "--force"];
    assert.equal((await cli.run(["edit", path, ...tensors])).code, 0);
    assert.equal((await open(path)).tensors.length, 10);
  });

  test("if one change is not possible, none is made", async () => {
    const { path } = await newModel();
    const args = ["edit", path, "--set", "general.name=Other", "--remove", "no.such.key"];
    assert.equal((await cli.run(args)).code, 3);
    for (const wrong of [
      [],
      ["--set", "general.name"],
      ["--set", "=x"],
      ["--set", "my.key:UINT33=5"],
      ["--rename", "general.name"],
      ["--set", "llama.context_length=many"],
    ]) {
      const { code, stderr } = await cli.run(["edit", path, ...wrong]);
      assert.equal(code, 2, wrong.join(" "));
      assert.match(stderr, /See `gguf-wasm edit --help`/);
    }
    const typed = await cli.run(["set", path, "my.key:UINT8", "5"]);
    assert.equal(typed.code, 2);
    assert.match(typed.stderr, /ends in the name of a type\. Give the type with --type UINT8\./);
    assert.deepEqual(await bytesOf(path), original);
  });

  test("special tokens by their text", async () => {
    const { path } = await newModel();
    /** @type {[string, number][]} */
    const cases = [
      ["<s>", 1],
      ["4", 4],
      ['"</s>"', 2],
      ['"quoted"', 7],
    ];
    for (const [text, id] of cases) {
      assert.equal((await cli.run(["set", path, "tokenizer.ggml.eos_token_id", text])).code, 0, text);
      assert.equal(await valueOf(path, "tokenizer.ggml.eos_token_id"), id, text);
    }
    const twice = '["<unk>", "<s>", "</s>", "a", "twice", "twice", "d", "e"]';
    assert.equal((await cli.run(["set", path, "tokenizer.ggml.tokens", twice, "--force"])).code, 0);
    for (const text of ["<none>", "twice"]) {
      const { code, stderr } = await cli.run(["set", path, "tokenizer.ggml.eos_token_id", text]);
      assert.equal(code, 3);
      assert.match(stderr, /\(unknown-token\)\n$/);
    }
  });
});

describe("validate --fix", () => {
  /** A model with problems, of which some need no decision. */
  async function brokenModel() {
    const { folder, path } = await newModel();
    const wrong = ["--set", "llama.context_length:UINT64=128", "--remove", "llama.attention.layer_norm_rms_epsilon"];
    assert.equal((await cli.run(["edit", path, ...wrong, "--set", "llama.block_count:UINT16=1", "--force"])).code, 0);
    return { folder, path };
  }

  test("makes the fixes that need no decision, and lists what remains", async () => {
    const { folder, path } = await brokenModel();
    const before = (await cli.json(["validate", path], 1)).files[0].findings;
    assert.ok(before.length > 2);
    const { code, stdout } = await cli.run(["validate", path, "--fix"]);
    assert.equal(code, 1, "an error remains");
    assert.match(stdout, /model\.gguf: \d problems fixed\n(.*\n)*error.*llama\.context_length.*Convert to UINT32/);
    assert.match(
      stdout,
      /After that: llama\.cpp does not load the file: .*\n1 error, .*\n(.*\n)*error.*llama\.attention\.layer_norm_rms_epsilon/,
    );
    const gguf = await open(path);
    const types = Object.fromEntries(gguf.entries.map(({ key, type }) => [key, type]));
    assert.deepEqual([types["llama.context_length"], types["llama.block_count"]], ["UINT32", "UINT32"]);
    assert.equal(gguf.validate().filter(({ fix }) => fix?.isSafe).length, 0);
    const again = await cli.run(["validate", path, "--fix"]);
    assert.match(
      again.stdout,
      /^.*model\.gguf: llama\.cpp does not load the file: .*\n1 error, /,
      "nothing is left to fix",
    );
    const [unchanged] = (await cli.json(["validate", path, "--fix"], 1)).files;
    assert.deepEqual([unchanged.written, unchanged.output, unchanged.fixed], [[], null, []]);
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });

  test("with --dry-run, --output and --json", async () => {
    const { folder, path } = await brokenModel();
    const broken = await bytesOf(path);
    const output = join(folder, "fixed.gguf");
    for (const [args, written] of /** @type {[string[], boolean][]} */ ([
      [["--dry-run"], false],
      [["-o", output], true],
    ])) {
      const [result] = (await cli.json(["validate", path, "--fix", ...args], 1)).files;
      assert.deepEqual(result.written, written ? [output] : []);
      assert.equal(result.output, written ? output : null);
      assert.ok(result.fixed.some((/** @type {any} */ { fix }) => fix === "Convert to UINT32"));
      assert.ok(result.findings.some((/** @type {any} */ { key }) => key === "llama.attention.layer_norm_rms_epsilon"));
      assert.deepEqual(await bytesOf(path), broken);
    }
    assert.deepEqual(namesIn(folder), ["fixed.gguf", "model.gguf"]);
    assert.equal((await cli.run(["validate", path, "--dry-run"])).code, 2);
    assert.equal((await cli.run(["validate", path, path, "--fix", "-o", output])).code, 2);
  });
});

describe("a shard", () => {
  test("is changed alone, and the command says so; --merged changes the set", async () => {
    const { folder, path } = await newModel();
    await cli.json(["split", path, join(folder, "x"), "--max-tensors", "6"]);
    const second = join(folder, "x-00002-of-00002.gguf");
    const { stderr } = await cli.succeed(["set", second, "general.name", "Other", "--force"]);
    assert.match(
      stderr,
      /shard 2 of 2, and the command is about this file only\. .* give x-00001-of-00002\.gguf\. .*--merged/,
    );
    const output = join(folder, "merged.gguf");
    const merged = await cli.run(["set", second, "general.name", LONG_NAME, "--merged", "-o", output]);
    assert.equal(merged.code, 0, merged.stderr);
    assert.doesNotMatch(merged.stderr, /only this file/);
    const gguf = await open(output);
    assert.equal(gguf.metadata.get("general.name"), LONG_NAME);
    assert.equal(gguf.tensors.length, 11);
    assert.ok(!gguf.metadata.has("split.count"));
    assert.equal((await cli.run(["set", second, "general.name", "x", "--merged"])).code, 2);
  });

  test("a file named like a shard of more shards than a set can have is no shard", async () => {
    const { folder } = await newModel();
    const path = join(folder, "a-00002-of-99999.gguf");
    await writeFile(path, original);
    const { code, stderr } = await cli.run(["set", path, "general.name", LONG_NAME]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal((await cli.json(["inspect", path])).name, LONG_NAME);
    const merged = await cli.run(["merge", path, join(folder, "merged.gguf")]);
    assert.deepEqual([merged.code, /\(not-a-shard\)\n$/.test(merged.stderr)], [3, true]);
  });
});

test("messages speak of the command line, not of the interface of the package", async () => {
  const { folder, path } = await newModel();
  await cli.json(["split", path, join(folder, "x"), "--max-tensors", "6"]);
  const shard = join(folder, "x-00002-of-00002.gguf");
  /** @type {[string[], RegExp][]} */
  const cases = [
    [["set", path, "llama.context_length", "-1"], /the value -1 of .* does not fit UINT32\. Expected 0 to 4294967295/],
    [["set", path, "my.key", "99999999999999999999"], /the value 99999999999999999999 of .* does not fit UINT64/],
    [["remove", path, "none", "--tensor"], /no tensor/],
    [["export", path, "--tensor", "none"], /`gguf-wasm inspect FILE --tensors` lists them/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await cli.run(args);
    assert.equal(code, 3);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\dn |`tensors`/);
  }
  const { code, stderr } = await cli.run(["split", shard, join(folder, "y")]);
  assert.equal(code, 2);
  assert.match(stderr, /one of 2 shards; merge the set first with `gguf-wasm merge SHARD OUTPUT`/);
});

test("the usage of convert-endian shows that it needs --to", async () => {
  const { stdout } = await cli.run(["convert-endian", "--help"]);
  assert.match(stdout, /^Usage: gguf-wasm convert-endian FILE --to little\|big \[OPTIONS\]\n/);
  const { code, stderr } = await cli.run(["convert-endian", "model.gguf"]);
  assert.equal(code, 2);
  assert.match(stderr, /--to little\|big is missing/);
});
