// Servers as they are, row by row: what each of them does wrong, and which requests and bytes that costs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Gguf } from "gguf-wasm";
import { ggufBytes, text, uint32 } from "../support/gguf-bytes.mjs";
import { drop, misbehave, partial, redirect, reset, silence, status, whole } from "../support/misbehaving-server.mjs";

/** @typedef {import("../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm").OpenOptions} OpenOptions */

/** What is asked for before anything is known. */
const FIRST = 384 << 10;

/** @param {number} tokens @param {number} floats */
function model(tokens, floats) {
  const bytes = ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["tokenizer.ggml.tokens", { type: "strings", count: tokens, at: (index) => `token ${index} Ġ` }],
      ["last", uint32(7)],
    ],
    [{ name: "output.weight", dimensions: [floats], type: 0, bytes: 4 * floats }],
  );
  const data = bytes.length - 4 * floats;
  for (let at = data; at < bytes.length; at += 1) bytes[at] = (at * 31) ^ (at >> 8);
  return { bytes, data };
}

// A header within the first range, and one that takes several.
const SMALL = model(12_000, 1 << 18);
const LARGE = model(100_000, 1 << 18);
const { headerSize } = await Gguf.open(SMALL.bytes);

/** @param {Gguf} gguf @param {{ bytes: Uint8Array, data: number }} [of] */
function check(gguf, { data } = SMALL) {
  assert.equal(gguf.metadata.get("last"), 7);
  assert.equal(gguf.dataOffset, data);
  assert.equal(gguf.tensors.length, 1);
  return gguf;
}

/** Opens, and checks what it finds. @param {string} url @param {OpenOptions} [options] */
const open = async (url, options) => check(await Gguf.open(url, options));

/** A `fetch` of the caller's own, whose responses may lack headers that CORS hides. */
const own = { fetch: /** @type {OpenOptions["fetch"]} */ ((url, init) => fetch(url, init)) };

/** Reads some values of the small model, and checks them. @param {Gguf} gguf */
async function readValues(gguf) {
  const bytes = await gguf.readBytes("output.weight", { start: 25_000, end: 225_000 });
  assert.ok(Buffer.from(bytes).equals(SMALL.bytes.subarray(SMALL.data + 100_000, SMALL.data + 900_000)));
}
const VALUES = [SMALL.data + 100_000, SMALL.data + 900_000 - 1];

/** @param {Promise<unknown>} promise @param {object} expected */
const fails = (promise, expected) => assert.rejects(promise, { name: "GgufError", ...expected });

/** @param {string | undefined} range */
const startOf = (range) => Number(range?.split("-")[0]);

/** @param {() => unknown} condition */
async function until(condition) {
  for (let tries = 0; !condition(); tries += 1) {
    assert.ok(tries < 1000, `never: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("206", { concurrency: true }, () => {
  test("right: one request, then one for the values; the size is known", async (t) => {
    const server = await misbehave(t, SMALL.bytes);
    const gguf = await open(server.url);
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
    test(`another range, ${range}: bad-range before the body`, async (t) => {
      const wrong = partial({ headers: { "Content-Range": range, "Content-Length": undefined }, hang: 0 });
      const server = await misbehave(t, SMALL.bytes, wrong);
      await fails(Gguf.open(server.url), { code: "bad-range", status: 206, url: server.url });
      assert.deepEqual(server.ranges(), [`0-${FIRST - 1}`]);
    });
  }

  for (const range of ["bytes */1000", "nonsense", "bytes 0-", "bytes 0-99", "items 0-99/100", ""]) {
    test(`a range that is none, "${range}": bad-range before the body`, async (t) => {
      const wrong = partial({ headers: { "Content-Range": range, "Content-Length": undefined }, hang: 0 });
      const server = await misbehave(t, SMALL.bytes, wrong);
      await fails(Gguf.open(server.url), { code: "bad-range", status: 206 });
      assert.equal(server.requests.length, 1);
    });
  }

  test("another range for values", async (t) => {
    const server = await misbehave(t, SMALL.bytes, [
      partial(),
      partial({ headers: { "Content-Range": "bytes 0-9/99" } }),
    ]);
    await fails(readValues(await open(server.url)), { code: "bad-range" });
    assert.equal(server.requests.length, 2);
  });

  test("the unit of Content-Range in upper case", async (t) => {
    const server = await misbehave(t, SMALL.bytes, (asked) => {
      const last = Math.min(asked.end, SMALL.bytes.length) - 1;
      return partial({ headers: { "Content-Range": `BYTES ${asked.start}-${last}/${SMALL.bytes.length}` } })(asked);
    });
    await readValues(await open(server.url));
    assert.equal(server.requests.length, 2);
  });

  test("fewer bytes than asked for, as it says: the rest in parts of that size, without a pause", async (t) => {
    const server = await misbehave(t, SMALL.bytes, partial({ cap: 100_000 }));
    await readValues(await open(server.url, { retries: 0 }));
    // Up to 64 KiB beyond the estimated end of the header are requested with it.
    const isOfHeader = (/** @type {string} */ range) => startOf(range) < headerSize + 65_536;
    const header = server.ranges().filter(isOfHeader);
    const expected = [0, 100_000, 200_000, 300_000].filter((start) => start < headerSize + 65_536);
    assert.deepEqual(header.map(startOf), expected);
    const values = server.ranges().filter((range) => !isOfHeader(range));
    assert.deepEqual(
      values,
      Array.from({ length: 8 }, (_, index) => (VALUES[0] ?? 0) + index * 100_000).map((at) => `${at}-${at + 99_999}`),
    );
  });

  test("fewer bytes than it says: goes on where it stopped", async (t) => {
    const cut = partial({ cut: 100_000 });
    const server = await misbehave(t, SMALL.bytes, [cut, partial(), cut, cut, partial()]);
    await readValues(await open(server.url));
    const [first, second, ...values] = server.ranges();
    assert.equal(first, `0-${FIRST - 1}`);
    assert.equal(startOf(second), server.requests[0]?.sent);
    assert.deepEqual(
      values,
      [0, 100_000, 200_000].map((at) => `${(VALUES[0] ?? 0) + at}-${VALUES[1]}`),
    );
  });

  test("of several parts under way, the first broken off: only what is missing is asked for again", async (t) => {
    const server = await misbehave(t, LARGE.bytes, [partial({ cut: 150_000 })]);
    check(await Gguf.open(server.url), LARGE);
    const starts = server.requests.map(({ start }) => start);
    assert.ok(starts.includes(FIRST), "the second part was under way");
    const again = server.requests.find(({ start }) => start === 150_000);
    assert.equal(again?.end, FIRST);
    assert.equal(new Set(starts).size, starts.length, "nothing is asked for twice");
  });

  test("more bytes than it says: bad-range", async (t) => {
    const long = partial({ headers: { "Content-Length": undefined }, body: (body) => Buffer.concat([body, body]) });
    const server = await misbehave(t, SMALL.bytes, [partial(), long]);
    await fails(readValues(await open(server.url)), { code: "bad-range" });
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

  test("without Content-Range, as CORS hides it: the size is not known, values are read", async (t) => {
    for (const headers of [
      { "Content-Range": undefined },
      { "Content-Range": undefined, "Content-Length": undefined },
    ]) {
      const server = await misbehave(t, SMALL.bytes, partial({ headers }));
      const gguf = await open(server.url, own);
      assert.equal(gguf.fileSize, undefined);
      await readValues(gguf);
      assert.deepEqual(server.ranges(), [`0-${FIRST - 1}`, VALUES.join("-")]);
    }
  });

  test("without Content-Range, a tensor of unknown size that ends with the file: the server is asked where", async (t) => {
    const tensors = [{ name: "strange", dimensions: [64], type: 137, bytes: 96 }];
    const bytes = ggufBytes([["pad", text("x".repeat(FIRST))]], tensors);
    const server = await misbehave(t, bytes, partial({ headers: { "Content-Range": undefined } }));
    const gguf = await Gguf.open(server.url, own);
    assert.equal(gguf.fileSize, undefined);
    assert.deepEqual(await gguf.readBytes("strange"), bytes.slice(gguf.dataOffset));
    assert.equal(gguf.fileSize, bytes.length);
    const count = server.requests.length;
    await gguf.readBytes("strange");
    assert.equal(server.requests.length, count + 1, "and only once");
  });

  test("without Content-Range, cut off: goes on; longer than asked for: bad-range", async (t) => {
    const headers = { "Content-Range": undefined };
    const short = await misbehave(t, SMALL.bytes, [partial({ headers, cut: 100_000 }), partial({ headers })]);
    await open(short.url, own);
    assert.deepEqual(
      short.requests.map(({ start }) => start),
      [0, 100_000],
    );
    for (const length of [900_000, undefined]) {
      const long = partial({ headers: { ...headers, "Content-Length": length }, body: () => new Uint8Array(900_000) });
      const server = await misbehave(t, SMALL.bytes, [partial({ headers }), long]);
      const gguf = await open(server.url, own);
      await fails(readValues(gguf), { code: "bad-range", status: 206 });
      assert.equal(server.requests.length, 2);
    }
    const whole = partial({ headers: { ...headers, "Content-Length": undefined }, body: () => LARGE.bytes });
    const server = await misbehave(t, LARGE.bytes, whole);
    await fails(Gguf.open(server.url, own), { code: "bad-range" });
  });

  test("without Content-Range, of a file that is cut off: it ends where 416 says", async (t) => {
    const file = SMALL.bytes.subarray(0, 1000);
    for (const length of [1000, undefined]) {
      const headers = { "Content-Range": undefined, "Content-Length": length };
      const server = await misbehave(t, file, (asked) =>
        asked.start < file.length ? partial({ headers })(asked) : status(416)(asked),
      );
      await fails(Gguf.open(server.url, { ...own, retries: 0 }), { code: "unexpected-eof" });
      assert.equal(server.requests.length, 2);
    }
  });

  for (const hidden of [false, true]) {
    test(`empty, ${hidden ? "without Content-Range" : "despite its Content-Range"}: a few tries, then an error`, async (t) => {
      const empty = partial({
        headers: { "Content-Length": 0, ...(hidden && { "Content-Range": undefined }) },
        body: () => new Uint8Array(),
      });
      const server = await misbehave(t, SMALL.bytes, empty);
      await fails(Gguf.open(server.url, { ...own, retries: 1 }), { code: hidden ? "bad-range" : "network" });
      assert.equal(server.requests.length, 2);
      const later = await misbehave(t, SMALL.bytes, (asked) => (asked.number === 0 ? partial() : empty)(asked));
      await fails(readValues(await open(later.url, { ...own, retries: 1 })), {
        code: hidden ? "bad-range" : "network",
      });
      assert.equal(later.requests.length, 3);
    });
  }

  test("less than 4 KiB an answer: another try, then an error", async (t) => {
    for (const cap of [1, 4095]) {
      const server = await misbehave(t, SMALL.bytes, partial({ cap }));
      await fails(Gguf.open(server.url), { code: "bad-range", message: /expected 4096 or more/ });
      assert.deepEqual(server.ranges().map(startOf), [0, cap]);
    }
    const later = await misbehave(t, SMALL.bytes, (asked) => partial(asked.number ? { cap: 1 } : {})(asked));
    await fails(readValues(await open(later.url)), { code: "bad-range", message: /expected 4096 or more/ });
    assert.equal(later.requests.length, 3);
  });

  test("compressed: bad-range before the body", async (t) => {
    const gzip = partial({
      headers: { "Content-Encoding": "gzip", "Content-Length": undefined },
      body: gzipSync,
    });
    const server = await misbehave(t, SMALL.bytes, [gzip, partial(), gzip]);
    await fails(Gguf.open(server.url), { code: "bad-range", message: /compressed/ });
    await fails(readValues(await open(server.url)), { code: "bad-range", message: /compressed/ });
    assert.equal(server.requests.length, 3);
    const identity = await misbehave(t, SMALL.bytes, partial({ headers: { "Content-Encoding": "identity" } }));
    await open(identity.url);
  });
});

describe("200", { concurrency: true }, () => {
  const huge = new Uint8Array(64 << 20);
  huge.set(SMALL.bytes);

  test("first: the header is read as it comes, the rest is not, and values cannot be had", async (t) => {
    const server = await misbehave(t, huge, whole());
    const gguf = await open(server.url);
    assert.equal(gguf.fileSize, huge.length);
    await until(() => server.requests[0]?.state === "left");
    assert.ok(server.sent() < 16 << 20, `${server.sent()} bytes`);
    await fails(readValues(gguf), { code: "no-ranges", status: 200, url: server.url });
    assert.equal(server.requests.length, 1);
  });

  test("first, without a length or compressed: likewise, and the size is not known", async (t) => {
    for (const but of [
      { headers: { "Content-Length": undefined } },
      { headers: { "Content-Length": undefined, "Content-Encoding": "gzip" }, body: gzipSync },
      { headers: { "Content-Length": gzipSync(SMALL.bytes).length, "Content-Encoding": "gzip" }, body: gzipSync },
    ]) {
      const server = await misbehave(t, SMALL.bytes, whole(but));
      const gguf = await open(server.url);
      assert.equal(gguf.fileSize, undefined);
      await fails(readValues(gguf), { code: "no-ranges" });
      assert.equal(server.requests.length, 1);
    }
  });

  test("first, of a file that is there when its header is: kept, and values cost no request", async (t) => {
    const { bytes, data } = model(10, 1000);
    const server = await misbehave(t, bytes, whole());
    const gguf = await Gguf.open(server.url);
    const values = bytes.slice(data + 40, data + 400);
    assert.deepEqual(await gguf.readBytes("output.weight", { start: 10, end: 100 }), values);
    assert.equal(gguf.fileSize, bytes.length);
    assert.equal(server.requests.length, 1);
  });

  test("first, and an empty file", async (t) => {
    const server = await misbehave(t, new Uint8Array(), whole());
    await fails(Gguf.open(server.url), { code: "unexpected-eof" });
    assert.equal(server.requests.length, 1);
  });

  test("first, broken off: once more from the start", async (t) => {
    const early = await misbehave(t, huge, [whole({ cut: 0 }), whole()]);
    await open(early.url);
    assert.equal(early.requests.length, 2);
    const ranges = await misbehave(t, SMALL.bytes, [whole({ cut: 0 })]);
    await readValues(await open(ranges.url));
    assert.equal(ranges.requests.length, 3);
    const late = await misbehave(t, huge, [whole({ cut: 100_000 }), whole()]);
    await open(late.url);
    assert.deepEqual(late.ranges(), Array(2).fill(`0-${FIRST - 1}`));
    const twice = await misbehave(t, huge, whole({ cut: 100_000 }));
    await fails(Gguf.open(twice.url), { code: "network" });
    assert.equal(twice.requests.length, 2);
  });

  test("later: no-ranges, and nothing is downloaded", async (t) => {
    const server = await misbehave(t, huge, [partial(), whole()]);
    await fails(readValues(await open(server.url)), { code: "no-ranges", status: 200 });
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
      await fails(read(await open(server.url)), { code: "no-ranges", status: 200, url: server.url });
    });
  }
});

describe("statuses", { concurrency: true }, () => {
  test("416 without Content-Range: at byte 0 an error of the server, later the end of the file", async (t) => {
    const server = await misbehave(t, SMALL.bytes, status(416));
    await fails(Gguf.open(server.url), { code: "http", status: 416 });
    const hidden = { "Content-Range": undefined, "Content-Length": undefined };
    const later = await misbehave(t, SMALL.bytes, (asked) =>
      (asked.number ? status(416) : partial({ headers: hidden }))(asked),
    );
    const gguf = await open(later.url, own);
    await fails(readValues(gguf), { code: "unexpected-eof", offset: VALUES[0] });
  });

  test("416 without Content-Range far beyond the end of a file of unknown size: nearer bytes are still read", async (t) => {
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
    // The last byte before the end has arrived, so the size is known from now on.
    await gguf.readBytes("t0", { end: 10 });
    assert.equal(gguf.fileSize, file.length);
  });

  test("the size is not learned from an answer that is capped", async (t) => {
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

  test("206 without Content-Range where CORS cannot have hidden it: bad-range", async (t) => {
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
    const gguf = await open(server.url);
    await fails(readValues(gguf), { code: "bad-range", status: 416 });
    assert.equal(gguf.fileSize, SMALL.bytes.length);
  });

  test("416 for what reaches beyond the end: once more up to there", async (t) => {
    const { bytes } = model(10, 1000);
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
      await fails(readValues(await open(server.url)), { code: "http", status: code });
      assert.equal(server.requests.length, 3);
    });
  }

  for (const code of [408, 425, 429, 500, 502, 503, 504]) {
    test(`${code}: again, then http`, async (t) => {
      const now = status(code, { "Retry-After": 0 });
      const server = await misbehave(t, SMALL.bytes, [now, now, partial(), now, partial()]);
      await readValues(await open(server.url));
      assert.deepEqual(server.ranges(), [...Array(3).fill(`0-${FIRST - 1}`), ...Array(2).fill(VALUES.join("-"))]);
      for (const retries of [0, 1, 3, undefined]) {
        const never = await misbehave(t, SMALL.bytes, now);
        await fails(Gguf.open(never.url, { retries }), { code: "http", status: code });
        assert.equal(never.requests.length, (retries ?? 4) + 1);
      }
    });
  }

  test("without Retry-After the pauses grow", async (t) => {
    const server = await misbehave(t, SMALL.bytes, status(503));
    await fails(Gguf.open(server.url, { retries: 3 }), { code: "http", status: 503 });
    const times = server.requests.map(({ at }) => at);
    for (const [index, least] of [200, 400, 800].entries()) {
      const pause = (times[index + 1] ?? 0) - (times[index] ?? 0);
      assert.ok(pause > least - 20 && pause < least * 1.5 + 1500, `${pause} ms, not ${least} to ${least * 1.5}`);
    }
  });

  test("Retry-After is waited for: seconds, or a date", async (t) => {
    const date = () => new Date(Date.now() + 2000).toUTCString();
    for (const after of ["1", date]) {
      const server = await misbehave(t, SMALL.bytes, (asked) =>
        (asked.number ? partial() : status(503, { "Retry-After": typeof after === "string" ? after : after() }))(asked),
      );
      await open(server.url);
      const pause = (server.requests[1]?.at ?? 0) - (server.requests[0]?.at ?? 0);
      assert.ok(pause > 900 && pause < 4000, `${pause} ms`);
    }
    const past = new Date(Date.now() - 60_000).toUTCString();
    const server = await misbehave(t, SMALL.bytes, Array(4).fill(status(503, { "Retry-After": past })));
    await open(server.url);
    assert.equal(server.requests.length, 5);
  });

  test("Retry-After of an hour is not waited for; one that is none is passed over", async (t) => {
    for (const after of ["3600", "99999999999", new Date(Date.now() + 3_600_000).toUTCString()]) {
      const server = await misbehave(t, SMALL.bytes, status(503, { "Retry-After": after }));
      await fails(Gguf.open(server.url), { code: "http", status: 503 });
      assert.equal(server.requests.length, 1);
    }
    const server = await misbehave(t, SMALL.bytes, [status(503, { "Retry-After": "soon" })]);
    await open(server.url);
    assert.equal(server.requests.length, 2);
  });
});

describe("connections", { concurrency: true }, () => {
  for (const [name, broken] of Object.entries({ drop, reset })) {
    test(`${name} before the answer: again, then network`, async (t) => {
      const server = await misbehave(t, SMALL.bytes, [broken, partial(), broken, broken]);
      await readValues(await open(server.url));
      // Node.js may send a request once more by itself when a connection that was kept turns out to be closed.
      assert.ok(server.requests.length >= 5 && server.requests.length <= 6, `${server.requests.length}`);
      const never = await misbehave(t, SMALL.bytes, broken);
      await fails(Gguf.open(never.url, { retries: 1 }), { code: "network", url: never.url });
      assert.equal(never.requests.length, 2);
    });
  }

  test("broken in the header, again and again: goes on as long as it gets on", async (t) => {
    const server = await misbehave(t, LARGE.bytes, partial({ cut: 150_000 }));
    check(await Gguf.open(server.url, { retries: 1 }), LARGE);
    assert.ok(server.requests.length < (2 * LARGE.data) / 150_000 + 4, `${server.requests.length}`);
    const stuck = await misbehave(t, LARGE.bytes, partial({ cut: 10 }));
    await fails(Gguf.open(stuck.url, { retries: 2 }), { code: "network" });
    assert.deepEqual(
      stuck.requests.map(({ start }) => start),
      [0, 10, 20],
    );
  });

  test("broken in what nobody needs", async (t) => {
    const server = await misbehave(t, SMALL.bytes, partial({ cut: SMALL.data }));
    await open(server.url);
    assert.equal(server.requests.length, 1);
  });

  for (const retries of [0, 1, 2]) {
    test(`silent: again after options.timeout, ${retries} times, then network`, async (t) => {
      for (const silent of [silence, partial({ hang: 0 }), partial({ hang: 500 })]) {
        const server = await misbehave(t, SMALL.bytes, silent);
        const start = performance.now();
        await fails(Gguf.open(server.url, { retries, timeout: 400 }), { code: "network" });
        const [least = 0, pauses = 0] = [400 * (retries + 1), [0, 200, 600][retries]];
        const time = performance.now() - start;
        assert.ok(time > least + pauses - 20, `${time} ms`);
        assert.equal(server.requests.length, retries + 1);
        await until(() => server.requests.every(({ state }) => state === "left"));
      }
    });
  }

  test("silent in the header or among the values: goes on where it stopped", async (t) => {
    const server = await misbehave(t, SMALL.bytes, [partial({ hang: 90_000 }), partial(), partial({ hang: 300_000 })]);
    await readValues(await open(server.url, { timeout: 1500 }));
    assert.deepEqual(
      server.requests.map(({ start }) => start),
      [0, 90_000, VALUES[0], (VALUES[0] ?? 0) + 300_000],
    );
  });

  test("dripping counts as silent, slow does not", async (t) => {
    const drip = partial({ drip: { bytes: 50, every: 10 } });
    const server = await misbehave(t, SMALL.bytes, drip);
    await fails(Gguf.open(server.url, { retries: 1, timeout: 100 }), { code: "network", message: /stopped/ });
    assert.equal(server.requests.length, 2);
    const slow = await misbehave(t, SMALL.bytes, partial({ drip: { bytes: 10_000, every: 50 } }));
    await open(slow.url, { retries: 0, timeout: 800 });
    assert.equal(slow.requests.length, 1);
  });

  test("options.timeout beyond what timers hold is no timeout", async (t) => {
    for (const timeout of [2 ** 31, Infinity]) {
      const server = await misbehave(t, SMALL.bytes, partial({ drip: { bytes: 100_000, every: 20 } }));
      await open(server.url, { retries: 0, timeout });
    }
  });

  test("options that are no numbers", async (t) => {
    const { url, requests } = await misbehave(t, SMALL.bytes);
    for (const wrong of [-1, NaN, "5", {}]) {
      const value = /** @type {any} */ (wrong);
      await fails(Gguf.open(url, { retries: value }), { code: "invalid-argument", message: /retries/ });
      await fails(Gguf.open(url, { timeout: value }), { code: "invalid-argument", message: /timeout/ });
    }
    assert.equal(requests.length, 0);
  });
});

describe("a file that changes", { concurrency: true }, () => {
  /** @type {[string, import("../support/misbehaving-server.mjs").Headers, import("../support/misbehaving-server.mjs").Headers][]} */
  const changes = [
    ["ETag", { ETag: '"1"' }, { ETag: '"2"' }],
    ["Last-Modified", { "Last-Modified": new Date(0).toUTCString() }, { "Last-Modified": new Date(5e9).toUTCString() }],
    ["size", {}, { "Content-Range": `bytes ${VALUES.join("-")}/${SMALL.bytes.length + 1}` }],
  ];
  for (const [what, before, after] of changes) {
    test(`by its ${what}: changed`, async (t) => {
      const server = await misbehave(t, SMALL.bytes, [
        partial({ headers: before }),
        partial({ headers: before }),
        partial({ headers: before }),
        partial({ headers: { ...before, ...after } }),
      ]);
      const gguf = await open(server.url);
      await readValues(gguf);
      await readValues(gguf);
      await fails(readValues(gguf), { code: "changed", url: server.url });
      assert.equal(server.requests.length, 4);
      assert.ok((server.requests[3]?.sent ?? 0) <= 800_000);
    });
  }

  test("within its header", async (t) => {
    const server = await misbehave(t, LARGE.bytes, (asked) =>
      partial({ headers: { ETag: asked.number ? '"b"' : '"a"' } })(asked),
    );
    await fails(Gguf.open(server.url), { code: "changed" });
    assert.ok(server.requests.length <= 3);
  });

  test("between a try and the next", async (t) => {
    const server = await misbehave(t, SMALL.bytes, [
      partial({ cut: 100_000, headers: { ETag: '"a"' } }),
      partial({ headers: { ETag: '"b"' } }),
    ]);
    await fails(Gguf.open(server.url), { code: "changed" });
    assert.equal(server.requests.length, 2);
  });

  const MONDAY = "Mon, 01 Jan 2024 00:00:00 GMT";
  const TUESDAY = "Tue, 02 Jan 2024 00:00:00 GMT";
  /** @type {Record<string, [code: string | undefined, answers: import("../support/misbehaving-server.mjs").Headers[]]>} */
  const versions = {
    "strong, then none": ["changed", [{ ETag: '"1"' }, {}]],
    "none, then one, then another": ["changed", [{}, { ETag: '"1"' }, { ETag: '"2"' }]],
    "no date, then one, then another": ["changed", [{}, { "Last-Modified": MONDAY }, { "Last-Modified": TUESDAY }]],
    "weak, then another weak one": ["changed", [{ ETag: 'W/"1"' }, { ETag: 'W/"2"' }]],
    "strong, then another weak one": ["changed", [{ ETag: '"1"' }, { ETag: 'W/"2"' }]],
    "a date, then none": ["changed", [{ "Last-Modified": MONDAY }, {}]],
    "the same, weak and strong": [undefined, [{ ETag: 'W/"1"' }, { ETag: '"1"' }, { ETag: 'W/"1"' }]],
    "none, then one": [undefined, [{}, { ETag: '"1"' }, { ETag: '"1"' }]],
    "one vanishes, the date stays": [
      undefined,
      [{ ETag: '"1"', "Last-Modified": MONDAY }, { "Last-Modified": MONDAY }],
    ],
    "two strong ones decide alone": [
      undefined,
      [
        { ETag: '"1"', "Last-Modified": MONDAY },
        { ETag: '"1"', "Last-Modified": TUESDAY },
      ],
    ],
  };
  for (const [what, [code, answers]] of Object.entries(versions)) {
    test(`validators: ${what}`, async (t) => {
      const server = await misbehave(t, SMALL.bytes, (asked) =>
        partial({ headers: answers[asked.number] ?? {} })(asked),
      );
      const gguf = await open(server.url);
      for (let read = 2; read < answers.length; read += 1) await readValues(gguf);
      await (code ? fails(readValues(gguf), { code, url: server.url }) : readValues(gguf));
      assert.equal(server.requests.length, answers.length);
    });
  }

  test("validators of another origin are not compared; the size is", async (t) => {
    for (const size of [SMALL.bytes.length, SMALL.bytes.length + 1]) {
      const one = await misbehave(t, SMALL.bytes, (asked) =>
        (asked.number ? status(403) : partial({ headers: { ETag: '"1"' } }))(asked),
      );
      const other = await misbehave(t, SMALL.bytes, (asked) =>
        partial({ headers: { ETag: '"2"', "Content-Range": `bytes ${asked.start}-${asked.end - 1}/${size}` } })(asked),
      );
      const server = await misbehave(t, SMALL.bytes, (asked) =>
        redirect(`${(asked.number ? other : one).origin}/file`)(asked),
      );
      const gguf = await open(server.url);
      await (size === SMALL.bytes.length ? readValues(gguf) : fails(readValues(gguf), { code: "changed" }));
    }
  });
});

describe("redirects", { concurrency: true }, () => {
  /** @type {(to: string, then?: Answer) => Answer} */
  const entrance =
    (to, then = partial()) =>
    (asked) =>
      (asked.path === "/model.gguf" ? redirect(to) : then)(asked);

  for (const headers of [undefined, { "X-Mine": "1" }]) {
    const how = headers ? "followed here" : "followed by fetch";
    for (const code of [301, 302, 303, 307, 308]) {
      test(`${code}, ${how}: once, then asked directly`, async (t) => {
        const server = await misbehave(t, LARGE.bytes, (asked) =>
          (asked.path === "/model.gguf" ? redirect("/there/file?sign=1", code) : partial())(asked),
        );
        const gguf = check(await Gguf.open(server.url, { headers }), LARGE);
        await gguf.readBytes("output.weight", { end: 5 });
        const paths = server.requests.map(({ path }) => path);
        assert.deepEqual(paths, ["/model.gguf", ...Array(paths.length - 1).fill("/there/file?sign=1")]);
        assert.ok(server.requests.every(({ headers: sent }) => sent["x-mine"] === headers?.["X-Mine"]));
      });
    }

    test(`an address that has expired, ${how}: once more from the beginning`, async (t) => {
      for (const code of [401, 403, 404, 410]) {
        let sign = 0;
        let valid = true;
        const server = await misbehave(t, SMALL.bytes, (asked) => {
          if (asked.path === "/model.gguf") return redirect(`/file?${++sign}`)(asked);
          return (valid && asked.path === `/file?${sign}` ? partial() : status(code))(asked);
        });
        const gguf = await open(server.url, { headers, retries: 0 });
        await readValues(gguf);
        sign += 1;
        await readValues(gguf);
        await readValues(gguf);
        assert.deepEqual(
          server.requests.map(({ path }) => path),
          ["/model.gguf", "/file?1", "/file?1", "/file?1", "/model.gguf", "/file?3", "/file?3"],
        );
        valid = false;
        await fails(readValues(gguf), { code: "http", status: code });
        assert.deepEqual(
          server.requests.slice(7).map(({ path }) => path),
          ["/file?3", "/model.gguf", "/file?4"],
        );
      }
    });

    test(`a loop, ${how}: an error`, async (t) => {
      const server = await misbehave(t, SMALL.bytes, redirect("/model.gguf"));
      await fails(
        Gguf.open(server.url, { headers, retries: 0 }),
        headers ? { code: "http", status: 302 } : { code: "network" },
      );
      assert.ok(server.requests.length <= 21);
      if (headers) assert.equal(server.requests.length, 6);
    });

    test(`to nowhere, ${how}: an error`, async (t) => {
      const nowhere = await misbehave(t, SMALL.bytes, status(302));
      await fails(Gguf.open(nowhere.url, { headers }), { code: "http", status: 302 });
      assert.equal(nowhere.requests.length, 1);
      const strange = await misbehave(t, SMALL.bytes, redirect("http://"));
      await fails(Gguf.open(strange.url, { headers, retries: 0 }), { url: strange.url });
      assert.equal(strange.requests.length, 1);
    });
  }

  test("options.headers go to no other origin, and back again to their own", async (t) => {
    const headers = { Authorization: "Bearer secret", "X-Key": "secret" };
    const other = await misbehave(t, LARGE.bytes);
    const server = await misbehave(t, LARGE.bytes, entrance(`${other.origin}/file`));
    for (const given of [headers, new Headers(headers), Object.entries(headers)]) {
      const gguf = check(await Gguf.open(server.url, { headers: /** @type {HeadersInit} */ (given) }), LARGE);
      await gguf.readBytes("output.weight", { end: 5 });
    }
    assert.equal(server.requests.length, 3);
    assert.ok(server.requests.every((request) => request.headers.authorization === headers.Authorization));
    assert.ok(other.requests.length > 3);
    for (const request of other.requests) {
      assert.equal(request.headers.authorization, undefined);
      assert.equal(request.headers["x-key"], undefined);
    }
    const back = await misbehave(t, SMALL.bytes, (asked) => redirect(`${home.origin}/file`)(asked));
    const home = await misbehave(t, SMALL.bytes, entrance(`${back.origin}/file`));
    await readValues(await open(home.url, { headers }));
    assert.deepEqual(
      home.requests.map((request) => request.headers["x-key"]),
      ["secret", "secret", "secret"],
    );
    assert.deepEqual(
      back.requests.map((request) => request.headers["x-key"]),
      [undefined],
    );
  });

  test("where fetch does not show where they lead, as in browsers: asked again, and followed by fetch", async (t) => {
    const server = await misbehave(t, SMALL.bytes, entrance("/file"));
    /** @type {(string | undefined)[]} */
    const modes = [];
    /** @type {OpenOptions["fetch"]} */
    const asInBrowsers = async (url, init) => {
      modes.push(init.redirect);
      const response = await fetch(url, init);
      if (init.redirect !== "manual" || response.status !== 302) return response;
      await response.body?.cancel();
      return Response.error();
    };
    await readValues(await open(server.url, { headers: { "X-Key": "1" }, fetch: asInBrowsers }));
    // The redirect leads to the same origin: the request is sent there once more with all headers.
    assert.deepEqual(modes, ["manual", undefined, "manual", "manual"]);
    assert.deepEqual(
      server.requests.map(({ path, headers }) => [path, headers["x-key"]]),
      [
        ["/model.gguf", "1"],
        ["/model.gguf", undefined],
        ["/file", undefined],
        ["/file", "1"],
        ["/file", "1"],
      ],
    );
    const never = async () => Response.error();
    await fails(Gguf.open(server.url, { headers: { "X-Key": "1" }, fetch: never }), { code: "http" });
  });
});

describe("caps on the length of answers", { concurrency: true }, () => {
  const CAP = 16 << 10;

  test("a header of nine answers takes two round trips", async (t) => {
    const { bytes, data } = model(5000, 1 << 16);
    const rounds = Math.ceil((data - CAP) / (8 * CAP));
    assert.equal(rounds, 1, `a header of ${data} bytes`);
    // Answers wait until no request has come for a while: a round trip.
    /** @type {(() => void)[]} */
    let waiting = [];
    let trips = 0;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const server = await misbehave(t, bytes, async (asked) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        trips += 1;
        const answers = waiting;
        waiting = [];
        for (const answer of answers) answer();
      }, 50);
      await new Promise((resolve) => waiting.push(() => resolve(undefined)));
      await partial({ cap: CAP })(asked);
    });
    const gguf = await Gguf.open(server.url);
    assert.equal(gguf.dataOffset, data);
    assert.equal(trips, 2);
  });

  test("headers and values of any size, with at most eight requests in flight", async (t) => {
    for (const cap of [4096, CAP, 100_000]) {
      // Requests whose answers have not been sent: the client has at least these in flight.
      let [open, most] = [0, 0];
      const server = await misbehave(t, LARGE.bytes, async (asked) => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 10));
        open -= 1;
        await partial({ cap })(asked);
      });
      const gguf = check(await Gguf.open(server.url), LARGE);
      const isAllowed = () => assert.ok(most >= 7 && most <= 8, `${most} requests at once`);
      isAllowed();
      // Requests that were sent ahead and are not needed have been cancelled, but may still reach the server.
      await new Promise((resolve) => setTimeout(resolve, 200));
      most = 0;
      const reads = [0, 1, 2, 3].map((part) =>
        gguf.readBytes("output.weight", { start: part << 16, end: (part + 1) << 16 }),
      );
      assert.ok(Buffer.concat(await Promise.all(reads)).equals(LARGE.bytes.subarray(LARGE.data)));
      isAllowed();
      const starts = server.requests.map(({ start }) => start);
      assert.ok(starts.length <= LARGE.bytes.length / cap + 10, `${starts.length} requests`);
    }
  });

  test("a cap that comes later, and answers that break off", async (t) => {
    const server = await misbehave(t, LARGE.bytes, (asked) =>
      partial(asked.number < 2 ? {} : { cap: CAP, cut: asked.number % 5 ? undefined : 5000 })(asked),
    );
    const gguf = check(await Gguf.open(server.url), LARGE);
    assert.ok(Buffer.from(await gguf.readBytes("output.weight")).equals(LARGE.bytes.subarray(LARGE.data)));
  });

  test("of an abort, no request is left", async (t) => {
    const server = await misbehave(t, LARGE.bytes, (asked) =>
      partial(asked.start < LARGE.data ? { cap: CAP } : { hang: 10 })(asked),
    );
    const gguf = check(await Gguf.open(server.url), LARGE);
    const controller = new AbortController();
    const read = gguf.readBytes("output.weight", { signal: controller.signal });
    await until(() => server.requests.filter(({ state }) => state === "open").length === 8);
    controller.abort();
    await assert.rejects(read, { name: "AbortError" });
    await until(() => server.requests.every(({ state }) => state !== "open"));
    // The places are free again.
    const next = gguf.readBytes("output.weight", { end: 5 });
    next.catch(() => undefined);
    await until(() => server.requests.some(({ state }) => state === "open"));
    gguf.free();
  });
});

describe("time", { concurrency: true }, () => {
  test("a response that is slow but alive ends with options.responseTimeout", async (t) => {
    const drip = partial({ drip: { bytes: 2000, every: 20 } });
    const server = await misbehave(t, SMALL.bytes, drip);
    const options = { timeout: 5000, responseTimeout: 300 };
    await fails(Gguf.open(server.url, options), { code: "timeout", url: server.url, message: /responseTimeout/ });
    await until(() => server.requests[0]?.state === "left");
    assert.equal(server.requests.length, 1);
    const later = await misbehave(t, SMALL.bytes, (asked) => (asked.number ? drip : partial())(asked));
    await fails(readValues(await open(later.url, options)), { code: "timeout" });
  });

  for (const name of /** @type {const} */ (["retries", "timeout", "responseTimeout"])) {
    test(`options.${name} that is no number`, async (t) => {
      const server = await misbehave(t, SMALL.bytes);
      await fails(Gguf.open(server.url, { [name]: /** @type {any} */ (5n) }), { code: "invalid-argument" });
      assert.equal(server.requests.length, 0);
    });
  }

  test("a fetch whose chunks are all empty leaves time for an abort", async () => {
    const { fetch, pulls } = emptyChunks();
    const signal = AbortSignal.timeout(100);
    await assert.rejects(Gguf.open("http://a.b/", { fetch, signal, timeout: Infinity }), { name: "TimeoutError" });
    assert.ok(pulls() > 1000);
  });

  test("a stream and a source that give nothing new leave time for an abort", async () => {
    const empty = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array()) });
    await assert.rejects(Gguf.open(empty, { signal: AbortSignal.timeout(100) }), { name: "TimeoutError" });
    const byBytes = { read: async (/** @type {number} */ start) => LARGE.bytes.slice(start, start + 1) };
    await assert.rejects(Gguf.open(byBytes, { signal: AbortSignal.timeout(100) }), { name: "TimeoutError" });
  });

  function emptyChunks() {
    let pulls = 0;
    const pull = (/** @type {ReadableStreamDefaultController} */ controller) => {
      pulls += 1;
      controller.enqueue(new Uint8Array());
    };
    const headers = { "Content-Range": "bytes 0-393215/1000000" };
    return {
      pulls: () => pulls,
      fetch: async () => new Response(new ReadableStream({ pull }), { status: 206, headers }),
    };
  }
});

describe("what is given", { concurrency: true }, () => {
  test("addresses that are none", async () => {
    for (const url of ["no address", "", "http://", "//host/file", "http://user:password@127.0.0.1/file"]) {
      await fails(Gguf.open(url), { code: "invalid-source" });
    }
  });

  test("headers that are none", async (t) => {
    const { url, requests } = await misbehave(t, SMALL.bytes);
    for (const headers of [{ "no name": "1" }, { name: "a\nb" }, [["one"]], 5]) {
      await fails(Gguf.open(url, { headers: /** @type {any} */ (headers) }), {
        code: "invalid-argument",
        message: /headers/,
      });
    }
    assert.equal(requests.length, 0);
  });

  test("a fetch that fails in every way there is", async () => {
    const url = "http://127.0.0.1:1/model.gguf";
    /** @type {[unknown, RegExp][]} */
    const all = [
      [
        () => {
          throw new Error("not today");
        },
        /not today/,
      ],
      [
        () => {
          throw "a word";
        },
        /a word/,
      ],
      [() => Promise.reject(new Error("tomorrow")), /tomorrow/],
      [() => Promise.reject(), /no reason/],
      [() => undefined, /no response/],
      [async () => undefined, /no response/],
      [async () => null, /no response/],
      [async () => 5, /no response/],
    ];
    for (const [fetch, message] of all) {
      let tries = 0;
      const counted = () => (tries++, /** @type {() => any} */ (fetch)());
      await fails(Gguf.open(url, { fetch: counted, retries: 1 }), { code: "network", message, url });
      assert.equal(tries, 2);
    }
  });

  test("a fetch that gives what is no response", async () => {
    const body = (/** @type {unknown} */ value) => ({ status: 200, headers: new Headers(), body: value });
    const broken = () => {
      throw new Error("broken");
    };
    const words = new ReadableStream({ start: (controller) => controller.enqueue("words") });
    const locked = new Blob([SMALL.bytes]).stream();
    locked.getReader();
    const all = [
      {},
      () => 5,
      { status: "206" },
      { status: 206, headers: 5 },
      { status: 206, headers: { get: broken }, body: 5 },
      {
        get status() {
          return broken();
        },
      },
      body(null),
      body(5),
      body({}),
      body({ getReader: broken }),
      body({ getReader: () => undefined }),
      body({ getReader: () => ({ read: broken }) }),
      body({ getReader: () => ({ read: async () => 5 }) }),
      body({ getReader: () => ({ read: () => Promise.reject() }) }),
      body(words),
      body(locked),
      { ...body(locked), redirected: true },
      { status: 302, headers: new Headers({ Location: "/" }) },
    ];
    for (const [index, response] of all.entries()) {
      const error = await Gguf.open("http://a.b/", {
        fetch: /** @type {any} */ (async () => response),
        retries: 0,
      }).catch((error) => error);
      assert.equal(error.name, "GgufError", `${index}: ${error}`);
    }
  });

  test("a fetch whose headers are not texts", async () => {
    for (const value of [1234, 5n, true, {}, [1], Symbol("s"), null, () => 1, new Uint8Array(2)]) {
      const headers = { get: () => value };
      const fetch = /** @type {any} */ (async () => ({ status: 206, headers, body: new Blob([SMALL.bytes]).stream() }));
      await Gguf.open("http://a.b/", { fetch, retries: 0 }).catch((error) => assert.equal(error.name, "GgufError"));
      check(await Gguf.open(SMALL.bytes));
    }
  });

  test("redirects lead to http and https only, also where headers are given", async (t) => {
    const data = `data:application/octet-stream;base64,${Buffer.from(ggufBytes([])).toString("base64")}`;
    for (const location of [data, "file:///etc/hosts", "javascript:0", "blob:http://a.b/c"]) {
      const server = await misbehave(t, SMALL.bytes, status(302, { Location: location }));
      await fails(Gguf.open(server.url, { headers: { "X-Key": "1" } }), { code: "http", status: 302 });
      assert.equal(server.requests.length, 1);
    }
  });

  test("a fetch of one's own may understand more than addresses", async () => {
    const seen = new Set();
    /** @type {OpenOptions["fetch"]} */
    const fetch = async (url) => (seen.add(url), new Response(SMALL.bytes));
    await open("the small model", { fetch, headers: { "X-Key": "1" } });
    assert.deepEqual([...seen], ["the small model"]);
  });
});

describe("together", { concurrency: true }, () => {
  test("everything goes wrong, one after the other", async (t) => {
    const now = { "Retry-After": 0 };
    const other = await misbehave(t, SMALL.bytes, [
      reset,
      partial({ cut: 20_000 }),
      status(503, now),
      partial({ hang: 40_000 }),
      status(403),
      partial({ cut: 200_000 }),
      partial({ cut: 200_000 }),
      status(429, now),
      silence,
      partial({ cut: 300_000 }),
    ]);
    const server = await misbehave(t, SMALL.bytes, redirect(`${other.origin}/file`));
    const gguf = await open(server.url, { timeout: 1500, headers: { "X-Key": "1" } });
    await readValues(gguf);
    assert.deepEqual(
      other.requests.map(({ start }) => start),
      [0, 0, 20_000, 20_000, 60_000, 60_000].concat(
        [0, 200_000, 200_000, 200_000, 500_000].map((at) => (VALUES[0] ?? 0) + at),
      ),
    );
    assert.equal(gguf.fileSize, SMALL.bytes.length);
    assert.ok(server.requests.length <= 3);
  });

  test("two Ggufs of one host, one of which fails", async (t) => {
    const server = await misbehave(t, LARGE.bytes, (asked) =>
      (asked.path.startsWith("/bad") && asked.start > 0 ? status(500) : partial())(asked),
    );
    const bad = Gguf.open(`${server.origin}/bad`);
    const good = Gguf.open(server.url);
    await fails(bad, { code: "http", status: 500 });
    const gguf = check(await good, LARGE);
    const twin = check(await Gguf.open(server.url), LARGE);
    const [one, two] = [gguf.readBytes("output.weight", { end: 100 }), twin.readBytes("output.weight", { end: 100 })];
    gguf.free();
    await one;
    assert.deepEqual(await two, LARGE.bytes.slice(LARGE.data, LARGE.data + 400));
  });

  test("fifty at once", async (t) => {
    const server = await misbehave(t, LARGE.bytes);
    const all = await Promise.all(Array.from({ length: 50 }, () => Gguf.open(server.url)));
    for (const gguf of all) {
      check(gguf, LARGE);
      gguf.free();
    }
    assert.ok(server.requests.length <= 50 * 8);
  });
});

process.on("unhandledRejection", (reason) => {
  throw reason;
});
