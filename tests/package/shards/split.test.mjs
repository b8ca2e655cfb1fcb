// Splitting, and the shards and merged files in other readers.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { Gguf, GgufSet } from "gguf-wasm/full";
import { parse } from "../../support/gguf-model.mjs";
import { startReaders } from "../../support/readers.mjs";
import { shardFiles, shardName } from "../../support/shards.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { json, missing, read } from "../corpus.mjs";

/** @param {ReadableStream<Uint8Array>} stream */
async function collect(stream) {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

/** The shards of a file as `File`s. @param {Gguf} gguf @param {import("gguf-wasm/full").SplitOptions} options */
async function splitFiles(gguf, options) {
  return Promise.all(gguf.split(options).map(async ({ name, plan }) => new File([await collect(plan.stream())], name)));
}

test("options of no use are refused", async () => {
  const gguf = await Gguf.open(/** @type {Uint8Array} */ (shardFiles(1)[shardName(1, 1)]));
  const wrong = [
    { maxTensors: 0 },
    { maxTensors: 1.5 },
    { maxTensors: -1 },
    { maxTensors: NaN },
    { maxBytes: 0 },
    { maxBytes: 2 ** 53 },
    { maxTensors: 1, maxBytes: 1 },
    { maxBytes: "1M" },
    { name: 5 },
    { tensorsInFirst: 1 },
  ];
  for (const options of /** @type {any[]} */ (wrong)) {
    assert.throws(() => gguf.split(options), { name: "GgufError", code: "invalid-argument" }, JSON.stringify(options));
  }
  assert.deepEqual(
    gguf.split().map(({ name, tensorCount }) => [name, tensorCount]),
    [["model-00001-of-00001.gguf", 1]],
  );
});

test("a shard cannot be split", async () => {
  const gguf = await Gguf.open(/** @type {Uint8Array} */ (shardFiles(2)[shardName(2, 2)]));
  assert.throws(() => gguf.split(), { code: "invalid-argument", message: /one of 2 shards/ });
});

const dir = await temporaryFolder();

describe("files of the corpus", { skip: missing, concurrency: true }, () => {
  const readers = startReaders();
  after(() => readers.close());

  for (const { source, options, shards, source_alignment } of json("split/index.json").runs ?? []) {
    // Rust tests compare all runs. These are the ones of the smallest limit.
    if (
      !shards?.length ||
      !options ||
      !["2", "5"].includes(options.at(-1)) ||
      options.length !== 2 ||
      source.includes("many")
    )
      continue;
    test(`${source} ${options.join(" ")}`, async () => {
      const bytes = read(source);
      const gguf = await Gguf.open(bytes);
      const files = await splitFiles(gguf, { name: "out", maxTensors: Number(options.at(-1)) });
      assert.deepEqual(
        files.map(({ name }) => name),
        shards.map((/** @type {{ name: string }} */ { name }) => name),
      );
      const set = await GgufSet.open(files);
      assert.deepEqual(set.findings, []);
      assert.deepEqual(
        set.tensors.map(({ name, type, dimensions }) => [name, type, dimensions]),
        // Dimensions of 1 at the end are left out, as llama.cpp does it.
        gguf.tensors.map(({ name, type, dimensions }) => [name, type, withoutEnd(dimensions)]),
      );
      const merged = await collect(set.merge().stream());
      const models = [...files.map((file) => [file.name, file]), ["merged.gguf", new Blob([merged])]];
      for (const [name, file] of /** @type {[string, Blob][]} */ (models)) {
        const content = Buffer.from(await file.arrayBuffer());
        const path = join(dir, `${source.replaceAll("/", "-")}-${name}`);
        await writeFile(path, content);
        await readers.check(path, parse(content), source.split("/").at(-1), true);
        await rm(path);
      }
      if (source_alignment || !/model-unsplit|quantize/.test(source)) return;
      for (const [index, file] of files.entries()) {
        const hash = createHash("sha256")
          .update(Buffer.from(await file.arrayBuffer()))
          .digest("hex");
        assert.equal(hash, shards[index].sha256, file.name);
      }
    });
  }
});

/** The dimensions without those of 1 at the end. @param {readonly number[]} dimensions */
function withoutEnd(dimensions) {
  const last = dimensions.findLastIndex((length) => length !== 1);
  return dimensions.slice(0, Math.max(last + 1, 1));
}
