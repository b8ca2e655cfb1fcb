// Conversions that fail or are aborted: the error has a code, no file is left, and no worker.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { temporaryFolder } from "../../support/temporary-folder.mjs";
import { missing } from "../corpus.mjs";
import { bytesOf, file } from "./corpus.mjs";

const FOLDER = import.meta.resolve("gguf-wasm/convert");
/** The script of the entry, with the functions that are not part of the API. */
const { useWorkers } = await import(new URL("gguf_wasm_convert.js", FOLDER).href);
/** @type {typeof import("../../../pkg-template/convert/worker-pool.js")} */
const { WorkerPool } = await import(new URL("worker-pool.js", FOLDER).href);
/** @type {typeof import("../../../pkg-template/convert/workers.node.js")} */
const { workers: real } = await import(new URL("workers.node.js", FOLDER).href);

const MODEL = "qwen2-tied-bf16.gguf";

/** The types of floats: their numbers, sizes, the bits of 1, and those of infinities and of NaNs with one bit of the fraction. */
const FLOATS = [
  { name: "F32", id: 0, size: 4, one: 0x3f800000, broken: [0x7f800000, 0xff800000, 0x7f800001, 0xffc00000] },
  { name: "F16", id: 1, size: 2, one: 0x3c00, broken: [0x7c00, 0xfc00, 0x7c01, 0xfe00] },
  { name: "BF16", id: 30, size: 2, one: 0x3f80, broken: [0x7f80, 0xff80, 0x7f81, 0xffc0] },
];

/**
 * Replaces the workers of the package by such that count, and that do with jobs what a test wants.
 *
 * @param {(worker: Worker, jobs: number) => boolean | void} onJob Is called before a job is posted; with `true` it is not posted.
 * @param {string} [script]
 */
function watchWorkers(onJob = () => {}, script = "worker.node.js") {
  const counts = { started: 0, alive: 0, jobs: 0 };
  /** @type {import("../../../pkg-template/convert/worker-pool.js").StartWorker} */
  const startWorker = (onMessage, onFailure) => {
    const worker = new Worker(new URL(script, FOLDER), { execArgv: [] });
    counts.started += 1;
    counts.alive += 1;
    worker.on("message", onMessage);
    worker.on("error", onFailure);
    worker.on("exit", (code) => {
      counts.alive -= 1;
      onFailure(new Error(`it ended with exit code ${code}`));
    });
    return {
      post(message, transfer) {
        const isJob = transfer.length > 0;
        if (isJob) counts.jobs += 1;
        if (!isJob || !onJob(worker, counts.jobs)) worker.postMessage(message, transfer);
      },
      end: () => void worker.terminate(),
      hold() {},
    };
  };
  useWorkers({
    defaultCount: () => 2,
    start: (/** @type {number} */ count, /** @type {object} */ module, /** @type {AbortSignal} */ signal) =>
      WorkerPool.start(startWorker, count, module, signal),
  });
  return counts;
}

/** Waits until a condition holds. @param {() => boolean} condition */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("a conversion", { skip: missing }, () => {
  afterEach(() => useWorkers(real));

  for (const workers of [0, 1, 4]) {
    test(`of a source that fails in the middle, with ${workers} workers`, async () => {
      const counts = watchWorkers();
      const bytes = file(MODEL);
      const gguf = await Gguf.open({
        size: bytes.length,
        read: async (/** @type {number} */ start, /** @type {number} */ end) => {
          if (start > 2e6) throw new Error("the disk was removed");
          return bytes.subarray(start, end);
        },
      });
      const plan = await requantize(gguf, { type: "Q8_0", workers });
      await assert.rejects(bytesOf(plan.stream()), { code: "read-failed", message: /the disk was removed/ });
      const dir = await temporaryFolder();
      await assert.rejects(plan.writeTo(join(dir, "new.gguf")), { code: "read-failed" });
      assert.deepEqual(await readdir(dir), []);
      await until(() => counts.alive === 0);
    });

    test(`that is aborted, with ${workers} workers`, async () => {
      const counts = watchWorkers();
      const plan = await requantize(await Gguf.open(file(MODEL)), { type: "Q4_K_M", workers });
      const dir = await temporaryFolder();
      for (const least of [0, 1, 500_000]) {
        const controller = new AbortController();
        const { signal } = controller;
        const reason = new Error(`stop at ${least}`);
        if (least === 0) setTimeout(() => controller.abort(reason));
        const onProgress = ({ bytesWritten = 0 }) => {
          if (least > 0 && bytesWritten >= least) controller.abort(reason);
        };
        await assert.rejects(plan.writeTo(join(dir, "new.gguf"), { signal, onProgress }), reason);
        await assert.rejects(bytesOf(plan.stream({ signal, onProgress })), reason);
        assert.deepEqual(await readdir(dir), []);
        await until(() => counts.alive === 0);
      }
    });

    test(`whose stream is cancelled, with ${workers} workers`, async () => {
      const counts = watchWorkers();
      const plan = await requantize(await Gguf.open(file(MODEL)), { type: "Q4_0", workers });
      const reader = plan.stream().getReader();
      await reader.read();
      await reader.read();
      await reader.cancel();
      await until(() => counts.alive === 0);
      assert.equal(counts.started > 0, workers > 0);
    });
  }

  test("whose worker dies names the tensor, and ends the other workers", async () => {
    const counts = watchWorkers((worker, jobs) => {
      if (jobs === 5) void worker.terminate();
    });
    const plan = await requantize(await Gguf.open(file(MODEL)), { type: "Q4_0", workers: 3 });
    const names = plan.tensors.map(({ name }) => name);
    await assert.rejects(bytesOf(plan.stream()), (/** @type {any} */ error) => {
      assert.deepEqual([error.name, error.code], ["GgufError", "worker-failed"]);
      const named = /while it converted tensor "(.*?)": it ended with exit code 1\. /.exec(error.message)?.[1];
      assert.ok(names.includes(String(named)), error.message);
      return true;
    });
    await until(() => counts.alive === 0);
  });

  test("whose worker runs into an error names the tensor", async () => {
    const counts = watchWorkers((worker, jobs) => {
      if (jobs !== 2) return false;
      worker.postMessage({ rows: "no bytes" });
      return true;
    });
    const plan = await requantize(await Gguf.open(file(MODEL)), { type: "Q4_0", workers: 1 });
    await assert.rejects(bytesOf(plan.stream()), {
      code: "worker-failed",
      message: /a worker failed while it converted tensor ".+"/,
    });
    await until(() => counts.alive === 0);
  });

  test("converts on the calling thread if no worker can be started, unless workers are wanted", async () => {
    const counts = watchWorkers(() => {}, "no-such-file.js");
    const gguf = await Gguf.open(file("tiny.gguf"));
    const plan = await requantize(gguf, { type: "Q8_0" });
    assert.equal((await bytesOf(plan.stream())).length, plan.size);
    const wanted = await requantize(gguf, { type: "Q8_0", workers: 1 });
    await assert.rejects(bytesOf(wanted.stream()), { code: "worker-failed", message: /no worker could be started/ });
    await until(() => counts.alive === 0);
    assert.equal(counts.started, 2);
  });

  test("of a model with a NaN names the tensor and the row", async () => {
    for (const workers of [0, 2]) {
      const plan = await requantize(await Gguf.open(file("tiny-nan.gguf")), { type: "Q8_0", workers });
      await assert.rejects(bytesOf(plan.stream()), (/** @type {any} */ error) => {
        assert.equal(error.code, "invalid-data");
        assert.match(error.message, /tensor "blk\..*" .*row \d+ /);
        const bytes = file("tiny-nan.gguf");
        const block = new DataView(bytes.buffer, error.offset, 2).getUint16(0, true);
        assert.equal(block & 0x7c00, 0x7c00, `the number at ${error.offset} is finite`);
        return true;
      });
    }
  });

  for (const { name, id, size, one, broken } of FLOATS) {
    test(`finds every ${name} that is not finite, wherever it is`, async () => {
      const [columns, rows] = [96, 5];
      const tensor = {
        name: "blk.0.attn_q.weight",
        dimensions: [columns, rows],
        type: id,
        bytes: columns * rows * size,
      };
      const header = ggufBytes([["general.name", text("test")]], [tensor], 3, false, false);
      const model = new Uint8Array(header.length + tensor.bytes);
      model.set(header);
      const data = new DataView(model.buffer, header.length);
      const put = (/** @type {number} */ position, /** @type {number} */ bits) =>
        size === 2 ? data.setUint16(2 * position, bits, true) : data.setUint32(4 * position, bits, true);
      const convert = async () => {
        const plan = await requantize(await Gguf.open(model), { type: "Q8_0", workers: 0 });
        return bytesOf(plan.stream());
      };
      for (let position = 0; position < columns * rows; position += 1) put(position, one);
      await convert();
      for (const [i, position] of [0, 1, 15, 31, 32, 95, 96, 447, 448, 470, 479].entries()) {
        put(position, broken[i % broken.length] ?? 0);
        await assert.rejects(convert(), (/** @type {any} */ error) => {
          assert.equal(error.code, "invalid-data");
          assert.match(
            error.message,
            new RegExp(`row ${Math.floor(position / columns)} contains a NaN or an infinity`),
          );
          assert.equal(error.offset, header.length + size * position);
          return true;
        });
        put(position, one);
      }
    });
  }

  test("that nobody reads any more does not keep the process alive", async () => {
    const program = `
      import { Gguf, requantize } from "gguf-wasm/convert/node";
      const gguf = await Gguf.open(process.argv[1]);
      const plan = await requantize(gguf, { type: "Q4_K_M", workers: 2 });
      const reader = plan.stream().getReader();
      await reader.read();
      await reader.read();
      console.log("read");`;
    const path = fileURLToPath(new URL("../../../../shared/corpus/quantize/" + MODEL, import.meta.url));
    const cwd = fileURLToPath(new URL("../../../", import.meta.url));
    const args = [
      "--input-type=module",
      "--eval",
      program,
      "--",
      process.env.GGUF_CORPUS ? join(process.env.GGUF_CORPUS, "quantize", MODEL) : path,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, timeout: 60_000 });
    assert.equal(stdout, "read\n");
  });
});
