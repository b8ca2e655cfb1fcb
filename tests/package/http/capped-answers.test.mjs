// Servers that limit the length of a response.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { sleep, useClock } from "../../support/clock.mjs";
import { until } from "../../support/expect.mjs";
import { checkHeader, LARGE, makeModel } from "../../support/http-models.mjs";
import { misbehave, partial } from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

useClock();

describe("servers that cap the length of responses", () => {
  const CAP = 16 << 10;

  test("a header of nine responses takes two round trips", async (t) => {
    const { bytes, data } = makeModel(5000, 1 << 16);
    const rounds = Math.ceil((data - CAP) / (8 * CAP));
    assert.equal(rounds, 1, `a header of ${data} bytes`);
    // Responses wait until no request has come for a while: one round trip.
    /** @type {(() => void)[]} */
    let waiting = [];
    let trips = 0;
    const server = await misbehave(t, bytes, async (asked) => {
      void sleep(500).then(() => {
        if (server.requests.length > asked.number + 1) return;
        trips += 1;
        const answers = waiting;
        waiting = [];
        for (const answer of answers) answer();
      });
      await new Promise((resolve) => waiting.push(() => resolve(undefined)));
      await partial({ cap: CAP })(asked);
    });
    const gguf = await Gguf.open(server.url);
    assert.equal(gguf.dataOffset, data);
    assert.equal(trips, 2);
  });

  test("headers and values of any size, with at most eight requests in flight", async (t) => {
    for (const cap of [4096, CAP, 100_000]) {
      // Requests without a response yet: at least these are in flight.
      let [open, most] = [0, 0];
      const server = await misbehave(t, LARGE.bytes, async (asked) => {
        most = Math.max(most, ++open);
        await sleep(40);
        open -= 1;
        await partial({ cap })(asked);
      });
      const gguf = checkHeader(await Gguf.open(server.url), LARGE);
      const isAllowed = () => assert.ok(most >= 7 && most <= 8, `${most} requests at once`);
      isAllowed();
      // Requests that were sent ahead but are not needed are cancelled. They may still reach the server.
      await sleep(200);
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

  test("a cap that begins later, and responses that break off", async (t) => {
    const server = await misbehave(t, LARGE.bytes, (asked) =>
      partial(asked.number < 2 ? {} : { cap: CAP, cut: asked.number % 5 ? undefined : 5000 })(asked),
    );
    const gguf = checkHeader(await Gguf.open(server.url), LARGE);
    assert.ok(Buffer.from(await gguf.readBytes("output.weight")).equals(LARGE.bytes.subarray(LARGE.data)));
  });

  test("one short response does not make the later requests short", async (t) => {
    const { bytes, data } = makeModel(1000, 768 << 10);
    const server = await misbehave(t, bytes, (asked) => partial(asked.number === 1 ? { cap: 10_000 } : {})(asked));
    const gguf = await Gguf.open(server.url);
    assert.equal(server.requests.length, 1);
    const values = await gguf.readBytes("output.weight");
    assert.ok(Buffer.from(values).equals(bytes.subarray(data)));
    const lengths = server.requests.map(({ start, end }) => end - start);
    assert.ok(lengths.length <= 30, `${lengths.length} requests for ${values.length} bytes`);
    const sent = server.requests.slice(1).reduce((sum, { sent }) => sum + sent, 0);
    assert.equal(sent, values.length);
    // A later read is one request again.
    server.requests.length = 0;
    await gguf.readBytes("output.weight");
    assert.deepEqual(server.ranges(), [`${data}-${bytes.length - 1}`]);
  });

  test("one short response in the header does not make the later requests short", async (t) => {
    const server = await misbehave(t, LARGE.bytes, (asked) =>
      partial(asked.number === 0 ? { cap: 10_000 } : {})(asked),
    );
    const gguf = checkHeader(await Gguf.open(server.url), LARGE);
    await gguf.readBytes("output.weight");
    // With 10,000 bytes in a request there would be more than 300.
    assert.ok(server.requests.length <= 40, `${server.requests.length} requests for ${LARGE.bytes.length} bytes`);
  });

  test("a server that limits all responses gets no request more", async (t) => {
    const { bytes, data } = makeModel(1000, 1 << 20);
    const server = await misbehave(t, bytes, partial({ cap: CAP }));
    const gguf = await Gguf.open(server.url);
    // Requests for the header that are not needed may still reach the server.
    await gguf.readBytes("output.weight");
    await until(() => server.requests.every(({ state }) => state !== "open"));
    server.requests.length = 0;
    const values = await gguf.readBytes("output.weight");
    assert.ok(Buffer.from(values).equals(bytes.subarray(data)));
    assert.equal(server.requests.length, values.length / CAP);
  });

  test("after an abort no request remains", async (t) => {
    const server = await misbehave(t, LARGE.bytes, (asked) =>
      partial(asked.start < LARGE.data ? { cap: CAP } : { hang: 10 })(asked),
    );
    const gguf = checkHeader(await Gguf.open(server.url), LARGE);
    const controller = new AbortController();
    const read = gguf.readBytes("output.weight", { signal: controller.signal });
    await until(() => server.requests.filter(({ state }) => state === "open").length === 8);
    controller.abort();
    await assert.rejects(read, { name: "AbortError" });
    await until(() => server.requests.every(({ state }) => state !== "open"));
    // The slots for requests are free again.
    const next = gguf.readBytes("output.weight", { end: 5 });
    next.catch(() => undefined);
    await until(() => server.requests.some(({ state }) => state === "open"));
    gguf.free();
  });
});
