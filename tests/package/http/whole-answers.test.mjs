// Responses with status 200 to a range request.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Gguf } from "gguf-wasm/full";
import { fails, until } from "../../support/expect.mjs";
import { FIRST, LARGE, makeModel, openSmall, readValues, SMALL } from "../../support/http-models.mjs";
import { misbehave, partial, whole } from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

describe("200", { concurrency: true }, () => {
  const huge = new Uint8Array(64 << 20);
  huge.set(SMALL.bytes);

  test("first: the header is read during the download, the rest is not, and values are not available", async (t) => {
    const server = await misbehave(t, huge, whole());
    const gguf = await openSmall(server.url);
    assert.equal(gguf.fileSize, huge.length);
    await until(() => server.requests[0]?.state === "left");
    assert.ok(server.sent() < 16 << 20, `${server.sent()} bytes`);
    await fails(readValues(gguf), { code: "no-ranges", status: 200, url: server.url });
    assert.equal(server.requests.length, 1);
  });

  test("first, without a length or compressed: the same, and the size is unknown", async (t) => {
    for (const but of [
      { headers: { "Content-Length": undefined } },
      { headers: { "Content-Length": undefined, "Content-Encoding": "gzip" }, body: gzipSync },
      { headers: { "Content-Length": gzipSync(SMALL.bytes).length, "Content-Encoding": "gzip" }, body: gzipSync },
    ]) {
      const server = await misbehave(t, SMALL.bytes, whole(but));
      const gguf = await openSmall(server.url);
      assert.equal(gguf.fileSize, undefined);
      await fails(readValues(gguf), { code: "no-ranges" });
      assert.equal(server.requests.length, 1);
    }
  });

  test("first, of a file that has arrived completely with its header: it is kept, and values need no request", async (t) => {
    const { bytes, data } = makeModel(10, 1000);
    const server = await misbehave(t, bytes, whole());
    const gguf = await Gguf.open(server.url);
    const values = bytes.slice(data + 40, data + 400);
    assert.deepEqual(await gguf.readBytes("output.weight", { start: 10, end: 100 }), values);
    assert.equal(gguf.fileSize, bytes.length);
    assert.equal(server.requests.length, 1);
  });

  test("first, with an empty file", async (t) => {
    const server = await misbehave(t, new Uint8Array(), whole());
    await fails(Gguf.open(server.url), { code: "unexpected-eof" });
    assert.equal(server.requests.length, 1);
  });

  test("first, broken off: once more from the start", async (t) => {
    const early = await misbehave(t, huge, [whole({ cut: 0 }), whole()]);
    await openSmall(early.url);
    assert.equal(early.requests.length, 2);
    const ranges = await misbehave(t, SMALL.bytes, [whole({ cut: 0 })]);
    await readValues(await openSmall(ranges.url));
    assert.equal(ranges.requests.length, 3);
    const late = await misbehave(t, huge, [whole({ cut: 100_000 }), whole()]);
    await openSmall(late.url);
    assert.deepEqual(late.ranges(), Array(2).fill(`0-${FIRST - 1}`));
    const twice = await misbehave(t, huge, whole({ cut: 100_000 }));
    await fails(Gguf.open(twice.url), { code: "network" });
    assert.equal(twice.requests.length, 2);
  });

  test("later: no-ranges, and nothing is downloaded", async (t) => {
    const server = await misbehave(t, huge, [partial(), whole()]);
    await fails(readValues(await openSmall(server.url)), { code: "no-ranges", status: 200 });
    await until(() => server.requests[1]?.state === "left");
    assert.ok((server.requests[1]?.sent ?? 0) < 8 << 20);
    const header = await misbehave(t, LARGE.bytes, [partial(), whole()]);
    await fails(Gguf.open(header.url), { code: "no-ranges", status: 200 });
  });
});

describe("200 after the header was read", { concurrency: true }, () => {
  /** @type {Record<string, (gguf: Gguf) => Promise<unknown>>} */
  const reads = {
    "plan.stream()": async (gguf) => {
      for await (const chunk of gguf.edit().plan().stream()) assert.ok(chunk.length > 0);
    },
    "plan.read() from 0": (gguf) => gguf.edit().plan().read(0, 1_000_000),
    "readBytes()": readValues,
    "preview()": (gguf) => gguf.preview("output.weight"),
    "statistics()": (gguf) => gguf.statistics("output.weight"),
  };
  for (const [name, read] of Object.entries(reads)) {
    test(`${name}: no-ranges`, async (t) => {
      const server = await misbehave(t, SMALL.bytes, (asked) => (asked.number ? whole() : partial())(asked));
      await fails(read(await openSmall(server.url)), { code: "no-ranges", status: 200, url: server.url });
    });
  }
});
