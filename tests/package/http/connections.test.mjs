// Connections that break or stay silent, and options.timeout.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { now, useClock } from "../../support/clock.mjs";
import { fails, until } from "../../support/expect.mjs";
import { checkHeader, LARGE, openSmall, readValues, SMALL, VALUES } from "../../support/http-models.mjs";
import { drop, misbehave, partial, reset, silence } from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

useClock();

describe("connections", () => {
  for (const [name, broken] of Object.entries({ drop, reset })) {
    test(`${name} before the response: retried, then network`, async (t) => {
      const server = await misbehave(t, SMALL.bytes, [broken, partial(), broken, broken]);
      await readValues(await openSmall(server.url));
      // Node.js may retry a request by itself if a kept connection was closed.
      assert.ok(server.requests.length >= 5 && server.requests.length <= 6, `${server.requests.length}`);
      const never = await misbehave(t, SMALL.bytes, broken);
      await fails(Gguf.open(never.url, { retries: 1 }), { code: "network", url: never.url });
      assert.equal(never.requests.length, 2);
    });
  }

  test("broken in the header, again and again: reading continues while there is progress", async (t) => {
    const server = await misbehave(t, LARGE.bytes, partial({ cut: 150_000 }));
    checkHeader(await Gguf.open(server.url, { retries: 1 }), LARGE);
    assert.ok(server.requests.length < (2 * LARGE.data) / 150_000 + 4, `${server.requests.length}`);
    const stuck = await misbehave(t, LARGE.bytes, partial({ cut: 10 }));
    await fails(Gguf.open(stuck.url, { retries: 2 }), { code: "network" });
    assert.deepEqual(
      stuck.requests.map(({ start }) => start),
      [0, 10, 20],
    );
  });

  test("broken in bytes that are not needed", async (t) => {
    const server = await misbehave(t, SMALL.bytes, partial({ cut: SMALL.data }));
    await openSmall(server.url);
    assert.equal(server.requests.length, 1);
  });

  for (const retries of [0, 1, 2]) {
    test(`silent: retried after options.timeout, ${retries} times, then timeout`, async (t) => {
      for (const silent of [silence, partial({ hang: 0 }), partial({ hang: 500 })]) {
        const server = await misbehave(t, SMALL.bytes, silent);
        const start = now();
        await fails(Gguf.open(server.url, { retries, timeout: 400 }), { code: "timeout", message: /options\.timeout/ });
        const [least = 0, pauses = 0] = [400 * (retries + 1), [0, 200, 600][retries]];
        const time = now() - start;
        assert.ok(time >= least + pauses && time <= least + pauses * 1.5, `${time} ms`);
        assert.equal(server.requests.length, retries + 1);
        await until(() => server.requests.every(({ state }) => state === "left"));
      }
    });
  }

  test("silent in the header or in the values: reading continues where it stopped", async (t) => {
    const server = await misbehave(t, SMALL.bytes, [partial({ hang: 90_000 }), partial(), partial({ hang: 300_000 })]);
    await readValues(await openSmall(server.url, { timeout: 1500 }));
    assert.deepEqual(
      server.requests.map(({ start }) => start),
      [0, 90_000, VALUES[0], (VALUES[0] ?? 0) + 300_000],
    );
  });

  test("a few bytes at a time count as silent, a slow connection does not", async (t) => {
    const drip = partial({ drip: { bytes: 50, every: 10 } });
    const server = await misbehave(t, SMALL.bytes, drip);
    await fails(Gguf.open(server.url, { retries: 1, timeout: 100 }), { code: "timeout", message: /less than 1 KiB/ });
    assert.equal(server.requests.length, 2);
    const slow = await misbehave(t, SMALL.bytes, partial({ drip: { bytes: 10_000, every: 50 } }));
    await openSmall(slow.url, { retries: 0, timeout: 800 });
    assert.equal(slow.requests.length, 1);
  });

  test("options.timeout beyond the range of timers means no timeout", async (t) => {
    for (const timeout of [2 ** 31, Infinity]) {
      const server = await misbehave(t, SMALL.bytes, partial({ drip: { bytes: 100_000, every: 20 } }));
      await openSmall(server.url, { retries: 0, timeout });
    }
  });

  test("options that are not numbers", async (t) => {
    const { url, requests } = await misbehave(t, SMALL.bytes);
    for (const wrong of [-1, NaN, "5", {}]) {
      const value = /** @type {any} */ (wrong);
      await fails(Gguf.open(url, { retries: value }), { code: "invalid-argument", message: /retries/ });
      await fails(Gguf.open(url, { timeout: value }), { code: "invalid-argument", message: /timeout/ });
    }
    assert.equal(requests.length, 0);
  });
});

describe("time", () => {
  test("a slow response ends after options.responseTimeout", async (t) => {
    const drip = partial({ drip: { bytes: 2000, every: 20 } });
    const server = await misbehave(t, SMALL.bytes, drip);
    const options = { timeout: 5000, responseTimeout: 300 };
    await fails(Gguf.open(server.url, options), { code: "timeout", url: server.url, message: /responseTimeout/ });
    await until(() => server.requests[0]?.state === "left");
    assert.equal(server.requests.length, 1);
    const later = await misbehave(t, SMALL.bytes, (asked) => (asked.number ? drip : partial())(asked));
    await fails(readValues(await openSmall(later.url, options)), { code: "timeout" });
  });

  for (const name of /** @type {const} */ (["retries", "timeout", "responseTimeout"])) {
    test(`options.${name} that is not a number`, async (t) => {
      const server = await misbehave(t, SMALL.bytes);
      await fails(Gguf.open(server.url, { [name]: /** @type {any} */ (5n) }), { code: "invalid-argument" });
      assert.equal(server.requests.length, 0);
    });
  }

  test("a fetch with only empty chunks lets timers run, so that it can be aborted", async () => {
    const { fetch, pulls } = emptyChunks();
    const signal = AbortSignal.timeout(100);
    await assert.rejects(Gguf.open("http://a.b/", { fetch, signal, timeout: Infinity }), { name: "TimeoutError" });
    assert.ok(pulls() > 1000);
  });

  test("a stream and a source that return no bytes let timers run, so that they can be aborted", async () => {
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
