// Everything that can be opened, how it is read, and what is said when it cannot be.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm";
import { asked, range, serveFile, status, whole } from "../../support/file-server.mjs";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { virtualFile } from "../../support/virtual-file.mjs";

/** @typedef {import("gguf-wasm").OpenProgress} OpenProgress */

// A header of 1.9 MB: more than a few requests, and more than a few blocks.
const TOKENS = 100_000;
const token = (/** @type {number} */ index) => `token ${index} Ġ`;
const MODEL = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["tokenizer.ggml.tokens", { type: "strings", count: TOKENS, at: token }],
    ["last", uint32(7)],
  ],
  [
    { name: "output.weight", dimensions: [256, 1024], type: 0, bytes: 1 << 20 },
    { name: "strange.weight", dimensions: [64], type: 137, bytes: 96 },
    { name: "blocks.weight", dimensions: [64, 3], type: 8, bytes: 204 },
  ],
);
const whenOpened = await Gguf.open(MODEL);
const { headerSize, dataOffset } = whenOpened;
for (let at = dataOffset; at < MODEL.length; at += 1) MODEL[at] = (at * 31) ^ (at >> 8);

/**
 * @param {Gguf} gguf
 * @param {number | undefined} [fileSize]
 */
function check(gguf, fileSize = MODEL.length) {
  assert.equal(gguf.metadata.get("last"), 7);
  const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
  assert.ok(typeof tokens === "object");
  assert.equal(tokens.at(-1), token(TOKENS - 1));
  assert.equal(gguf.headerSize, headerSize);
  assert.equal(gguf.fileSize, fileSize);
  return gguf;
}

/** @param {Gguf} gguf */
async function checkValues(gguf) {
  const rows = await gguf.readBytes("blocks.weight", { start: 40, end: 70 });
  const { fileOffset = 0 } = gguf.tensor("blocks.weight") ?? {};
  assert.deepEqual(rows, MODEL.slice(fileOffset + 34, fileOffset + 3 * 34));
}

/** @param {Promise<unknown>} promise @param {object} expected */
const fails = (promise, expected) => assert.rejects(promise, { name: "GgufError", ...expected });

describe("bytes", () => {
  test("of every kind, and a view sees only its part", async () => {
    const padded = new Uint8Array(MODEL.length + 20);
    padded.set(MODEL, 10);
    const part = /** @type {const} */ ([padded.buffer, 10, MODEL.length]);
    for (const source of [MODEL, MODEL.buffer, Buffer.from(...part), new Uint8Array(...part), new DataView(...part)]) {
      const gguf = check(await Gguf.open(/** @type {Uint8Array} */ (source)));
      await checkValues(gguf);
    }
  });

  test("values are copies", async () => {
    const bytes = Buffer.from(MODEL);
    const gguf = await Gguf.open(bytes);
    const values = await gguf.readBytes("blocks.weight");
    bytes.fill(0);
    assert.ok(values.some((value) => value !== 0));
  });

  test("in shared memory", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(MODEL.length));
    shared.set(MODEL);
    check(await Gguf.open(/** @type {any} */ (shared)));
  });
});

describe("blobs and files", () => {
  test("are read as far as the header goes", async () => {
    let read = 0;
    class CountingBlob extends Blob {
      /** @param {number} start @param {number} end */
      slice(start, end) {
        read += end - start;
        return super.slice(start, end);
      }
    }
    const gguf = check(await Gguf.open(new CountingBlob([MODEL])));
    assert.ok(read >= headerSize && read <= headerSize + (256 << 10), `${read} bytes of ${headerSize}`);
    await checkValues(gguf);
    check(await Gguf.open(new File([MODEL], "model.gguf")));
  });

  test("from a file system handle", async () => {
    check(await Gguf.open({ getFile: async () => new File([MODEL], "model.gguf") }));
    await fails(Gguf.open(/** @type {any} */ ({ getFile: async () => 5 })), { code: "invalid-source" });
    await fails(Gguf.open({ getFile: () => Promise.reject(new Error("gone")) }), {
      code: "read-failed",
      message: /gone/,
    });
  });

  test("that cannot be read", async () => {
    class BrokenBlob extends Blob {
      slice() {
        return /** @type {Blob} */ ({
          arrayBuffer: () => Promise.reject(new DOMException("changed", "NotReadableError")),
        });
      }
    }
    await fails(Gguf.open(new BrokenBlob([MODEL])), { code: "read-failed", message: /changed/ });
  });
});

describe("streams", () => {
  /** @param {number} size @param {{ pulled: number, cancelled: boolean }} seen */
  const stream = (size, seen) =>
    new ReadableStream(
      {
        pull(controller) {
          controller.enqueue(MODEL.slice(seen.pulled, (seen.pulled += size)));
          if (seen.pulled >= MODEL.length) controller.close();
        },
        cancel() {
          seen.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );

  for (const size of [7919, 65_536, MODEL.length]) {
    test(`in pieces of ${size}, read as far as the header goes, then cancelled and released`, async () => {
      const seen = { pulled: 0, cancelled: false };
      const source = stream(size, seen);
      const gguf = await Gguf.open(source);
      assert.equal(gguf.metadata.get("last"), 7);
      assert.equal(gguf.fileSize, undefined);
      assert.ok(seen.pulled < headerSize + size);
      assert.equal(seen.cancelled, size !== MODEL.length);
      assert.equal(source.locked, false);
      await fails(gguf.readBytes("output.weight"), { code: "no-ranges" });
    });
  }

  test("that end early, fail, are locked or give no bytes", async () => {
    await fails(Gguf.open(new Blob([MODEL.slice(0, 1000)]).stream()), { code: "unexpected-eof" });
    const failing = new ReadableStream({ pull: () => Promise.reject(new Error("cut")) });
    await fails(Gguf.open(failing), { code: "read-failed", message: /cut/ });
    const locked = new Blob([MODEL]).stream();
    locked.getReader();
    await fails(Gguf.open(locked), { code: "read-failed", message: /locked/ });
    const words = new ReadableStream({ start: (controller) => controller.enqueue("GGUF") });
    await fails(Gguf.open(words), { code: "read-failed" });
  });
});

describe("custom sources", () => {
  /** @param {number} start @param {number} end */
  const read = async (start, end) => MODEL.slice(start, end);

  test("with and without a size", async () => {
    await checkValues(check(await Gguf.open({ read, size: MODEL.length })));
    const gguf = await Gguf.open({ read });
    assert.equal(gguf.fileSize, undefined);
    await checkValues(gguf);
  });

  test("that give their bytes in small pieces, or at once instead of later", async () => {
    check(await Gguf.open({ read: (start, end) => read(start, Math.min(end, start + 50_000)), size: MODEL.length }));
    const now = /** @type {any} */ ({ read: (/** @type {number} */ a, /** @type {number} */ b) => MODEL.slice(a, b) });
    assert.equal((await Gguf.open(now)).headerSize, headerSize);
  });

  test("that end early, give too much, or nothing of use", async () => {
    const short = {
      read: async (/** @type {number} */ start, /** @type {number} */ end) => MODEL.slice(start, Math.min(end, 5000)),
    };
    await fails(Gguf.open(short), { code: "unexpected-eof" });
    await fails(Gguf.open({ read: async () => MODEL }), { code: "read-failed" });
    await fails(Gguf.open({ read: async () => /** @type {any} */ ("GGUF") }), { code: "read-failed" });
    const own = new TypeError("my own");
    const throws = () => {
      throw own;
    };
    for (const read of [() => Promise.reject(own), throws]) {
      await fails(Gguf.open({ read }), { code: "read-failed", cause: own, message: /my own/ });
    }
    const half = await Gguf.open({
      read: (start, end) => read(start, Math.min(end, dataOffset + 100)),
      size: MODEL.length,
    });
    await fails(half.readBytes("output.weight"), { code: "read-failed" });
  });

  test("are given the signal", async () => {
    const { signal } = new AbortController();
    let given;
    await Gguf.open({ read: (start, end, options) => ((given = options.signal), read(start, end)) }, { signal });
    assert.equal(given, signal);
  });

  test("with impossible sizes", async () => {
    for (const size of [-1, NaN, 2 ** 53, Infinity]) {
      await fails(Gguf.open({ read, size }), { code: "invalid-source" });
    }
  });
});

describe("URLs", () => {
  test("are read by bounded ranges, as far as the header goes", async (t) => {
    const server = await serveFile(t, MODEL);
    for (const source of [server.url, new URL(server.url)]) {
      server.requests.length = 0;
      const gguf = check(await Gguf.open(source));
      const ranges = server.requests.map((request) => request.range?.slice("bytes=".length).split("-").map(Number));
      assert.equal(ranges[0]?.[0], 0);
      for (const [index, found] of ranges.slice(1).entries()) {
        assert.equal(found?.[0], (ranges[index]?.[1] ?? 0) + 1, "the ranges follow one another");
      }
      assert.ok(server.requests.length <= 8, `${server.requests.length} requests`);
      await checkValues(gguf);
      assert.equal(server.requests.at(-1)?.range, `bytes=${blocksAt(34)}-${blocksAt(3 * 34) - 1}`);
    }
  });

  test("parsed while they stream: the header is there before its answer has ended", async (t) => {
    const small = ggufBytes([["a", uint32(1)]]);
    const server = await serveFile(t, small, (_, response, file) => {
      response.writeHead(206, { "Content-Range": "bytes 0-393215/400000", "Content-Length": 393_216 });
      response.write(file);
    });
    assert.equal((await Gguf.open(server.url)).fileSize, 400_000);
  });

  test("of servers without ranges: the header is read, the rest is not", async (t) => {
    const large = new Uint8Array(64 << 20);
    large.set(MODEL);
    const server = await serveFile(t, large, whole);
    const gguf = check(await Gguf.open(server.url), large.length);
    await until(() => server.requests[0]?.closed);
    assert.equal(server.requests.length, 1);
    const sent = server.requests[0]?.sent ?? 0;
    assert.ok(sent < 16 << 20, `${sent} bytes were sent`);
    await fails(gguf.readBytes("output.weight"), { code: "no-ranges", url: server.url });
    assert.equal(server.requests.length, 1);
  });

  test("a later answer without a range is not downloaded", async (t) => {
    const server = await serveFile(t, MODEL, (request, response, file, number) =>
      number === 1 ? range(request, response, file, number) : whole(request, response, file, number),
    );
    await fails(Gguf.open(server.url), { code: "no-ranges", status: 200 });
  });

  for (const code of [400, 401, 403, 404, 410, 500]) {
    test(`status ${code} is told as such`, async (t) => {
      const server = await serveFile(t, MODEL, status(code));
      await fails(Gguf.open(server.url), { code: "http", status: code, url: server.url });
    });
  }

  test("an error page with status 200 is no GGUF file", async (t) => {
    const server = await serveFile(t, MODEL, status(200));
    await fails(Gguf.open(server.url), { code: "bad-magic", offset: 0 });
  });

  test("no server, and no address", async (t) => {
    const server = await serveFile(t, MODEL);
    await server.close();
    await fails(Gguf.open(server.url, { retries: 0 }), { code: "network", url: server.url });
    await fails(Gguf.open("no address"), { code: "invalid-source" });
  });

  test("truncated files end where they end", async (t) => {
    for (const length of [0, 3, 24, 5000, 393_216, 500_000, headerSize - 1]) {
      for (const answer of [range, whole]) {
        const server = await serveFile(t, MODEL.subarray(0, length), answer);
        const error = await Gguf.open(server.url).catch((error) => error);
        assert.equal(error.code, "unexpected-eof", `${length} bytes: ${error.message}`);
        assert.ok(error.offset <= length);
      }
    }
  });

  test("another range than the one that was asked for", async (t) => {
    for (const header of ["bytes 5-99/1000", "bytes */1000", "nonsense"]) {
      const server = await serveFile(t, MODEL, (_, response, file) => {
        response.writeHead(206, { "Content-Range": header }).end(file.subarray(0, 1000));
      });
      await fails(Gguf.open(server.url), { code: "bad-range", status: 206 });
    }
  });

  test("a connection that is lost is taken up where it stopped", async (t) => {
    const server = await serveFile(t, MODEL, (request, response, file, number) => {
      if (number % 2 === 0) return range(request, response, file, number);
      const { start, end } = asked(request, file);
      const headers = { "Content-Range": `bytes ${start}-${end - 1}/${file.length}`, "Content-Length": end - start };
      response.writeHead(206, headers).write(file.subarray(start, start + 1000), () => response.destroy());
    });
    check(await Gguf.open(server.url));
    const broken = await serveFile(t, MODEL, (_, response) => void response.destroy());
    await fails(Gguf.open(broken.url), { code: "network" });
  });

  test("options.headers and options.fetch", async (t) => {
    const server = await serveFile(t, MODEL);
    await Gguf.open(server.url, { headers: { Authorization: "Bearer secret" } });
    assert.ok(server.requests.every((request) => request.headers.authorization === "Bearer secret"));
    let fetched = 0;
    const fetchIt = (/** @type {string} */ url, /** @type {RequestInit} */ init) => (fetched++, fetch(url, init));
    check(await Gguf.open(server.url, { fetch: fetchIt }));
    assert.ok(fetched > 0);
    const refuse = () => Promise.reject(new Error("not today"));
    await fails(Gguf.open(server.url, { fetch: refuse }), { code: "network", message: /not today/ });
  });
});

describe("what is not a source", () => {
  for (const source of [undefined, null, 5, true, 5n, Symbol("s"), {}, [], () => 5, new Map()]) {
    test(String(typeof source === "symbol" ? "symbol" : source), () =>
      fails(Gguf.open(/** @type {any} */ (source)), { code: "invalid-source" }),
    );
  }
});

describe("aborting", () => {
  test("before, with the reason that was given", async () => {
    await assert.rejects(Gguf.open(MODEL, { signal: AbortSignal.abort() }), { name: "AbortError" });
    const reason = new Error("enough");
    await assert.rejects(Gguf.open(MODEL, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
  });

  test("while an answer is awaited, and while it arrives: at once, and the server is told", async (t) => {
    for (const begin of [false, true]) {
      const server = await serveFile(t, MODEL, (_, response, file) => {
        if (begin) response.writeHead(206, { "Content-Range": "bytes 0-999/1000" }).write(file.subarray(0, 500));
      });
      const controller = new AbortController();
      const opening = Gguf.open(server.url, { signal: controller.signal });
      await until(() => server.requests.length > 0);
      setTimeout(() => controller.abort(), 20);
      await assert.rejects(opening, { name: "AbortError" });
      await until(() => server.requests[0]?.closed);
    }
  });

  test("while a custom source or a stream keeps silent", async () => {
    const never = () => new Promise(() => {});
    await assert.rejects(Gguf.open(/** @type {any} */ ({ read: never }), { signal: soon() }), {
      name: "AbortError",
    });
    const silent = new ReadableStream({ pull: () => /** @type {Promise<void>} */ (never()) });
    await assert.rejects(Gguf.open(silent, { signal: soon() }), { name: "AbortError" });
    assert.equal(silent.locked, false);
  });

  test("while values are read", async () => {
    const controller = new AbortController();
    const source = {
      read: (/** @type {number} */ start, /** @type {number} */ end) =>
        start < dataOffset ? Promise.resolve(MODEL.slice(start, Math.min(end, dataOffset))) : new Promise(() => {}),
    };
    const gguf = await Gguf.open(/** @type {any} */ (source));
    const reading = gguf.readBytes("output.weight", { signal: controller.signal });
    controller.abort();
    await assert.rejects(reading, { name: "AbortError" });
  });

  test("afterwards, which changes nothing", async () => {
    const controller = new AbortController();
    const gguf = await Gguf.open(MODEL, { signal: controller.signal });
    controller.abort();
    check(gguf);
  });
});

describe("progress", () => {
  test("grows up to the whole header", async (t) => {
    const server = await serveFile(t, MODEL);
    /** @type {OpenProgress[]} */
    const seen = [];
    await Gguf.open(server.url, { onProgress: (progress) => seen.push(progress) });
    assert.ok(seen.length > 2);
    for (const [index, progress] of seen.slice(1).entries()) {
      const before = /** @type {OpenProgress} */ (seen[index]);
      assert.ok(progress.bytesRead >= before.bytesRead && progress.metadataRead >= before.metadataRead);
    }
    assert.deepEqual(seen.at(-1), {
      bytesRead: headerSize,
      fileSize: MODEL.length,
      requests: seen.at(-1)?.requests,
      metadataRead: 3,
      metadataCount: 3,
      tensorsRead: 3,
      tensorCount: 3,
      headerEstimate: headerSize,
    });
    assert.ok(seen.every((progress) => progress.headerEstimate >= progress.bytesRead));
    assert.ok((seen.at(-1)?.requests ?? 0) >= server.requests.length);
  });

  test("that throws ends the opening with what it threw", async () => {
    const mine = new Error("mine");
    const onProgress = () => {
      throw mine;
    };
    await assert.rejects(Gguf.open(MODEL, { onProgress }), (error) => error === mine);
  });
});

describe("options.header", () => {
  test("opens without reading anything, and reads values", async () => {
    const header = whenOpened.headerBytes();
    let reads = 0;
    const read = async (/** @type {number} */ start, /** @type {number} */ end) => (reads++, MODEL.slice(start, end));
    const gguf = check(await Gguf.open({ read, size: MODEL.length }, { header }));
    assert.equal(reads, 0);
    await checkValues(gguf);
    await fails(Gguf.open({ read }, { header: header.slice(0, -1) }), { code: "unexpected-eof" });
    await fails(Gguf.open({ read }, { header: /** @type {any} */ ("x") }), { code: "invalid-argument" });
  });
});

describe("options.limits", () => {
  test("are kept", async () => {
    for (const [limit, value] of Object.entries({
      headerBytes: 1000,
      stringBytes: 4,
      arrayLength: 99_999,
      arrayDepth: 0,
      metadataCount: 2,
      tensorCount: 2,
      dimensionCount: 1,
    })) {
      await fails(Gguf.open(MODEL, { limits: { [limit]: value } }), { code: "limit-exceeded" });
    }
    check(await Gguf.open(MODEL, { limits: { arrayLength: 100_000, tensorCount: undefined } }));
  });

  test("that are none", async () => {
    for (const limits of [{ headerBites: 5 }, { headerBytes: "5" }, { headerBytes: -1 }, { headerBytes: NaN }]) {
      await fails(Gguf.open(MODEL, { limits: /** @type {any} */ (limits) }), { code: "invalid-argument" });
    }
  });
});

describe("readBytes", () => {
  test("whole blocks of any range of elements", async () => {
    const gguf = await Gguf.open(MODEL);
    /** @type {[number, number][]} */
    const ranges = [
      [0, 192],
      [0, 0],
      [5, 5],
      [192, 192],
      [0, 1],
      [31, 33],
      [32, 64],
      [191, 192],
    ];
    for (const [start, end] of ranges) {
      const expected = MODEL.slice(blocksAt(Math.floor(start / 32) * 34), blocksAt(Math.ceil(end / 32) * 34));
      const bytes = await gguf.readBytes("blocks.weight", { start, end });
      assert.deepEqual(bytes, start === end ? new Uint8Array() : expected, `${start}..${end}`);
    }
  });

  test("ranges that are none", async () => {
    const gguf = await Gguf.open(MODEL);
    const ranges = [{ start: -1 }, { end: 193 }, { start: 5, end: 4 }, { start: 0.5 }, { end: NaN }, { start: "1" }];
    for (const range of ranges) {
      const read = gguf.readBytes("blocks.weight", /** @type {any} */ (range));
      await fails(read, { code: "out-of-range", message: /blocks\.weight/ });
    }
  });

  test("a tensor of unknown type up to the next tensor, as a whole", async () => {
    const gguf = await Gguf.open(MODEL);
    const strange = gguf.tensor("strange.weight");
    assert.equal(strange?.type, "unknown(137)");
    assert.equal(strange?.byteLength, undefined);
    const { fileOffset = 0 } = strange ?? {};
    assert.deepEqual(await gguf.readBytes("strange.weight"), MODEL.slice(fileOffset, fileOffset + 96));
    await fails(gguf.readBytes("strange.weight", { end: 5 }), { code: "unknown-type" });
  });

  test("tensors that there are not, and copies of those that there are", async () => {
    const gguf = await Gguf.open(MODEL);
    const [first] = gguf.tensors;
    assert.ok(first);
    await fails(gguf.readBytes("nothing"), { code: "unknown-tensor", message: /nothing/ });
    await fails(gguf.readBytes({ ...first, name: "other" }), { code: "unknown-tensor" });
    await fails(gguf.readBytes({ ...first, index: 99 }), { code: "unknown-tensor" });
    await fails(gguf.readBytes(/** @type {any} */ (undefined)), { code: "invalid-argument" });
    const bytes = await gguf.readBytes(structuredClone(first), { end: 16 });
    assert.deepEqual(bytes, MODEL.slice(dataOffset, dataOffset + 64));
  });

  test("beyond the end of the file", async () => {
    const gguf = await Gguf.open(MODEL.subarray(0, MODEL.length - 100));
    await fails(gguf.readBytes("blocks.weight"), { code: "unexpected-eof", offset: blocksAt(0) });
  });

  test("what has not begun is not read for others when it is not wanted any more", async () => {
    const file = virtualFile({ type: 24, dimensions: [1000, 100_000], bytes: 1e8 });
    /** @type {number[]} */
    const reads = [];
    let goOn = () => {};
    const waits = /** @type {Promise<void>} */ (new Promise((resolve) => (goOn = resolve)));
    const gguf = await Gguf.open({
      size: file.size,
      async read(start, end, options) {
        reads.push(end - start);
        if (start >= file.dataOffset) await waits;
        return file.source.read(start, end, options);
      },
    });
    reads.length = 0;
    const busy = [0, 1, 2, 3, 4, 5].map((i) => gguf.readBytes("large", { start: i * 1e7, end: i * 1e7 + 10 }));
    await until(() => reads.length === 6);
    await assert.rejects(gguf.readBytes("large", { start: 9e7, end: 9.5e7, signal: soon() }), { name: "AbortError" });
    const other = gguf.readBytes("large", { start: 9.1e7, end: 9.1e7 + 10 });
    goOn();
    await Promise.all([...busy, other]);
    assert.deepEqual(reads.slice(6), [10]);
  });

  test("goes on when the Gguf is freed meanwhile", async () => {
    const gguf = await Gguf.open(MODEL);
    const reading = gguf.readBytes("blocks.weight");
    gguf.free();
    assert.equal((await reading).length, 204);
    assert.throws(() => gguf.tensors);
  });
});

process.on("unhandledRejection", (reason) => {
  throw reason;
});

/** Waits for something that another process's or another task's doing makes true. @param {() => unknown} condition */
async function until(condition) {
  for (let tries = 0; !condition(); tries += 1) {
    assert.ok(tries < 1000, `never: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A signal that is aborted in a moment, and keeps the process until then. */
function soon() {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  return controller.signal;
}

/** @param {number} offset */
function blocksAt(offset) {
  return (whenOpened.tensor("blocks.weight")?.fileOffset ?? 0) + offset;
}
