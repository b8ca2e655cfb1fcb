// Statuses other than 200 and 206, and the delays before retries.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { useClock } from "../../support/clock.mjs";
import { fails } from "../../support/expect.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import {
  FIRST,
  headerSize,
  makeModel,
  openSmall,
  ownFetch,
  readValues,
  SMALL,
  VALUES,
} from "../../support/http-models.mjs";
import { misbehave, partial, status } from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

useClock();

describe("statuses", () => {
  test("416 without Content-Range: at byte 0 a server error, later the end of the file", async (t) => {
    const server = await misbehave(t, SMALL.bytes, status(416));
    await fails(Gguf.open(server.url), { code: "http", status: 416 });
    const hidden = { "Content-Range": undefined, "Content-Length": undefined };
    const later = await misbehave(t, SMALL.bytes, (asked) =>
      (asked.number ? status(416) : partial({ headers: hidden }))(asked),
    );
    const gguf = await openSmall(later.url, ownFetch);
    await fails(readValues(gguf), { code: "unexpected-eof", offset: VALUES[0] });
  });

  test("416 without Content-Range far beyond the end of a file of unknown size: bytes before it are still read", async (t) => {
    const tensors = [0, 1].map((index) => ({ name: `t${index}`, dimensions: [1 << 17], type: 0, bytes: 1 << 19 }));
    const bytes = ggufBytes([["pad", text("x".repeat(FIRST))]], tensors);
    const file = bytes.subarray(0, bytes.length - (1 << 19) - 1000);
    const server = await misbehave(t, file, (asked) => {
      if (asked.start >= file.length) return status(416)(asked);
      const end = Math.min(asked.end, file.length);
      return partial({ headers: { "Content-Range": `bytes ${asked.start}-${end - 1}/*` } })(asked);
    });
    const gguf = await Gguf.open(server.url);
    await fails(gguf.readBytes("t1"), { code: "unexpected-eof" });
    assert.equal(gguf.fileSize, undefined);
    assert.equal((await gguf.readBytes("t0", { end: 1000 })).length, 4000);
    await fails(gguf.readBytes("t0"), { code: "unexpected-eof", offset: file.length });
    // The last byte before the end has arrived, so the size is known from here on.
    await gguf.readBytes("t0", { end: 10 });
    assert.equal(gguf.fileSize, file.length);
  });

  test("a capped response does not determine the size", async (t) => {
    const tensors = [{ name: "strange", dimensions: [64], type: 137, bytes: 1 << 20 }];
    const bytes = ggufBytes([["pad", text("x".repeat(FIRST))]], tensors);
    for (const cap of [1 << 19, 2 << 20]) {
      const server = await misbehave(t, bytes, (asked) => {
        if (asked.start >= bytes.length) return status(416)(asked);
        const end = Math.min(asked.end, bytes.length, asked.start + cap);
        return partial({ cap, headers: { "Content-Range": `bytes ${asked.start}-${end - 1}/*` } })(asked);
      });
      const gguf = await Gguf.open(server.url);
      if (cap < 1 << 20) {
        await fails(gguf.readBytes("strange"), { code: "size-unknown" });
        assert.equal(gguf.fileSize, undefined);
      } else {
        assert.deepEqual(await gguf.readBytes("strange"), bytes.slice(gguf.dataOffset));
        assert.equal(gguf.fileSize, bytes.length);
      }
    }
  });

  test("206 without Content-Range where CORS cannot hide it: bad-range", async (t) => {
    const server = await misbehave(t, SMALL.bytes, partial({ headers: { "Content-Range": undefined } }));
    await fails(Gguf.open(server.url), { code: "bad-range", message: /Content-Range/ });
    assert.equal(server.requests.length, 1);
  });

  test("416: the file ends there", async (t) => {
    for (const size of [0, 1000, headerSize - 1]) {
      const server = await misbehave(t, SMALL.bytes.subarray(0, size));
      await fails(Gguf.open(server.url, { retries: 0 }), { code: "unexpected-eof" });
      assert.equal(server.requests.length, 1);
    }
    const server = await misbehave(t, SMALL.bytes, [partial(), status(416)]);
    const gguf = await openSmall(server.url);
    await fails(readValues(gguf), { code: "bad-range", status: 416 });
    assert.equal(gguf.fileSize, SMALL.bytes.length);
  });

  test("416 for a range that reaches beyond the end: retried up to the end", async (t) => {
    const { bytes } = makeModel(10, 1000);
    /** @type {Answer} */
    const strict = (asked) =>
      (asked.end > bytes.length ? status(416, { "Content-Range": `bytes */${bytes.length}` }) : partial())(asked);
    const server = await misbehave(t, bytes, strict);
    assert.equal((await Gguf.open(server.url)).fileSize, bytes.length);
    assert.deepEqual(server.ranges(), [`0-${FIRST - 1}`, `0-${bytes.length - 1}`]);
    const never = await misbehave(t, bytes, status(416, { "Content-Range": `bytes */${bytes.length}` }));
    await fails(Gguf.open(never.url, { retries: 2 }), { code: "bad-range", status: 416 });
    assert.equal(never.requests.length, 3);
  });

  for (const code of [204, 205, 304, 400, 401, 402, 403, 404, 405, 410, 418, 451, 501, 505]) {
    test(`${code}: http, after one request`, async (t) => {
      /** @type {Answer} */
      const answer = code < 400 ? ({ response }) => void response.writeHead(code).end() : status(code);
      const server = await misbehave(t, SMALL.bytes, [answer, partial(), answer]);
      await fails(Gguf.open(server.url), { code: "http", status: code, url: server.url });
      assert.equal(server.requests.length, 1);
      await fails(readValues(await openSmall(server.url)), { code: "http", status: code });
      assert.equal(server.requests.length, 3);
    });
  }

  for (const code of [408, 425, 429, 500, 502, 503, 504]) {
    test(`${code}: retried, then http`, async (t) => {
      const now = status(code, { "Retry-After": 0 });
      const server = await misbehave(t, SMALL.bytes, [now, now, partial(), now, partial()]);
      await readValues(await openSmall(server.url));
      assert.deepEqual(server.ranges(), [...Array(3).fill(`0-${FIRST - 1}`), ...Array(2).fill(VALUES.join("-"))]);
      for (const retries of [0, 1, 3, undefined]) {
        const never = await misbehave(t, SMALL.bytes, now);
        await fails(Gguf.open(never.url, { retries }), { code: "http", status: code });
        assert.equal(never.requests.length, (retries ?? 4) + 1);
      }
    });
  }

  test("without Retry-After the delays grow", async (t) => {
    const server = await misbehave(t, SMALL.bytes, status(503));
    await fails(Gguf.open(server.url, { retries: 3 }), { code: "http", status: 503 });
    const times = server.requests.map(({ at }) => at);
    for (const [index, least] of [200, 400, 800].entries()) {
      const pause = (times[index + 1] ?? 0) - (times[index] ?? 0);
      assert.ok(pause >= least && pause <= least * 1.5, `${pause} ms, not ${least} to ${least * 1.5}`);
    }
  });

  test("Retry-After is obeyed: seconds, or a date", async (t) => {
    // The seconds of the machine go on while the request is answered, so the date leaves room for them.
    const date = () => new Date(Date.now() + 25_000).toUTCString();
    for (const [after, least, most] of /** @type {const} */ ([
      ["1", 1000, 1000],
      [date, 5000, 25_000],
    ])) {
      const server = await misbehave(t, SMALL.bytes, (asked) =>
        (asked.number ? partial() : status(503, { "Retry-After": typeof after === "string" ? after : after() }))(asked),
      );
      await openSmall(server.url);
      const pause = Math.round((server.requests[1]?.at ?? 0) - (server.requests[0]?.at ?? 0));
      assert.ok(pause >= least && pause <= most, `${pause} ms`);
    }
    const past = new Date(Date.now() - 60_000).toUTCString();
    const server = await misbehave(t, SMALL.bytes, Array(4).fill(status(503, { "Retry-After": past })));
    await openSmall(server.url);
    assert.equal(server.requests.length, 5);
  });

  test("Retry-After of an hour is not obeyed, and an invalid one is ignored", async (t) => {
    for (const after of ["3600", "99999999999", new Date(Date.now() + 3_600_000).toUTCString()]) {
      const server = await misbehave(t, SMALL.bytes, status(503, { "Retry-After": after }));
      await fails(Gguf.open(server.url), { code: "http", status: 503 });
      assert.equal(server.requests.length, 1);
    }
    const server = await misbehave(t, SMALL.bytes, [status(503, { "Retry-After": "soon" })]);
    await openSmall(server.url);
    assert.equal(server.requests.length, 2);
  });
});
