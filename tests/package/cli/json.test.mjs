// The form of what `--json` prints: one object with `file`, the same types everywhere, and `written` in every command that writes.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { serveHub } from "../../support/hub-server.mjs";
import { llamaModel } from "../../support/llama-model.mjs";
import { shardFiles } from "../../support/shards.mjs";
import { missing, pathOf } from "../corpus.mjs";
import { installCommandLine, modelBytes } from "./command-line.mjs";

const cli = await installCommandLine(["convert", "models"]);

/** @type {typeof import("../../../pkg-template/cli/json-members.js")} */
const { JSON_MEMBERS } = await import(cli.module("json-members.js"));
/** @type {typeof import("../../../pkg-template/cli/commands.js")} */
const { COMMANDS } = await import(cli.module("commands.js"));

/** @param {unknown} value */
const typeOf = (value) => (Array.isArray(value) ? "array" : typeof value);

/**
 * Runs a command with `--json`, and checks the common form.
 *
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 */
async function run(args, env = {}) {
  const { code, stdout } = await cli.run([...args, "--json"], { env });
  const object = JSON.parse(stdout);
  const name = args.join(" ");
  assert.ok("file" in object, name);
  if (object.file !== null)
    assert.equal(
      object.file,
      args.slice(1).find((text) => !text.startsWith("-")),
      name,
    );
  for (const [member, value] of Object.entries(object)) {
    const known = JSON_MEMBERS[member];
    assert.ok(known, `${name}: ${member} is not documented`);
    if (value === null) assert.ok(known.orNull, `${name}: ${member} is null`);
    else if (known.type !== "any") assert.equal(typeOf(value), known.type, `${name}: ${member}`);
  }
  for (const path of object.written ?? []) assert.ok(existsSync(path), path);
  return { code, object, name };
}

/** A folder with a model, a changed model and a set of shards. */
async function newFolder() {
  const folder = await cli.folder();
  const path = join(folder, "model.gguf");
  await writeFile(path, await modelBytes());
  await writeFile(join(folder, "other.gguf"), await modelBytes({ name: "Another model" }));
  await mkdir(join(folder, "set"));
  const shards = shardFiles(2);
  for (const [name, bytes] of Object.entries(shards)) await writeFile(join(folder, "set", name), bytes);
  return { folder, path, other: join(folder, "other.gguf"), shard: join(folder, "set", Object.keys(shards)[0] ?? "") };
}

describe("--json", { skip: missing }, () => {
  test("every command that reads", async (t) => {
    const { folder, path, other, shard } = await newFolder();
    const vocabulary = pathOf("files/ggml-vocab-llama-spm.gguf");
    const real = pathOf("real/all-MiniLM-L6-v2-Q4_K_M.gguf");
    const manifest = join(folder, "manifest");
    await writeFile(manifest, (await cli.run(["hash", path])).stdout);
    const messages = join(folder, "messages.json");
    await writeFile(messages, '[{ "role": "user", "content": "Hello" }]');
    const templated = join(folder, "templated.gguf");
    await cli.succeed(["set", vocabulary, "tokenizer.chat_template", "{{ messages[-1].content }}", "-o", templated]);
    const hub = await serveHub(t, { "owner/name": { files: { "m.gguf": await modelBytes() }, gguf: { total: 1 } } });
    const commands = [
      ["inspect", path],
      ["inspect", shard],
      ["inspect", real, "-k", "general.name"],
      ["inspect", path, "-k", "general.name", "-k", "general.tags"],
      ["validate", path, other],
      ["memory", real],
      ["memory", real, "--fit", "1G"],
      ["memory", real, "--fit", "1M"],
      ["tokenize", vocabulary, "Hello"],
      ["tokenize", vocabulary, "1 2", "--decode"],
      ["template", templated],
      ["template", templated, "--list"],
      ["template", templated, "--render", messages, "--tokens"],
      ["template", templated, "--check"],
      ["hash", path, "--file"],
      ["hash", path, "--check", manifest],
      ["compare", path, other],
      ["compare", path, path],
      ["list", "hub:owner/name"],
    ];
    for (const args of commands) {
      const { object, name } = await run(args, { HF_ENDPOINT: hub.origin });
      assert.equal(object.error, undefined, name);
      assert.equal(object.written, undefined, name);
    }
    const tested = new Set(commands.map(([name]) => name));
    // `migrate` is tested in legacy.test.mjs, `convert` in convert.test.mjs, and the commands for adapters in lora.test.mjs.
    const writers = [
      "set",
      "edit",
      "remove",
      "rename",
      "convert-endian",
      "split",
      "merge",
      "quantize",
      "convert",
      "convert-lora",
      "merge-lora",
      "export",
      "migrate",
    ];
    assert.deepEqual(
      Object.entries(COMMANDS)
        .filter(([name, { options }]) => "json" in options && !tested.has(name) && !writers.includes(name))
        .map(([name]) => name),
      [],
    );
  });

  test("what people are warned of is in the result, and not on the standard error", async () => {
    const { folder, shard } = await newFolder();
    const tiny = pathOf("real/all-MiniLM-L6-v2-Q4_K_M.gguf");
    const missingShard = join(folder, "set", Object.keys(shardFiles(2))[1] ?? "");
    await rm(missingShard);
    const output = (/** @type {string} */ name) => ["--output", join(folder, name)];
    const commands = [
      ["inspect", shard],
      ["inspect", shard, "-k", "general.architecture"],
      ["export", shard, "--format", "json", ...output("header.json")],
      ["memory", tiny, "--beside", shard],
    ];
    for (const args of commands) {
      const { code, stderr, stdout } = await cli.run([...args, "--json"]);
      assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
      assert.equal(stderr, "", args.join(" "));
      const { findings } = JSON.parse(stdout);
      assert.ok(
        findings.some((/** @type {{ severity: string }} */ { severity }) => severity === "error"),
        `${args.join(" ")}: ${stdout.slice(0, 300)}`,
      );
    }
    assert.match((await cli.run(["inspect", shard])).stderr, /the set has problems/);
    await writeFile(join(folder, "whole.gguf"), llamaModel());
    const { code, stderr, stdout } = await cli.run([
      "quantize",
      join(folder, "whole.gguf"),
      join(folder, "q.gguf"),
      "COPY",
      "--prune-layers",
      "999",
      "--json",
    ]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(JSON.stringify(JSON.parse(stdout).findings), /999/);
  });

  test("every command that writes: `written` has the paths", async () => {
    const { folder, path, other, shard } = await newFolder();
    const output = (/** @type {string} */ name) => join(folder, name);
    /** @type {[string[], string[]][]} */
    const commands = [
      [["set", path, "general.name", "New"], [path]],
      [["edit", path, "--set", "general.name=Newer", "-o", output("edited")], [output("edited")]],
      [["remove", path, "general.tags", "-o", output("removed")], [output("removed")]],
      [["rename", path, "general.tags", "test.tags", "-o", output("renamed")], [output("renamed")]],
      [["convert-endian", path, "--to", "big", "-o", output("big")], [output("big")]],
      [
        ["split", path, output("part"), "--max-tensors", "2"],
        ["1", "2"].map((n) => output(`part-0000${n}-of-00002.gguf`)),
      ],
      [["merge", shard, output("merged")], [output("merged")]],
      [["quantize", pathOf("quantize/tiny.gguf"), output("q8"), "Q8_0"], [output("q8")]],
      [
        ["quantize", pathOf("quantize/tiny.gguf"), output("q8"), "Q8_0", "--keep-split"],
        [output("q8-00001-of-00001.gguf")],
      ],
      [["export", path, "-o", output("json")], [output("json")]],
      [["export", path, "--tensor", "blk.0.attn_q.weight", "-o", output("npy")], [output("npy")]],
    ];
    for (const [args, expected] of commands) {
      const hasDryRun = "dry-run" in (COMMANDS[args[0] ?? ""]?.options ?? {});
      if (hasDryRun) {
        const { object, name } = await run([...args, "--dry-run"]);
        assert.deepEqual(object.written, [], name);
      }
      const { code, object, name } = await run(args);
      assert.equal(code, 0, name);
      assert.deepEqual(object.written, expected, name);
    }
    const same = await run(["convert-endian", path, "--to", "little"]);
    assert.deepEqual([same.object.written, same.object.output], [[], null]);
    const fixed = await run(["validate", other, "--fix"]);
    assert.equal(typeOf(fixed.object.written), "array");
  });

  test("errors", async () => {
    const { folder, path } = await newFolder();
    const none = join(folder, "none.gguf");
    for (const name of Object.keys(COMMANDS)) {
      const { code, object } = await run([name]);
      assert.deepEqual([code, object.file, object.error.code], [2, null, "usage"], name);
    }
    for (const args of [
      ["inspect", none],
      ["set", none, "a", "b"],
      ["split", none, "a"],
      ["compare", none, path],
    ]) {
      const { code, object, name } = await run(args);
      assert.deepEqual([code, object.file, object.error.code], [3, none, "ENOENT"], name);
    }
    const { object } = await run(["export", path]);
    assert.equal(object.error.code, "usage");
  });
});
