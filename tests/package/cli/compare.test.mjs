// `gguf-wasm compare`: the differences of two models as text, JSON and Markdown, and its exit codes.

import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { serveFile } from "../../support/file-server.mjs";
import { shardFiles, shardName } from "../../support/shards.mjs";
import { F16, F32, bytesOf, modelOf, randomBytes, randomFloats } from "../compare/models.mjs";
import { installCommandLine } from "./command-line.mjs";

const cli = await installCommandLine();

const folder = await cli.folder();
/** Writes a file, and returns its path. @param {string} name @param {Uint8Array} bytes */
async function written(name, bytes) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const floats = bytesOf(randomFloats(512, 1));
const tensors = [
  { name: "a.weight", type: F32, dimensions: [512], data: floats },
  { name: "b.weight", data: randomBytes(1000, 2) },
];
const model = await written("model.gguf", modelOf(tensors));

describe("compare", () => {
  test("says that equal models are equal", async () => {
    const { code, stdout, stderr } = await cli.run(["compare", model, await written("copy.gguf", modelOf(tensors))]);
    assert.deepEqual([code, stdout, stderr], [0, "The models are equal.\n", ""]);
  });

  test("lists the differences only", async () => {
    const [first, second] = tensors;
    assert.ok(first && second);
    const changed = modelOf(
      [
        { ...first, type: F16, data: new Uint8Array(1024) },
        { ...second, name: "renamed\u001b[31m" },
      ],
      { template: "one\ntwo" },
    );
    const other = await written("other.gguf", changed);
    const { code, stdout } = await cli.run(["compare", model, other, "--values"]);
    assert.equal(code, 1);
    const lines = stdout.split("\n").map((line) => line.trimEnd());
    assert.match(lines[0] ?? "", /^Other types of 1 of 2 tensors.*, other chat template\.$/);
    assert.ok(
      lines.some((line) => /^changed \(lines: -1 \+2\) +tokenizer\.chat_template +\{\{ a \}\} +one\\ntwo$/.test(line)),
      stdout,
    );
    assert.ok(
      lines.some((line) => /^changed +a\.weight +F32 512 +F16 512 +not-compared +1\.000e\+0 +1\.\d+$/.test(line)),
      stdout,
    );
    assert.ok(
      lines.some((line) => /^renamed +b\.weight → renamed\\u\{1b\}\[31m +I8 1000 +I8 1000 +equal$/.test(line)),
      stdout,
    );
    assert.ok(!stdout.includes("\u001b"), "the terminal must not obey names of a file");
  });

  test("--json and --markdown have the same differences", async () => {
    const other = await written("template.gguf", modelOf(tensors, { template: "{{ b }}" }));
    const result = await cli.json(["compare", model, other], 1);
    assert.deepEqual([result.a, result.b, result.isEqual, result.dataCoverage], [model, other, false, "whole"]);
    assert.equal(result.entries[0].b.value, "{{ b }}");
    const { code, stdout } = await cli.run(["compare", model, other, "--markdown"]);
    assert.equal(code, 1);
    assert.match(stdout, /\| `tokenizer\.chat_template` \| changed \| STRING `\{\{ a \}\}` \| STRING `\{\{ b \}\}` \|/);
    assert.equal((await cli.run(["compare", model, other, "--markdown", "--json"])).code, 2);
  });

  test("--headers reads no data, and --max-bytes only some", async (context) => {
    const bytes = modelOf([{ name: "t", data: randomBytes(4 << 20, 1) }]);
    const served = await serveFile(context, bytes);
    const local = await written("large.gguf", bytes);
    const headers = await cli.json(["compare", served.url, local, "--headers"]);
    assert.deepEqual([headers.isEqual, headers.dataCoverage], [true, "none"]);
    const { length } = served.requests;
    const sampled = await cli.json(["compare", served.url, local, "--max-bytes", "1M"]);
    assert.deepEqual([sampled.isEqual, sampled.dataCoverage], [true, "sampled"]);
    const sent = served.requests.slice(length).reduce((sum, { sent }) => sum + sent, 0);
    // The first request of a file asks for 384 KiB, of which the server sends what it can before the header has been read.
    assert.ok(sent < (384 << 10) + 600_000, `${sent} bytes`);
    assert.equal((await cli.run(["compare", model, local, "--headers", "--values"])).code, 2);
  });

  test("compares sets of shards", async () => {
    const files = shardFiles(2);
    for (const [name, bytes] of Object.entries(files)) await written(name, bytes);
    const first = join(folder, shardName(1, 2));
    const merged = join(folder, "merged.gguf");
    assert.equal((await cli.run(["merge", first, merged])).code, 0);
    assert.equal((await cli.run(["compare", first, merged])).stdout, "The models are equal.\n");
    assert.equal((await cli.run(["compare", first, merged, "--one-file"])).code, 1);
    await rm(join(folder, shardName(2, 2)));
    const incomplete = await cli.run(["compare", first, first]);
    assert.equal(incomplete.code, 3);
    assert.match(incomplete.stderr, /m-00002-of-00002\.gguf/);
  });

  test("names the file that cannot be read", async () => {
    const { code, stderr } = await cli.run(["compare", model, join(folder, "missing.gguf")]);
    assert.equal(code, 3);
    assert.match(stderr, /missing\.gguf/);
    const piped = await cli.run(["compare", model, "-"], { input: modelOf(tensors) });
    assert.equal(piped.code, 3);
    assert.match(piped.stderr, /no-ranges|pipe/);
  });
});
