// Responses with status 206: correct, wrong, short, long, without Content-Range.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Gguf } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import {
  checkHeader,
  FIRST,
  headerSize,
  LARGE,
  openSmall,
  ownFetch,
  readValues,
  SMALL,
  startOf,
  VALUES,
} from "../../support/http-models.mjs";
import { misbehave, partial, status } from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

describe("206", { concurrency: true }, () => {
  test("correct: one request, then one for the values; the size is known", async (t) => {
    const server = await misbehave(t, SMALL.bytes);
    const gguf = await openSmall(server.url);
    assert.equal(gguf.fileSize, SMALL.bytes.length);
    assert.deepEqual(server.ranges(), [`0-${FIRST - 1}`]);
    await readValues(gguf);
    assert.deepEqual(server.ranges().slice(1), [VALUES.join("-")]);
    assert.ok(server.sent() <= FIRST + 800_000);
  });

  for (const range of [
    "bytes 5-99/1000",
    "bytes 1-393216/2000000",
    "bytes 0-393216/2000000",
    "bytes 5-4/1000",
    "bytes 0-999/999",
  ]) {
    test(`another range, ${range}: bad-range before the body is read`, async (t) => {
      const wrong = partial({ headers: { "Content-Range": range, "Content-Length": undefined }, hang: 0 });
      const server = await misbehave(t, SMALL.bytes, wrong);
      await fails(Gguf.open(server.url), { code: "bad-range", status: 206, url: server.url });
      assert.deepEqual(server.ranges(), [`0-${FIRST - 1}`]);
    });
  }

  for (const range of ["bytes */1000", "nonsense", "bytes 0-", "bytes 0-99", "items 0-99/100", ""]) {
    test(`an invalid range, "${range}": bad-range before the body is read`, async (t) => {
      const wrong = partial({ headers: { "Content-Range": range, "Content-Length": undefined }, hang: 0 });
      const server = await misbehave(t, SMALL.bytes, wrong);
      await fails(Gguf.open(server.url), { code: "bad-range", status: 206 });
      assert.equal(server.requests.length, 1);
    });
  }

  test("another range in a request for values", async (t) => {
    const server = await misbehave(t, SMALL.bytes, [
      partial(),
      partial({ headers: { "Content-Range": "bytes 0-9/99" } }),
    ]);
    await fails(readValues(await openSmall(server.url)), { code: "bad-range" });
    assert.equal(server.requests.length, 2);
  });

  test("the unit of Content-Range in upper case: the range is used", async (t) => {
    const server = await misbehave(t, SMALL.bytes, (asked) => {
      const last = Math.min(asked.end, SMALL.bytes.length) - 1;
      return partial({ headers: { "Content-Range": `BYTES ${asked.start}-${last}/${SMALL.bytes.length}` } })(asked);
    });
    await readValues(await openSmall(server.url));
    assert.equal(server.requests.length, 2);
  });

  test("a capped response: the rest of the header and the values are requested in ranges of that length", async (t) => {
    const server = await misbehave(t, SMALL.bytes, partial({ cap: 100_000 }));
    await readValues(await openSmall(server.url, { retries: 0 }));
    // Up to 64 KiB beyond the estimated end of the header are requested with it.
    const isOfHeader = (/** @type {string} */ range) => startOf(range) < headerSize + 65_536;
    const header = server.ranges().filter(isOfHeader);
    const expected = [0, 100_000, 200_000, 300_000].filter((start) => start < headerSize + 65_536);
    assert.deepEqual(header.map(startOf), expected);
    // Requests that are sent at the same time come in any order.
    const values = server.ranges().filter((range) => !isOfHeader(range));
    values.sort((one, other) => startOf(one) - startOf(other));
    assert.deepEqual(
      values,
      Array.from({ length: 8 }, (_, index) => (VALUES[0] ?? 0) + index * 100_000).map((at) => `${at}-${at + 99_999}`),
    );
  });

  test("fewer bytes than announced: reading continues where it stopped", async (t) => {
    const cut = partial({ cut: 100_000 });
    const server = await misbehave(t, SMALL.bytes, [cut, partial(), cut, cut, partial()]);
    await readValues(await openSmall(server.url));
    const [first, second, ...values] = server.ranges();
    assert.equal(first, `0-${FIRST - 1}`);
    assert.equal(startOf(second), server.requests[0]?.sent);
    assert.deepEqual(
      values,
      [0, 100_000, 200_000].map((at) => `${(VALUES[0] ?? 0) + at}-${VALUES[1]}`),
    );
  });

  test("several requests in flight, the first response broken off: only the missing bytes are requested again", async (t) => {
    const server = await misbehave(t, LARGE.bytes, [partial({ cut: 150_000 })]);
    checkHeader(await Gguf.open(server.url), LARGE);
    const starts = server.requests.map(({ start }) => start);
    assert.ok(starts.includes(FIRST), "the second part was under way");
    const again = server.requests.find(({ start }) => start === 150_000);
    assert.equal(again?.end, FIRST);
    assert.equal(new Set(starts).size, starts.length, "nothing is asked for twice");
  });

  test("more bytes than announced: bad-range", async (t) => {
    const long = partial({ headers: { "Content-Length": undefined }, body: (body) => Buffer.concat([body, body]) });
    const server = await misbehave(t, SMALL.bytes, [partial(), long]);
    await fails(readValues(await openSmall(server.url)), { code: "bad-range" });
    assert.equal(server.requests.length, 2);
    const header = await misbehave(
      t,
      SMALL.bytes,
      partial({
        headers: { "Content-Length": undefined, "Content-Range": `bytes 0-999/${SMALL.bytes.length}` },
      }),
    );
    await fails(Gguf.open(header.url), { code: "bad-range" });
    assert.equal(header.requests.length, 1);
  });

  test("without Content-Range, which CORS may hide: the size is unknown, and values are read", async (t) => {
    for (const headers of [
      { "Content-Range": undefined },
      { "Content-Range": undefined, "Content-Length": undefined },
    ]) {
      const server = await misbehave(t, SMALL.bytes, partial({ headers }));
      const gguf = await openSmall(server.url, ownFetch);
      assert.equal(gguf.fileSize, undefined);
      await readValues(gguf);
      assert.deepEqual(server.ranges(), [`0-${FIRST - 1}`, VALUES.join("-")]);
    }
  });

  test("without Content-Range, a tensor of unknown size at the end of the file: a request finds the end", async (t) => {
    const tensors = [{ name: "strange", dimensions: [64], type: 137, bytes: 96 }];
    const bytes = ggufBytes([["pad", text("x".repeat(FIRST))]], tensors);
    const server = await misbehave(t, bytes, partial({ headers: { "Content-Range": undefined } }));
    const gguf = await Gguf.open(server.url, ownFetch);
    assert.equal(gguf.fileSize, undefined);
    assert.deepEqual(await gguf.readBytes("strange"), bytes.slice(gguf.dataOffset));
    assert.equal(gguf.fileSize, bytes.length);
    const count = server.requests.length;
    await gguf.readBytes("strange");
    assert.equal(server.requests.length, count + 1, "and only once");
  });

  test("without Content-Range, cut off: reading continues; longer than requested: bad-range", async (t) => {
    const headers = { "Content-Range": undefined };
    const short = await misbehave(t, SMALL.bytes, [partial({ headers, cut: 100_000 }), partial({ headers })]);
    await openSmall(short.url, ownFetch);
    assert.deepEqual(
      short.requests.map(({ start }) => start),
      [0, 100_000],
    );
    for (const length of [900_000, undefined]) {
      const long = partial({ headers: { ...headers, "Content-Length": length }, body: () => new Uint8Array(900_000) });
      const server = await misbehave(t, SMALL.bytes, [partial({ headers }), long]);
      const gguf = await openSmall(server.url, ownFetch);
      await fails(readValues(gguf), { code: "bad-range", status: 206 });
      assert.equal(server.requests.length, 2);
    }
    const whole = partial({ headers: { ...headers, "Content-Length": undefined }, body: () => LARGE.bytes });
    const server = await misbehave(t, LARGE.bytes, whole);
    await fails(Gguf.open(server.url, ownFetch), { code: "bad-range" });
  });

  test("without Content-Range, a truncated file: it ends where the server answers 416", async (t) => {
    const file = SMALL.bytes.subarray(0, 1000);
    for (const length of [1000, undefined]) {
      const headers = { "Content-Range": undefined, "Content-Length": length };
      const server = await misbehave(t, file, (asked) =>
        asked.start < file.length ? partial({ headers })(asked) : status(416)(asked),
      );
      await fails(Gguf.open(server.url, { ...ownFetch, retries: 0 }), { code: "unexpected-eof" });
      assert.equal(server.requests.length, 2);
    }
  });

  for (const hidden of [false, true]) {
    test(`empty, ${hidden ? "without Content-Range" : "despite its Content-Range"}: a few retries, then an error`, async (t) => {
      const empty = partial({
        headers: { "Content-Length": 0, ...(hidden && { "Content-Range": undefined }) },
        body: () => new Uint8Array(),
      });
      const server = await misbehave(t, SMALL.bytes, empty);
      await fails(Gguf.open(server.url, { ...ownFetch, retries: 1 }), { code: hidden ? "bad-range" : "network" });
      assert.equal(server.requests.length, 2);
      const later = await misbehave(t, SMALL.bytes, (asked) => (asked.number === 0 ? partial() : empty)(asked));
      await fails(readValues(await openSmall(later.url, { ...ownFetch, retries: 1 })), {
        code: hidden ? "bad-range" : "network",
      });
      assert.equal(later.requests.length, 3);
    });
  }

  test("less than 4 KiB per response: a retry, then an error", async (t) => {
    for (const cap of [1, 4095]) {
      const server = await misbehave(t, SMALL.bytes, partial({ cap }));
      await fails(Gguf.open(server.url), { code: "bad-range", message: /expected 4096 or more/ });
      assert.deepEqual(server.ranges().map(startOf), [0, cap]);
    }
    const later = await misbehave(t, SMALL.bytes, (asked) => partial(asked.number ? { cap: 1 } : {})(asked));
    await fails(readValues(await openSmall(later.url)), { code: "bad-range", message: /expected 4096 or more/ });
    assert.equal(later.requests.length, 3);
  });

  test("compressed: bad-range before the body is read", async (t) => {
    const gzip = partial({
      headers: { "Content-Encoding": "gzip", "Content-Length": undefined },
      body: gzipSync,
    });
    const server = await misbehave(t, SMALL.bytes, [gzip, partial(), gzip]);
    await fails(Gguf.open(server.url), { code: "bad-range", message: /compressed/ });
    await fails(readValues(await openSmall(server.url)), { code: "bad-range", message: /compressed/ });
    assert.equal(server.requests.length, 3);
    const identity = await misbehave(t, SMALL.bytes, partial({ headers: { "Content-Encoding": "identity" } }));
    await openSmall(identity.url);
  });
});
