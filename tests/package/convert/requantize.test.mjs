// Models that are requantized have the bytes that llama-quantize writes: from every kind of source, with workers and without, from
// one file and from shards. The tests of the crate compare all runs of the corpus.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as main from "gguf-wasm/full/node";
import { Gguf, openImatrix, requantize } from "gguf-wasm/convert/node";
import * as reader from "gguf-wasm/reader";
import { serveFile } from "../../support/file-server.mjs";
import { parse } from "../../support/gguf-model.mjs";
import { startReaders } from "../../support/readers.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { missing, pathOf } from "../corpus.mjs";
import { bytesOf, file, optionsOf, run, sha256, SHARDS } from "./corpus.mjs";

/** A run with several tensor types, and one whose type needs an importance matrix. */
const RUNS = /** @type {const} */ ([
  ["tiny", "tiny.imatrix.gguf:Q4_K_M"],
  ["tiny", "tiny.imatrix.dat:IQ2_XS"],
  ["tiny", "tiny.imatrix-partial.gguf:Q4_0"],
  ["qwen2-tied", "qwen2-tied-bf16.gguf:Q4_K_M:opt2"],
  ["qwen2-tied", "qwen2-tied-bf16.gguf:Q8_0:imatrix"],
]);

const dir = await temporaryFolder();

describe("requantize", { skip: missing }, () => {
  for (const workers of [0, 1, 4]) {
    for (const [index, id] of RUNS) {
      test(`${id} with ${workers} workers`, async () => {
        const recorded = run(index, id);
        const gguf = await Gguf.open(file(recorded.source));
        const plan = await requantize(gguf, { ...optionsOf(recorded), workers });
        assert.equal(plan.size, recorded.size);
        assert.equal(sha256(await bytesOf(plan.stream())), recorded.sha256);
      });
    }

    test(`shards become one file, or keep their files, with ${workers} workers`, async () => {
      const shards = await Promise.all(SHARDS.map((name) => Gguf.open(file(name))));
      const joined = run("tiny", "split:Q4_K_M");
      const plan = await requantize(shards, { ...optionsOf(joined), workers });
      assert.equal(sha256(await bytesOf(plan.stream())), joined.sha256);
      const kept = run("tiny", "keep-split:IQ2_XS");
      const split = await requantize(shards.toReversed(), { ...optionsOf(kept), workers });
      assert.equal(split.files.length, 3);
      for (const [number, output] of (kept.outputs ?? []).entries()) {
        assert.equal(split.files[number]?.size, output.size);
        assert.equal(sha256(await bytesOf(split.stream({ file: number }))), output.sha256);
      }
    });
  }

  const recorded = missing ? undefined : run("tiny", "tiny.imatrix.gguf:Q4_K_M");

  test("a URL, a Blob, a path and a custom source give the same file", async (t) => {
    assert.ok(recorded);
    const bytes = file(recorded.source);
    const { url } = await serveFile(t, bytes);
    const custom = {
      size: bytes.length,
      read: async (/** @type {number} */ a, /** @type {number} */ b) => bytes.subarray(a, b),
    };
    for (const source of [url, new Blob([bytes]), pathOf(`quantize/${recorded.source}`), custom, bytes]) {
      const plan = await requantize(await Gguf.open(source), { ...optionsOf(recorded), workers: 2 });
      assert.equal(sha256(await bytesOf(plan.stream())), recorded.sha256);
    }
    // The bytes of the caller were not transferred to a worker.
    assert.equal(bytes.length, file(recorded.source).length);
  });

  test("an object of any entry, and a set of shards of the main entry", async (t) => {
    assert.ok(recorded);
    const { url } = await serveFile(t, file(recorded.source));
    for (const other of [main, reader]) {
      const gguf = await other.Gguf.open(url);
      const plan = await requantize(gguf, { ...optionsOf(recorded), workers: 1 });
      // The plan reads the source, and does not need the object.
      const data = plan.stream();
      assert.equal(sha256(await bytesOf(data)), recorded.sha256);
    }
    const set = await main.GgufSet.open(pathOf(`quantize/${SHARDS[0]}`));
    const kept = run("tiny", "keep-split:Q8_0");
    const plan = await requantize(set, optionsOf(kept));
    assert.deepEqual(
      await Promise.all(plan.files.map(async (_, file) => sha256(await bytesOf(plan.stream({ file }))))),
      kept.outputs?.map((output) => output.sha256),
    );
  });

  test("an opened importance matrix serves several plans", async () => {
    const imatrix = await openImatrix(pathOf("quantize/tiny.imatrix.gguf"));
    assert.equal(imatrix.fileName, "tiny.imatrix.gguf");
    assert.ok(imatrix.tensorNames.includes("blk.0.attn_q.weight"));
    for (const id of ["tiny.imatrix.gguf:Q4_K_M", "tiny.imatrix.gguf:IQ2_XS"]) {
      const recorded = run("tiny", id);
      const plan = await requantize(await Gguf.open(file(recorded.source)), { type: recorded.target, imatrix });
      assert.equal(sha256(await bytesOf(plan.stream())), recorded.sha256);
    }
  });

  test("writeTo writes the file to a path and to a handle", async () => {
    assert.ok(recorded);
    const plan = await requantize(await Gguf.open(file(recorded.source)), optionsOf(recorded));
    const path = join(dir, "written.gguf");
    await plan.writeTo(path);
    assert.equal(sha256(await readFile(path)), recorded.sha256);
    await assert.rejects(plan.writeTo(path), { code: "write-failed" });
    await plan.writeTo(path, { overwrite: true });

    /** @type {Uint8Array<ArrayBuffer>[]} */
    const chunks = [];
    const handle = {
      getFile: async () => new Blob(),
      createWritable: async () => new WritableStream({ write: (/** @type {any} */ chunk) => void chunks.push(chunk) }),
    };
    await plan.writeTo(handle);
    assert.equal(sha256(Buffer.concat(chunks)), recorded.sha256);
  });

  test("a stream resumes at every tensor and at any position", async () => {
    assert.ok(recorded);
    const plan = await requantize(await Gguf.open(file(recorded.source)), { ...optionsOf(recorded), workers: 1 });
    const whole = await bytesOf(plan.stream());
    const tensors = plan.layout();
    const starts = [1, plan.headerBytes().length - 1, whole.length - 1, whole.length];
    starts.push(...tensors.flatMap(({ position, byteLength }) => [position, position + 1, position + byteLength - 1]));
    for (const start of starts.slice(0, 20)) {
      /** @type {import("gguf-wasm/convert").ConversionProgress[]} */
      const reports = [];
      const rest = await bytesOf(plan.stream({ start, onProgress: (progress) => reports.push(progress) }));
      assert.deepEqual(Buffer.from(rest), Buffer.from(whole.subarray(start)), `from ${start}`);
      const last = reports.at(-1);
      if (last) assert.deepEqual([last.bytesWritten, last.totalBytes], [whole.length, whole.length]);
      if (last) assert.deepEqual([last.tensorsDone, last.tensorCount], [tensors.length, tensors.length]);
    }
  });

  test("the new file opens in gguf-py and in @huggingface/gguf, and validate() finds no new error", async () => {
    const readers = startReaders();
    try {
      for (const [index, id] of RUNS) {
        const recorded = run(index, id);
        const plan = await requantize(await Gguf.open(file(recorded.source)), optionsOf(recorded));
        const bytes = await bytesOf(plan.stream());
        const path = join(dir, "read.gguf");
        await writeFile(path, bytes);
        await readers.check(path, parse(bytes), recorded.source, true);
        const [before, after] = [await main.Gguf.open(file(recorded.source)), await main.Gguf.open(bytes)];
        const errors = (/** @type {import("gguf-wasm/full").Gguf} */ gguf) =>
          gguf
            .validate()
            .filter(({ severity }) => severity === "error")
            .map(({ code }) => code);
        assert.deepEqual(
          errors(after).filter((code) => !errors(before).includes(code)),
          [],
          id,
        );
      }
    } finally {
      readers.close();
    }
  });
});
