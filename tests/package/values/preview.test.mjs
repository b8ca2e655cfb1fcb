// `preview` and `statistics`: the bytes that they read, their results, and aborts.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { serveFile } from "../../support/file-server.mjs";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { virtualFile } from "../../support/virtual-file.mjs";

const [F32, Q8_0, Q4_K, I8, I64, F64] = [0, 8, 12, 24, 27, 28];

/** @param {Promise<unknown>} promise @param {object} expected */
const fails = (promise, expected) => assert.rejects(promise, expected);

/** @param {number} rowBytes */
const rowOf = (rowBytes) => (/** @type {number} */ position) => Math.floor(position / rowBytes) & 127;

/**
 * The requests for the tensor.
 *
 * @param {{ range?: string | undefined }[]} requests
 */
function spans(requests) {
  return requests.map(({ range }) => {
    const [start = 0, last = 0] = (range ?? "").replace("bytes=", "").split("-").map(Number);
    return { start, end: last + 1 };
  });
}

describe("preview", () => {
  test("of a tensor of 9 GB keeps to its budget of bytes and requests, evenly spread", async (t) => {
    const rows = 2_000_000;
    const file = virtualFile({ type: I8, dimensions: [4608, rows], bytes: 4608 * rows, byte: rowOf(4608) });
    const { url, requests } = await serveFile(t, new Uint8Array(), file.answer);
    const gguf = await Gguf.open(url);
    requests.length = 0;
    /** @type {import("gguf-wasm/full").ReadProgress[]} */
    const reports = [];
    const preview = await gguf.preview("large", { onProgress: (progress) => reports.push({ ...progress }) });

    const read = spans(requests);
    const bytes = read.reduce((sum, { start, end }) => sum + end - start, 0);
    assert.ok(bytes <= 4 << 20 && bytes > (4 << 20) * 0.95, `${bytes} bytes`);
    assert.ok(requests.length <= 64, `${requests.length} requests`);
    assert.equal(preview.bytesRead, bytes);
    assert.equal(preview.complete, false);
    assert.deepEqual(reports.at(-1), { bytesRead: bytes, totalBytes: bytes });

    assert.deepEqual([preview.rows, preview.columns], [64, 64]);
    assert.equal(preview.statistics.count, bytes);
    preview.sampledRows.forEach(({ start, end }, row) => {
      const [from, to] = [(row * rows) / 64, ((row + 1) * rows) / 64];
      assert.ok(start >= from && end <= to && end > start, `row ${row} of the grid: ${start}..${end}`);
      assert.ok(Math.abs((start + end) / 2 - (from + to) / 2) <= 1);
      const values = Array.from({ length: end - start }, (_, i) => (start + i) & 127);
      assert.equal(preview.min[row * 64 + 5], Math.min(...values));
      assert.equal(preview.max[row * 64 + 63], Math.max(...values));
      const mean = values.reduce((sum, value) => sum + value) / values.length;
      assert.equal(preview.mean[row * 64], Math.fround(mean));
    });
    assert.equal(preview.sampledColumns[0]?.start, 0);
    assert.equal(preview.sampledColumns.at(-1)?.end, 4608);
  });

  test("at most six requests are in flight", async (t) => {
    const file = virtualFile({ type: I8, dimensions: [4608, 100_000], bytes: 460_800_000 });
    /** Answers that wait for each other. @type {(() => void)[] | undefined} */
    let held;
    let [now, most] = [0, 0];
    const { url } = await serveFile(t, new Uint8Array(), async (...request) => {
      most = Math.max(most, ++now);
      await new Promise((/** @type {(_: void) => void} */ answer) => {
        if (!held) return answer();
        held.push(answer);
        // A seventh request would come in 50 ms. How long the six take to come does not count, unless there are fewer of them for ever.
        if (held.length === 1 || held.length === 6)
          setTimeout(() => held?.splice(0).forEach((each) => each()), held.length === 1 ? 20_000 : 50).unref();
      });
      // The client may send the next request as soon as it has this answer.
      now -= 1;
      held = undefined;
      await file.answer(...request);
    });
    const gguf = await Gguf.open(url);
    held = [];
    await gguf.preview("large");
    assert.equal(most, 6);
  });

  test("a tensor with one long row is sampled along the row, within the budget", async (t) => {
    const file = virtualFile({ type: Q8_0, dimensions: [2 ** 32], bytes: 2 ** 27 * 34 });
    const { url, requests } = await serveFile(t, new Uint8Array(), file.answer);
    const gguf = await Gguf.open(url);
    requests.length = 0;
    const preview = await gguf.preview("large", { maxBytes: 100_000 });
    assert.deepEqual([preview.rows, preview.columns], [1, 64]);
    assert.ok(requests.length <= 64 && preview.bytesRead <= 100_000 && preview.bytesRead > 90_000);
    assert.equal(preview.statistics.zeros, preview.statistics.count);
  });

  test("a small tensor of any number of dimensions is read completely", async () => {
    for (const dimensions of [[8], [4, 2], [2, 2, 2], [2, 2, 1, 2], []]) {
      const count = dimensions.reduce((product, size) => product * size, 1);
      const file = ggufBytes([], [{ name: "small", dimensions, type: F32, bytes: 4 * count }]);
      const gguf = await Gguf.open(file);
      const data = new DataView(file.buffer, gguf.tensor("small")?.fileOffset);
      for (let i = 0; i < count; i++) data.setFloat32(4 * i, i + 1, true);
      const preview = await gguf.preview("small");
      const [columns = 1] = dimensions;
      assert.deepEqual([preview.columns, preview.rows], [columns, count / columns]);
      assert.equal(preview.complete, true);
      const expected = Float32Array.from({ length: count }, (_, i) => i + 1);
      assert.deepEqual([preview.mean, preview.min, preview.max], [expected, expected, expected]);
      assert.equal(preview.statistics.max, count);
    }
  });

  test("cells without a finite number are NaN", async () => {
    const file = ggufBytes([], [{ name: "small", dimensions: [4], type: F32, bytes: 16 }]);
    const gguf = await Gguf.open(file);
    new Uint8Array(file.buffer).set(
      new Uint8Array(Float32Array.of(1, NaN, Infinity, -Infinity).buffer),
      gguf.tensor("small")?.fileOffset,
    );
    const { mean, statistics } = await gguf.preview("small");
    assert.deepEqual([...mean], [1, NaN, NaN, NaN]);
    const { nans, positiveInfinities, negativeInfinities, count } = statistics;
    assert.deepEqual([count, nans, positiveInfinities, negativeInfinities], [4, 1, 1, 1]);
  });

  test("a tensor without elements", async () => {
    const gguf = await Gguf.open(ggufBytes([], [{ name: "none", dimensions: [0, 5], type: F32, bytes: 0 }]));
    const preview = await gguf.preview("none");
    assert.deepEqual([preview.rows, preview.columns, preview.mean.length, preview.complete], [0, 0, 0, true]);
    assert.deepEqual([preview.statistics.count, preview.statistics.mean], [0, NaN]);
    assert.equal(preview.statistics.histogram.counts.length, 0);
  });

  test("with the requested number of cells", async () => {
    const file = virtualFile({ type: I8, dimensions: [1000, 1000], bytes: 1e6, byte: rowOf(1000) });
    const gguf = await Gguf.open(file.source);
    const preview = await gguf.preview("large", { rows: 10, columns: 20 });
    assert.deepEqual([preview.rows, preview.columns, preview.mean.length], [10, 20, 200]);
    const fine = await gguf.preview("large", { rows: 1e9, columns: Infinity });
    assert.deepEqual([fine.rows, fine.columns], [1000, 1000]);
    for (const options of [{ rows: 0 }, { columns: -1 }, { maxBytes: NaN }, { rows: "5" }]) {
      await fails(gguf.preview("large", /** @type {any} */ (options)), { code: "invalid-argument" });
    }
    const blocks = await Gguf.open(virtualFile({ type: Q4_K, dimensions: [256], bytes: 144 }).source);
    await fails(blocks.preview("large", { maxBytes: 143 }), { code: "invalid-argument", message: /144/ });
  });

  test("of some rows reads only these, and counts rows from the start of the tensor", async (t) => {
    // 8 experts of 100 rows of 4096 elements. Every element is the number of its row modulo 128.
    const file = virtualFile({ type: I8, dimensions: [4096, 100, 8], bytes: 4096 * 800, byte: rowOf(4096) });
    const { url, requests } = await serveFile(t, new Uint8Array(), file.answer);
    const gguf = await Gguf.open(url);
    requests.length = 0;
    const expert = 4096 * 100;
    const preview = await gguf.preview("large", { start: 3 * expert, end: 4 * expert, rows: 50 });
    assert.equal(
      spans(requests).reduce((sum, { start, end }) => sum + end - start, 0),
      expert,
    );
    assert.equal(preview.complete, true);
    assert.equal(preview.bytesRead, expert);
    assert.equal(preview.statistics.count, expert);
    assert.deepEqual(
      [preview.sampledRows[0], preview.sampledRows.at(-1)],
      [
        { start: 300, end: 302 },
        { start: 398, end: 400 },
      ],
    );
    assert.deepEqual([preview.min[0], preview.max[0]], [300 & 127, 301 & 127]);
    const part = await gguf.preview("large", { start: 7 * expert, maxBytes: 8192 });
    assert.equal(part.complete, false);
    assert.ok(part.sampledRows.every(({ start, end }) => start >= 700 && end <= 800));
    for (const options of [
      { start: 1 },
      { end: 4095 },
      { start: expert, end: 0 },
      { end: 9 * expert },
      { start: -4096 },
    ])
      await fails(gguf.preview("large", options), { code: /invalid-argument|out-of-range/ });
    await fails(gguf.preview("large", { start: 1 }), { message: /start is 1 .* multiples of 4096/ });
  });

  test("bytes that two previews need are read once", async (t) => {
    const file = virtualFile({ type: I8, dimensions: [4608, 10_000], bytes: 46_080_000 });
    const { url, requests } = await serveFile(t, new Uint8Array(), file.answer);
    const gguf = await Gguf.open(url);
    for (const method of /** @type {const} */ (["preview", "statistics"])) {
      requests.length = 0;
      await gguf[method]("large");
      const once = spans(requests).sort((a, b) => a.start - b.start);
      requests.length = 0;
      const [one, other] = await Promise.all([gguf[method]("large"), gguf[method]("large")]);
      assert.deepEqual(
        spans(requests).sort((a, b) => a.start - b.start),
        once,
      );
      assert.deepEqual(one, other);
    }
  });

  test("makes no more requests after an abort", async (t) => {
    const file = virtualFile({ type: I8, dimensions: [4608, 100_000], bytes: 460_800_000 });
    const { url, requests } = await serveFile(t, new Uint8Array(), file.answer);
    const gguf = await Gguf.open(url);
    for (const method of /** @type {const} */ (["preview", "statistics"])) {
      const controller = new AbortController();
      const onProgress = () => controller.abort(new Error("enough"));
      await fails(gguf[method]("large", { signal: controller.signal, onProgress }), { message: "enough" });
      // Requests that were in flight at the abort may still arrive.
      for (let before = -1; before !== requests.length; await new Promise((passed) => setTimeout(passed, 300))) {
        before = requests.length;
      }
      assert.ok(requests.length < 20, `${requests.length} requests`);
      requests.length = 0;
    }
    await fails(gguf.preview("large", { signal: AbortSignal.abort(new Error("never")) }), { message: "never" });
  });
});

describe("a source that answers synchronously", () => {
  test("lets timers run, so that it can be aborted", async () => {
    const { source } = virtualFile({ type: I8, dimensions: [1 << 20, 1 << 20], bytes: 2 ** 40 });
    const gguf = await Gguf.open(source);
    for (const method of /** @type {const} */ (["statistics", "preview"])) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("enough")), 40);
      const options = { signal: controller.signal, ...(method === "preview" && { maxBytes: 2 ** 36 }) };
      await fails(gguf[method]("large", options), { message: "enough" });
    }
  });
});

describe("statistics", () => {
  test("of a whole tensor, in chunks", async () => {
    const bytes = 20_000_000;
    const byte = (/** @type {number} */ at) => (at % 1000 === 0 ? 128 : (at % 100) + 1);
    const file = virtualFile({ type: I8, dimensions: [1000, bytes / 1000], bytes, byte });
    const gguf = await Gguf.open(file.source);
    /** @type {number[]} */
    const reports = [];
    const figures = await gguf.statistics("large", { onProgress: ({ bytesRead }) => reports.push(bytesRead) });
    let [sum, squares] = [0, 0];
    const value = (/** @type {number} */ at) => (byte(at) << 24) >> 24;
    for (let at = 0; at < bytes; at++) sum += value(at);
    const mean = sum / bytes;
    for (let at = 0; at < bytes; at++) squares += (value(at) - mean) ** 2;
    assert.equal(figures.count, bytes);
    assert.deepEqual([figures.min, figures.max, figures.absoluteMaximum, figures.zeros], [-128, 100, 128, 0]);
    assert.ok(Math.abs(figures.mean - mean) < 1e-9 * figures.standardDeviation);
    assert.ok(Math.abs(figures.standardDeviation / Math.sqrt(squares / bytes) - 1) < 1e-9);
    const { start, width, counts } = figures.histogram;
    const expected = counts.map(() => 0);
    for (let at = 0; at < bytes; at++) {
      const bin = Math.floor((value(at) - start) / width);
      expected[bin] = (expected[bin] ?? NaN) + 1;
    }
    assert.deepEqual(counts, expected);
    assert.equal(reports.at(-1), bytes);
    assert.ok(reports.length >= 9);
  });

  test("of numbers that f32 cannot hold", async () => {
    const file = ggufBytes(
      [],
      [
        { name: "I64", dimensions: [2], type: I64, bytes: 16 },
        { name: "F64", dimensions: [2], type: F64, bytes: 16 },
      ],
    );
    const gguf = await Gguf.open(file);
    const data = new DataView(file.buffer);
    data.setBigInt64(gguf.tensor("I64")?.fileOffset ?? 0, 2n ** 53n - 1n, true);
    data.setFloat64(gguf.tensor("F64")?.fileOffset ?? 0, 1e300, true);
    assert.equal((await gguf.statistics("I64")).max, 2 ** 53 - 1);
    assert.equal((await gguf.statistics("F64")).max, 1e300);
    assert.equal((await gguf.preview("F64")).statistics.max, 1e300);
  });

  test("an error in a callback is passed on", async () => {
    const gguf = await Gguf.open(virtualFile({ type: I8, dimensions: [10], bytes: 10 }).source);
    const onProgress = () => {
      throw new RangeError("mine");
    };
    await fails(gguf.statistics("large", { onProgress }), { name: "RangeError", message: "mine" });
  });
});
