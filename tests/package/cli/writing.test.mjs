// The commands that write: set, remove, rename, convert-endian, split and merge.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, link, lstat, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { serveFile, serveFolder } from "../../support/file-server.mjs";
import { json, missing, pathOf, read } from "../corpus.mjs";
import { installCommandLine, modelBytes, namesIn } from "./command-line.mjs";

const cli = await installCommandLine();

const original = await modelBytes();

/** Too long to fit into the padding before the data. */
const LONG_NAME = `A long name${" of many words".repeat(5)}`;

/** A new folder with `model.gguf`. */
const newModel = () => cli.newModel(original);

/** @param {string} path */
const open = async (path) => Gguf.open(await readFile(path));

describe("set", () => {
  test("replaces the file, keeps its permissions, and leaves no other file", async () => {
    const { folder, path } = await newModel();
    await chmod(path, 0o640);
    const { ino } = await stat(path);
    const { stdout } = await cli.succeed(["set", path, "general.name", LONG_NAME]);
    assert.match(stdout, /^set general\.name: "A model" → "A long name.*" \(STRING\)\n.*model\.gguf: written, /);
    const gguf = await open(path);
    assert.equal(gguf.metadata.get("general.name"), LONG_NAME);
    assert.deepEqual(await gguf.readBytes("blk.2.attn_q.weight"), new Uint8Array(128).fill(3));
    const now = await stat(path);
    assert.notEqual(now.ino, ino, "it is a new file");
    if (process.platform !== "win32") assert.equal(now.mode & 0o777, 0o640);
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });

  test("--in-place changes the file itself", async () => {
    const { folder, path } = await newModel();
    const { ino } = await stat(path);
    const { stdout } = await cli.succeed(["set", path, "llama.context_length", "4096", "--in-place"]);
    assert.match(stdout, /model\.gguf: changed in place/);
    assert.equal((await open(path)).metadata.get("llama.context_length"), 4096);
    assert.equal((await stat(path)).ino, ino);
    const changed = await readFile(path);
    assert.equal(changed.filter((byte, i) => byte !== original[i]).length, 1);
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });

  test("--in-place is refused if the data moves, and nothing is changed", async () => {
    const { folder, path } = await newModel();
    const { code, stderr } = await cli.run(["set", path, "general.name", "x".repeat(500), "--in-place"]);
    assert.equal(code, 1);
    assert.match(stderr, /Leave out --in-place.*\(not-in-place\)/);
    assert.deepEqual(new Uint8Array(await readFile(path)), original);
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
  });

  test("--output writes another file, and overwrites one only with --force", async () => {
    const { folder, path } = await newModel();
    const output = join(folder, "new.gguf");
    assert.equal((await cli.run(["set", path, "general.name", "One", "-o", output])).code, 0);
    const refused = await cli.run(["set", path, "general.name", "Two", "-o", output]);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /new\.gguf: the file exists already.*--force\. \(file-exists\)/);
    assert.equal((await open(output)).metadata.get("general.name"), "One");
    assert.equal((await cli.run(["set", path, "general.name", "Two", "-o", output, "--force"])).code, 0);
    assert.equal((await open(output)).metadata.get("general.name"), "Two");
    assert.deepEqual(new Uint8Array(await readFile(path)), original);
    assert.deepEqual(namesIn(folder), ["model.gguf", "new.gguf"]);
  });

  test("--dry-run writes nothing", async () => {
    const { folder, path } = await newModel();
    for (const args of [[], ["--in-place"], ["-o", join(folder, "new.gguf")]]) {
      const result = await cli.json(["set", path, "llama.context_length", "4096", "--dry-run", ...args]);
      assert.equal(result.output, null);
      assert.equal(result.inPlace, true);
      assert.equal(result.size, original.length);
      assert.deepEqual(result.changes[0].to, 4096);
    }
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
    assert.deepEqual(new Uint8Array(await readFile(path)), original);
  });

  test("types: that of the entry, of the key, of the value, or the given one", async () => {
    const { path } = await newModel();
    /** @type {[string, string, string, unknown, string?][]} */
    const cases = [
      ["general.name", "42", "STRING", "42"],
      ["llama.context_length", "8192", "UINT32", 8192],
      ["test.big", "18446744073709551614", "UINT64", 2n ** 64n - 2n],
      ["llama.rope.freq_base", "-1.5e3", "FLOAT32", -1500],
      ["llama.block_count", "7", "UINT32", 7],
      ["my.negative", "-5", "INT32", -5],
      ["my.text", "hello", "STRING", "hello"],
      ["my.bool", "true", "BOOL", true],
      ["my.infinity", "-inf", "FLOAT32", -Infinity, "FLOAT32"],
      ["my.byte", "200", "UINT8", 200, "uint8"],
      ["general.license", "true", "STRING", "true"],
    ];
    for (const [key, text, type, value, asked] of cases) {
      await cli.succeed(["set", path, key, text, ...(asked ? ["--type", asked] : []), "--force"]);
      const entry = (await open(path)).entries.find((entry) => entry.key === key);
      assert.deepEqual([entry?.type, entry?.value], [type, value], key);
    }
    /** @type {[string, string, string, unknown[], string?][]} */
    const arrays = [
      ["general.tags", '["a", "b, c", "\\u00e9"]', "STRING", ["a", "b, c", "é"]],
      ["my.longs", "[1, 18446744073709551615]", "UINT64", [1n, 2n ** 64n - 1n], "UINT64[]"],
      ["my.floats", "[0.5, 1]", "FLOAT32", [0.5, 1], "FLOAT32[]"],
      ["my.empty", "[]", "INT32", [], "INT32[]"],
    ];
    for (const [key, text, type, elements, asked] of arrays) {
      await cli.succeed(["set", path, key, text, ...(asked ? ["--type", asked] : [])]);
      const entry = (await open(path)).entries.find((entry) => entry.key === key);
      assert.equal(entry?.elementType, type, key);
      assert.deepEqual([.../** @type {any} */ (entry).value], elements, key);
    }
  });

  test("values that cannot be read are wrong use; those that do not fit are refused", async () => {
    const { path } = await newModel();
    for (const args of [
      ["llama.context_length", "many"],
      ["llama.context_length", "1.5"],
      ["general.tags", "one"],
      ["general.tags", "[1]"],
      ["my.key", "1", "--type", "UINT33"],
      ["general.name"],
      ["general.name", "x", "--from-file", "y"],
    ]) {
      const { code, stderr } = await cli.run(["set", path, ...args]);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, /^gguf-wasm: .*\nSee `gguf-wasm set --help`\.\n$/, args.join(" "));
    }
    const { code, stderr } = await cli.run(["set", path, "llama.context_length", "-1"]);
    assert.equal(code, 3);
    assert.match(stderr, /model\.gguf: .*\(does-not-fit/);
    assert.deepEqual(new Uint8Array(await readFile(path)), original);
  });

  test("a value from a file", async () => {
    const { folder, path } = await newModel();
    const template = join(folder, "template.jinja");
    await writeFile(template, "{{ bos }}\n\tü");
    assert.equal((await cli.run(["set", path, "tokenizer.chat_template", "--from-file", template])).code, 0);
    const { stdout } = await cli.run(["inspect", path, "--key", "tokenizer.chat_template"]);
    assert.equal(stdout, "{{ bos }}\n\tü\n");
  });

  test("a URL needs --output", async (context) => {
    const { folder } = await newModel();
    const { url } = await serveFile(context, original);
    const refused = await cli.run(["set", url, "general.name", "x"]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--output PATH/);
    assert.equal((await cli.run(["set", url, "general.name", "x", "--in-place"])).code, 2);
    const output = join(folder, "from-url.gguf");
    assert.equal((await cli.run(["set", url, "general.name", "x", "-o", output])).code, 0);
    assert.equal((await open(output)).metadata.get("general.name"), "x");
    assert.equal((await cli.run(["set", url, "general.name", "x", "--dry-run"])).code, 0);
  });

  test(
    "a symbolic link stays, and its file is replaced",
    { skip: process.platform === "win32" && "no links" },
    async () => {
      const { folder, path } = await newModel();
      await mkdir(join(folder, "links"));
      const linked = join(folder, "links", "linked.gguf");
      await symlink(path, linked);
      assert.equal((await cli.run(["set", linked, "general.name", "Through a link"])).code, 0);
      assert.ok((await lstat(linked)).isSymbolicLink());
      assert.equal((await open(path)).metadata.get("general.name"), "Through a link");
      assert.deepEqual(namesIn(join(folder, "links")), ["linked.gguf"]);
      const other = join(folder, "second-name.gguf");
      await link(path, other);
      assert.equal((await cli.run(["set", path, "general.name", "Only one name"])).code, 0);
      assert.equal((await open(other)).metadata.get("general.name"), "Through a link");
    },
  );

  test("a change that changes nothing writes nothing", async () => {
    const { path } = await newModel();
    const { ino } = await stat(path);
    const { stdout } = await cli.succeed(["convert-endian", path, "--to", "little"]);
    assert.equal(stdout, "Nothing to change.\n");
    assert.equal((await stat(path)).ino, ino);
  });
});

test(
  "an unfinished file is readable only for its owner; a new one has the usual mode",
  { skip: process.platform === "win32" && "no modes" },
  async () => {
    const { folder } = await newModel();
    const { OutputFile } = await import(cli.module("output-file.js"));
    const output = join(folder, "new.gguf");
    /** @type {number[]} */
    const modes = [];
    const plan = {
      async *stream() {
        yield original;
        const [unfinished = ""] = namesIn(folder).filter((name) => name.endsWith(".part"));
        modes.push((await stat(join(folder, unfinished))).mode & 0o777);
      },
    };
    const file = await OutputFile.at(output, { mayReplace: false });
    await file.write(plan, () => {});
    file.moveIntoPlace();
    assert.deepEqual(modes, [0o600]);
    assert.equal((await stat(output)).mode & 0o777, 0o666 & ~process.umask());
  },
);

describe("remove and rename", () => {
  test("entries", async () => {
    const { path } = await newModel();
    const { stdout } = await cli.run(["remove", path, "general.tags", "test.big"]);
    assert.match(stdout, /^remove general\.tags\nremove test\.big\n/);
    await cli.json(["rename", path, "general.name", "general.basename"]);
    const { metadata } = await open(path);
    assert.equal(metadata.get("general.basename"), "A model");
    for (const key of ["general.tags", "test.big", "general.name"]) assert.ok(!metadata.has(key), key);
  });

  test("tensors", async () => {
    const { path } = await newModel();
    await cli.json(["rename", path, "blk.0.attn_q.weight", "blk.0.attn_k.weight", "--tensor", "--force"]);
    await cli.json(["remove", path, "blk.1.attn_q.weight", "--tensor", "--force"]);
    const gguf = await open(path);
    assert.deepEqual(
      gguf.tensors.map(({ name }) => name),
      ["blk.0.attn_k.weight", "blk.2.attn_q.weight"],
    );
    assert.deepEqual(await gguf.readBytes("blk.2.attn_q.weight"), new Uint8Array(128).fill(3));
  });

  test("names that are not there or are taken: nothing is changed", async () => {
    const { path } = await newModel();
    /** @type {[string[], string][]} */
    const cases = [
      [["remove", path, "general.tags", "no.such.key"], "unknown-key"],
      [["remove", path, "no.tensor", "--tensor"], "unknown-tensor"],
      [["rename", path, "general.name", "general.tags"], "key-taken"],
      [["rename", path, "blk.0.attn_q.weight", "blk.1.attn_q.weight", "--tensor"], "name-taken"],
    ];
    for (const [args, expected] of cases) {
      const { code, stderr } = await cli.run(args);
      assert.equal(code, 3);
      assert.match(stderr, new RegExp(`^gguf-wasm: .*model\\.gguf: .*\\(${expected}\\)\\n$`));
    }
    assert.deepEqual(new Uint8Array(await readFile(path)), original);
  });
});

describe("convert-endian", () => {
  test("there and back", async () => {
    const { folder, path } = await newModel();
    const big = join(folder, "big.gguf");
    await cli.json(["convert-endian", path, "--to", "big", "--output", big]);
    assert.equal((await cli.json(["inspect", big])).byteOrder, "big-endian");
    await cli.json(["convert-endian", big, "--to", "little"]);
    assert.deepEqual(new Uint8Array(await readFile(big)), original);
    assert.equal((await cli.run(["convert-endian", path])).code, 2);
    assert.equal((await cli.run(["convert-endian", path, "--to", "middle"])).code, 2);
  });

  test("files of the corpus", { skip: missing }, async () => {
    const { folder } = await newModel();
    const output = join(folder, "little.gguf");
    await cli.json(["convert-endian", pathOf("files/be-v3-quant.gguf"), "--to", "little", "-o", output]);
    assert.deepEqual(await readFile(output), Buffer.from(read("files/le-v3-quant.gguf")));
  });
});

describe("merge --experts", { skip: missing }, () => {
  const old = pathOf("reports/mixtral-one-tensor-per-expert.gguf");

  test("makes one tensor of the experts, which llama.cpp loads", async () => {
    const { folder } = await newModel();
    const output = join(folder, "new.gguf");
    const { stdout } = await cli.run(["validate", old]);
    assert.match(stdout, /separate-experts .*gguf-wasm merge --experts/s);
    assert.ok(!/Download the file again|remove it/.test(stdout), stdout);
    const dry = await cli.json(["merge", "--experts", old, output, "--dry-run"]);
    assert.deepEqual([dry.written, dry.output], [[], null]);
    assert.ok(!namesIn(folder).includes("new.gguf"));
    const result = await cli.json(["merge", "--experts", old, output]);
    assert.deepEqual([result.written, result.loads.answer, result.size], [[output], "yes", (await stat(output)).size]);
    const [before, after] = [await open(old), await open(output)];
    for (const matrix of ["gate", "up", "down"]) {
      const experts = [0, 1, 2, 3].map((expert) => before.readBytes(`blk.0.ffn_${matrix}.${expert}.weight`));
      const joined = Buffer.concat(await Promise.all(experts));
      assert.deepEqual(Buffer.from(await after.readBytes(`blk.0.ffn_${matrix}_exps.weight`)), joined, matrix);
    }
    const { code, stderr } = await cli.run(["merge", "--experts", output, join(folder, "again.gguf")]);
    assert.equal(code, 2);
    assert.match(stderr, /no tensor of a single expert/);
  });

  test("is for one file", async () => {
    const { folder } = await newModel();
    const { code, stderr } = await cli.run(["merge", "--experts", old, old, join(folder, "new.gguf")]);
    assert.equal(code, 2);
    assert.match(stderr, /there are two arguments/);
  });
});

describe("split and merge", () => {
  test("split and merged again, the file has the same bytes", async () => {
    const { folder, path } = await newModel();
    const { stdout } = await cli.succeed(["split", path, join(folder, "part"), "--max-tensors", "1"]);
    assert.match(stdout, /part-00001-of-00003\.gguf +1 +[\d,]+\n(.*\n){2}3 shards written\.\n$/);
    assert.deepEqual(namesIn(folder), ["model.gguf", ...[1, 2, 3].map((i) => `part-0000${i}-of-00003.gguf`)]);
    const merged = join(folder, "merged.gguf");
    for (const number of [1, 3]) {
      await cli.json(["merge", join(folder, `part-0000${number}-of-00003.gguf`), merged, "--force"]);
      assert.deepEqual(new Uint8Array(await readFile(merged)), original);
    }
    const server = await serveFolder(folder);
    try {
      const fromUrl = join(folder, "from-url.gguf");
      await cli.json(["merge", `${server.origin}/part-00002-of-00003.gguf`, fromUrl]);
      assert.deepEqual(new Uint8Array(await readFile(fromUrl)), original);
    } finally {
      await server.close();
    }
  });

  test("the shards are those of llama.cpp", { skip: missing }, async () => {
    // The first run of each option. The tests of the package compare all runs.
    const { runs } = json("split/index.json");
    const comparable = runs.filter((/** @type {any} */ run) => run.exit === 0 && run.shards && !run.source_alignment);
    const chosen = ["--split-max-tensors", "--split-max-size", "--no-tensor-first-split"].map((option) =>
      comparable.find((/** @type {any} */ run) => run.options.includes(option)),
    );
    for (const run of chosen) {
      const folder = await cli.folder();
      const options = run.options.map((/** @type {string} */ option) => option.replace("--split-max", "--max"));
      await cli.json(["split", pathOf(run.source), join(folder, "out"), ...options]);
      const found = [];
      for (const name of namesIn(folder)) {
        const bytes = await readFile(join(folder, name));
        found.push({ name, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
      }
      assert.deepEqual(
        found,
        run.shards.map((/** @type {any} */ { name, size, sha256 }) => ({ name, size, sha256 })),
      );
    }
  });

  test("sizes with units; both limits at once are wrong use", async () => {
    const { folder, path } = await newModel();
    const shards = async (/** @type {string} */ size) =>
      (await cli.json(["split", path, join(folder, "x"), "--max-size", size, "--dry-run"])).shards.length;
    assert.equal(await shards("0.1K"), 3);
    assert.equal(await shards("320"), 2);
    assert.equal(await shards("1KiB"), 1);
    assert.deepEqual(namesIn(folder), ["model.gguf"]);
    for (const size of ["x", "1X", "-1", "1.2.3"]) {
      const { code } = await cli.run(["split", path, join(folder, "x"), "--max-size", size]);
      assert.equal(code, 2, size);
    }
    assert.equal((await cli.run(["split", path, "x", "--max-size", "1G", "--max-tensors", "1"])).code, 2);
    assert.equal((await cli.run(["split", path, `${folder}/`])).code, 2);
  });

  test("--no-tensor-first-split and --llama-cpp-keys", async () => {
    const { folder, path } = await newModel();
    const args = ["--max-tensors", "2", "--no-tensor-first-split"];
    const { shards } = await cli.json(["split", path, join(folder, "x"), ...args]);
    assert.deepEqual(
      shards.map((/** @type {any} */ { tensorCount }) => tensorCount),
      [0, 2, 1],
    );
    const merged = join(folder, "merged.gguf");
    await cli.json(["merge", join(folder, "x-00001-of-00003.gguf"), merged, "--llama-cpp-keys"]);
    assert.equal((await open(merged)).metadata.get("split.count"), 0);
    assert.equal((await cli.run(["merge", join(folder, "x-00001-of-00003.gguf"), merged])).code, 3);
  });

  test("if one shard exists, none is written", async () => {
    const { folder, path } = await newModel();
    const existing = join(folder, "x-00002-of-00003.gguf");
    await writeFile(existing, "mine");
    const args = ["split", path, join(folder, "x"), "--max-tensors", "1"];
    const { code, stderr } = await cli.run(args);
    assert.equal(code, 3);
    assert.match(stderr, /x-00002-of-00003\.gguf: the file exists already/);
    assert.deepEqual(namesIn(folder), ["model.gguf", "x-00002-of-00003.gguf"]);
    assert.equal(await readFile(existing, "utf8"), "mine");
    assert.equal((await cli.run([...args, "--force"])).code, 0);
    assert.deepEqual(namesIn(folder).length, 4);
  });

  test("an incomplete set, and a file that is no shard", async () => {
    const { folder, path } = await newModel();
    const output = join(folder, "merged.gguf");
    const noShard = await cli.run(["merge", path, output]);
    assert.equal(noShard.code, 3);
    assert.match(noShard.stderr, /\(not-a-shard\)/);
    await cli.json(["split", path, join(folder, "x"), "--max-tensors", "1"]);
    await rm(join(folder, "x-00003-of-00003.gguf"));
    const incomplete = await cli.run(["merge", join(folder, "x-00001-of-00003.gguf"), output]);
    assert.equal(incomplete.code, 3);
    assert.match(incomplete.stderr, /\(incomplete-set\)/);
    assert.ok(!namesIn(folder).includes("merged.gguf"));
  });

  test("a set with errors is not merged: exit code 1, and the findings", async () => {
    const { folder, path } = await newModel();
    await cli.json(["split", path, join(folder, "x"), "--max-tensors", "1"]);
    const shard = (/** @type {number} */ number) => join(folder, `x-0000${number}-of-00003.gguf`);
    const output = join(folder, "merged.gguf");
    const second = await readFile(shard(2));
    await writeFile(shard(2), await readFile(shard(3)));
    const duplicate = await cli.run(["merge", shard(1), output]);
    assert.equal(duplicate.code, 1, duplicate.stderr);
    assert.match(duplicate.stdout, /x-00001-of-00003\.gguf: cannot be merged.*\nerror +duplicate-shard /);
    await writeFile(shard(2), second.subarray(0, -32));
    const truncated = await cli.json(["merge", shard(1), output, "--force"], 1);
    assert.deepEqual(truncated.written, []);
    assert.ok(truncated.findings.some((/** @type {any} */ { code }) => code === "truncated-shard"));
    assert.ok(!namesIn(folder).includes("merged.gguf"));
  });

  test("swapped names are a warning: the order is that of the headers", async () => {
    const { folder, path } = await newModel();
    await cli.json(["split", path, join(folder, "x"), "--max-tensors", "1"]);
    const shard = (/** @type {number} */ number) => join(folder, `x-0000${number}-of-00003.gguf`);
    const second = await readFile(shard(2));
    await writeFile(shard(2), await readFile(shard(3)));
    await writeFile(shard(3), second);
    const { stderr } = await cli.succeed(["merge", shard(1), join(folder, "merged.gguf")]);
    assert.match(stderr, /^gguf-wasm: the set has problems:\n\w+ +swapped-shard /);
    assert.deepEqual(new Uint8Array(await readFile(join(folder, "merged.gguf"))), original);
  });

  test("a set of one shard", async () => {
    const { folder, path } = await newModel();
    await cli.json(["split", path, join(folder, "one")]);
    await cli.json(["merge", join(folder, "one-00001-of-00001.gguf"), join(folder, "merged.gguf")]);
    assert.deepEqual(new Uint8Array(await readFile(join(folder, "merged.gguf"))), original);
  });
});
