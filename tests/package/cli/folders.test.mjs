// A folder as an argument stands for its GGUF files.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { GgufWriter } from "gguf-wasm/full";
import { completeModel, installCommandLine, modelBytes, namesIn } from "./command-line.mjs";

const cli = await installCommandLine();

const model = await completeModel();
const writer = new GgufWriter();
writer.set("general.architecture", "clip");
writer.set("general.type", "mmproj");
const projector = new Uint8Array(await writer.toBlob().arrayBuffer());

/** A new folder with these files. @param {Record<string, string | Uint8Array>} files */
async function folderWith(files) {
  const folder = await cli.folder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

describe("a folder with one model", () => {
  test("stands for the model, also beside a projector, a hidden file and other files", async () => {
    const folder = await folderWith({ "a.gguf": model, "vision.gguf": projector, ".b.gguf": model, "README.md": "" });
    const path = join(folder, "a.gguf");
    for (const args of [
      ["inspect", "--key", "general.name"],
      ["memory"],
      ["export", "--no-tensors"],
      ["hash"],
      ["set", "general.name", "x", "-n"],
    ]) {
      const [command = "", ...rest] = args;
      const [ofFolder, ofFile] = [await cli.run([command, folder, ...rest]), await cli.run([command, path, ...rest])];
      assert.equal(ofFolder.code, 0, `${command}: ${ofFolder.stderr}`);
      assert.equal(ofFolder.stdout, ofFile.stdout, command);
    }
    assert.equal((await cli.run(["compare", folder, path])).code, 0);
    assert.equal((await cli.run(["set", folder, "general.name", "Other"])).code, 0);
    const { value } = await cli.json(["inspect", path, "--key", "general.name"]);
    assert.equal(value, "Other");
  });

  test("of shards stands for the set, and for no single file", async () => {
    const folder = await folderWith({});
    const whole = await folderWith({ "whole.gguf": await modelBytes() });
    await cli.json(["split", join(whole, "whole.gguf"), join(folder, "s"), "--max-tensors", "2"]);
    const { shards } = await cli.json(["inspect", folder]);
    assert.equal(shards.length, 2);
    const merged = join(whole, "merged.gguf");
    assert.equal((await cli.run(["merge", folder, merged])).code, 0);
    assert.deepEqual(namesIn(whole), ["merged.gguf", "whole.gguf"]);
    const { code, stderr } = await cli.run(["hash", folder]);
    assert.equal(code, 3);
    assert.match(stderr, /it has 2 GGUF files \(s-00001-of-00002\.gguf, s-00002-of-00002\.gguf\)/);
  });
});

test("a folder with several models: they are named, and validate and list take all", async () => {
  const folder = await folderWith({ "a.gguf": model, "b.gguf": model, "vision.gguf": projector, "c.gguf": "no GGUF" });
  for (const args of [["inspect"], ["memory"], ["quantize", "Q8_0", "-n"], ["set", "k", "1"]]) {
    const [command = "", ...rest] = args;
    const { code, stderr } = await cli.run([command, folder, ...rest]);
    assert.equal(code, 3, command);
    assert.match(
      stderr,
      /: it has 3 models \(a\.gguf, b\.gguf, c\.gguf\), and it is a folder\. Give the path of a file/,
    );
  }
  const { files } = await cli.json(["validate", folder], 1);
  assert.deepEqual(
    files.map((/** @type {any} */ { file }) => file),
    ["a.gguf", "b.gguf", "c.gguf", "vision.gguf"].map((name) => join(folder, name)),
  );
  const list = await cli.json(["list", folder]);
  assert.deepEqual(
    list.files.map((/** @type {any} */ { name, kind, error }) => [name, kind ?? error.code]),
    [
      ["a.gguf", "model"],
      ["b.gguf", "model"],
      ["c.gguf", "bad-magic"],
      ["vision.gguf", "mmproj"],
    ],
  );
  const { stdout } = await cli.run(["list", folder]);
  assert.match(stdout, /^.*: 4 files, .*\n\nName +Kind +Size/);
  assert.match(stdout, /\nc\.gguf +not readable: bad-magic/);
});

test("a folder without GGUF files says so, and what to do", async () => {
  /** @type {[Record<string, string | Uint8Array>, RegExp][]} */
  const cases = [
    [{ "notes.txt": "" }, /the folder has no GGUF file\. Give the path of a file\. \(no-gguf-files\)/],
    [{ "config.json": "{}", "model.safetensors": "" }, /`gguf-wasm convert .* OUT` makes a GGUF file of it/],
    [{ "adapter_config.json": "{}", "config.json": "{}" }, /`gguf-wasm convert-lora .* OUT --base MODEL`/],
    [{ "Q4_0/model.gguf": model }, /Folders in it have some: Q4_0\./],
  ];
  for (const [files, message] of cases) {
    const folder = await folderWith(files);
    for (const command of ["inspect", "validate", "list"]) {
      const { code, stderr } = await cli.run([command, folder]);
      assert.equal(code, 3, command);
      assert.match(stderr, message);
    }
  }
});
