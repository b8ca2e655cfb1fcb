// No command writes over a file that it reads, whatever the options.

import assert from "node:assert/strict";
import { link, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { installCommandLine, modelBytes } from "./command-line.mjs";

const cli = await installCommandLine();
const windows = process.platform === "win32" && "no links";

const original = await modelBytes();

/** A new folder with `model.gguf`. */
const newModel = () => cli.newModel(original);

/** The names and the bytes of the files of a folder. @param {string} folder */
async function contents(folder) {
  const files = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    files.push([entry.name, entry.isFile() ? await readFile(join(folder, entry.name), "latin1") : ""]);
  }
  return files.sort();
}

/**
 * Runs a command that must be refused, and checks that it has changed nothing.
 *
 * @param {string} folder
 * @param {readonly string[]} args
 */
async function refused(folder, args) {
  const before = await contents(folder);
  const { code, stderr } = await cli.run([...args, "--force"]);
  assert.equal(code, 1, `${args.join(" ")}\n${stderr}`);
  assert.match(stderr, /the output is a file that the command reads.*Choose another path\. \(output-is-input\)\n$/);
  assert.deepEqual(await contents(folder), before, args.join(" "));
}

describe("an output that is an input is refused", () => {
  test("by every command and format that writes a file", async () => {
    const { folder, path } = await newModel();
    const tensor = "blk.0.attn_q.weight";
    for (const args of [
      ...["json", "markdown", "csv", "tokens"].map((format) => ["export", path, "--format", format]),
      ["export", path, "--tensor", tensor],
      ["export", path, "--template", "default"],
      ["set", path, "general.name", "x"],
      ["remove", path, "general.name"],
      ["rename", path, "general.name", "general.basename"],
      ["edit", path, "--set", "general.name=x"],
      ["convert-endian", path, "--to", "big"],
      ["validate", path, "--fix"],
    ]) {
      await refused(folder, [...args, "-o", path]);
    }
    const { error } = await cli.json(["remove", path, "general.name", "-o", path], 1);
    assert.equal(error.code, "output-is-input");
  });

  test("by another spelling of the path and a file: URL", async () => {
    const { folder, path } = await newModel();
    await mkdir(join(folder, "sub"));
    const other = `${folder}/sub/..//model.gguf`;
    await refused(folder, ["export", path, "-o", other]);
    await refused(folder, ["export", other, "-o", path]);
    await refused(folder, ["export", pathToFileURL(path).href, "-o", path]);
  });

  test("by a symbolic link, a link to a folder, and a hard link", { skip: windows }, async () => {
    const { folder, path } = await newModel();
    const [symbolic, hard] = [join(folder, "symbolic.gguf"), join(folder, "hard.gguf")];
    await symlink(path, symbolic);
    await link(path, hard);
    await symlink(folder, join(folder, "loop"));
    for (const other of [symbolic, hard, join(folder, "loop", "model.gguf")]) {
      await refused(folder, ["set", path, "general.name", "x", "-o", other]);
      await refused(folder, ["set", other, "general.name", "x", "-o", path]);
    }
  });

  test("as the standard input", { skip: windows }, async () => {
    const { path } = await newModel();
    const { code, stderr } = await cli.shell(`gguf-wasm export - -o "${path}" --force < "${path}"`);
    assert.equal(code, 1);
    assert.match(stderr, /\(output-is-input\)/);
    assert.deepEqual(new Uint8Array(await readFile(path)), original);
  });

  test("as the file of a value", async () => {
    const { folder, path } = await newModel();
    const template = join(folder, "template.jinja");
    await writeFile(template, "{{ bos }}");
    await refused(folder, ["set", path, "tokenizer.chat_template", "--from-file", template, "-o", template]);
    await refused(folder, ["edit", path, "--set-file", `tokenizer.chat_template=${template}`, "-o", template]);
  });

  test("as a shard that is read, or another one of its set", async () => {
    const { folder, path } = await newModel();
    await cli.json(["split", path, join(folder, "x"), "--max-tensors", "1"]);
    const shard = (/** @type {number} */ number) => join(folder, `x-0000${number}-of-00003.gguf`);
    for (const number of [1, 2, 3]) await refused(folder, ["merge", shard(1), shard(number)]);
    for (const number of [2, 3]) {
      await refused(folder, ["export", shard(2), "-o", shard(number)]);
      await refused(folder, ["export", shard(2), "--one-file", "-o", shard(number)]);
      await refused(folder, ["set", shard(2), "general.name", "x", "-o", shard(number)]);
    }
    const one = join(folder, "y-00001-of-00001.gguf");
    await cli.json(["split", path, join(folder, "y")]);
    await refused(folder, ["split", one, join(folder, "y")]);
  });

  test("as one of the shards that split writes", { skip: windows }, async () => {
    const { folder, path } = await newModel();
    await symlink(path, join(folder, "x-00002-of-00003.gguf"));
    await refused(folder, ["split", path, join(folder, "x"), "--max-tensors", "1"]);
  });

  test("if the path becomes a link to an input while the file is written", { skip: windows }, async () => {
    const { folder, path } = await newModel();
    const { OutputFile } = await import(cli.module("output-file.js"));
    const { addInput } = await import(cli.module("inputs.js"));
    addInput(path);
    const output = join(folder, "new.gguf");
    const file = await OutputFile.at(output, { mayReplace: true });
    await file.write({ stream: async function* () {} }, () => {});
    await link(path, output);
    assert.throws(() => file.moveIntoPlace(), { code: "output-is-input" });
    assert.deepEqual((await readdir(folder)).sort(), ["model.gguf", "new.gguf"]);
    assert.deepEqual(new Uint8Array(await readFile(output)), original);
  });
});
