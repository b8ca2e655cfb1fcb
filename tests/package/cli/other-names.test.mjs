// Names that people know from llama.cpp's tools and other programs: they are accepted, or answered with ours.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { completeModel, installCommandLine, modelBytes } from "./command-line.mjs";

const cli = await installCommandLine();

const { folder, path } = await cli.newModel(await completeModel());

/** @param {readonly string[]} args @param {RegExp} message */
async function isAnswered(args, message) {
  const { code, stdout, stderr } = await cli.run(args);
  assert.equal(code, 2, `${args.join(" ")}: ${stdout}${stderr}`);
  assert.match(stderr, message);
}

test("commands are answered", async () => {
  for (const [name = "", ours = ""] of [
    ["dump", "inspect"],
    ["info", "inspect"],
    ["show", "inspect"],
    ["gguf-dump", "inspect"],
    ["gguf_dump.py", "inspect"],
    ["ls", "list"],
    ["diff", "compare"],
    ["check", "validate"],
    ["quantise", "quantize"],
    ["llama-quantize", "quantize"],
    ["llama-gguf-split", "split"],
    ["gguf-hash", "hash"],
    ["llama-tokenize", "tokenize"],
    ["new-metadata", "edit"],
    ["gguf-set-metadata", "set"],
    ["convert_hf_to_gguf.py", "convert"],
    ["convert_lora_to_gguf.py", "convert-lora"],
    ["convert_llama_ggml_to_gguf.py", "migrate"],
    ["gguf_convert_endian.py", "convert-endian"],
    ["export-lora", "merge-lora"],
    ["rm", "remove"],
    ["model.gguf", "inspect model\\.gguf"],
  ]) {
    await isAnswered([name, path], new RegExp(`There is no command "${name}"\\. Use \`gguf-wasm ${ours}\\b`));
  }
});

describe("options", () => {
  test("that are the same here are accepted", async () => {
    const out = join(folder, "out.gguf");
    /** @type {[string[], string[]][]} */
    const cases = [
      [
        ["split", path, join(folder, "x"), "--split-max-size", "1G", "-n"],
        ["split", path, join(folder, "x"), "--max-size", "1G", "-n"],
      ],
      [
        ["split", path, join(folder, "x"), "--split-max-tensors=5", "-n"],
        ["split", path, join(folder, "x"), "--max-tensors", "5", "-n"],
      ],
      [
        ["memory", "-m", path, "--n-ctx", "64"],
        ["memory", path, "--ctx-size", "64"],
      ],
      [
        ["memory", path, "--ctx_size", "64"],
        ["memory", path, "--ctx-size", "64"],
      ],
      [
        ["set", path, "general.name", "x", "--outfile", out, "-n", "--overwrite"],
        ["set", path, "general.name", "x", "--output", out, "-n", "--force"],
      ],
      [
        ["quantize", path, "--outfile", out, "--quant", "Q8_0", "-n", "--nthreads", "0"],
        ["quantize", path, out, "Q8_0", "-n", "--threads", "0"],
      ],
      [
        ["hash", path, "--sha1", "--no-layer"],
        ["hash", path, "--sha1", "--no-tensors"],
      ],
    ];
    for (const [theirs, ours] of cases) {
      const [theirResult, ourResult] = [await cli.run(theirs), await cli.run(ours)];
      assert.equal(theirResult.code, 0, theirs.join(" ") + theirResult.stderr);
      assert.deepEqual(theirResult, ourResult, theirs.join(" "));
    }
  });

  test("of the new file stand for the argument", async () => {
    const model = join(folder, "model-with-shards.gguf");
    await writeFile(model, await modelBytes());
    await cli.json(["split", model, "--output", join(folder, "s"), "--split-max-tensors", "2"]);
    const shards = ["s-00001-of-00002.gguf", "s-00002-of-00002.gguf"].map((name) => join(folder, name));
    const merged = join(folder, "merged.gguf");
    const { output } = await cli.json(["merge", ...shards, "-o", merged, "-n"]);
    assert.equal(output, null);
    assert.equal((await cli.run(["merge", ...shards, merged])).code, 0);
  });

  test("that are not the same are answered", async () => {
    /** @type {[string[], RegExp][]} */
    const cases = [
      [["inspect", path, "--outtype", "f16"], /There is no option "--outtype"\. `convert` has --type\./],
      [["convert", folder, "x.gguf", "--split-max-size", "1G"], /`gguf-wasm split FILE PREFIX --max-size SIZE`/],
      [["split", "--merge", path, "x"], /It is a command here: `gguf-wasm merge SHARD OUTPUT`\./],
      [["convert", folder, "x.gguf", "--bigendian"], /`gguf-wasm convert-endian FILE --to big`/],
      [["memory", "-hf", "owner/name"], /There is no option "-hf"\. Name the repository as the argument: hub:OWNER/],
      [["inspect", path, "--ctx-size", "4096"], /The command memory has it/],
      [["inspect", path, "--json-array"], /`export` writes whole arrays/],
      [["edit", path, "--general-name", "x"], /`gguf-wasm set FILE general\.name TEXT`/],
      [["edit", path, "--chat-template-config", "x"], /`gguf-wasm set FILE tokenizer\.chat_template --from-file PATH`/],
      [["inspect", path, "--token", "x"], /HF_TOKEN/],
      [["inspect", path, "--verbose"], /It is not needed here/],
      [["inspect", path, "-xyz"], /There is no option "-xyz"\.\n/],
      [["inspect", "--model"], /Option '--model <value>' argument missing/],
      [["quantize", path, "x.gguf", "Q4_0", "8"], /"8" is one too many\. Did you mean --threads 8\?/],
      [["convert-endian", path, "big"], /"big" is one too many\. Did you mean --to big\?/],
    ];
    for (const [args, message] of cases) await isAnswered(args, message);
  });
});

test("merge says that the new file is missing if a pattern gives only shards", async () => {
  const shards = [1, 2, 3].map((number) => join(folder, `m-0000${number}-of-00003.gguf`));
  for (const given of [shards, shards.slice(0, 2)]) {
    const { code, stderr } = await cli.run(["merge", ...given]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /OUTPUT is missing after the shards: .* a shard of the set\. Choose another path\. \(output-is-input\)/,
    );
  }
  const [first = ""] = shards;
  const { code, stderr } = await cli.run([
    "merge",
    first,
    join(folder, ".", "m-00001-of-00003.gguf"),
    join(folder, "x.gguf"),
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /is given twice\. Give each shard once, or only one of them\. \(duplicate-shard\)/);
  await isAnswered(["merge", ...shards, path, join(folder, "x.gguf")], /model\.gguf" is no shard of the set of/);
  await isAnswered(["merge", path, path, join(folder, "x.gguf")], /is no shard\. All arguments but the last/);
});
