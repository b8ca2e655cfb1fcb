// Several faults during one opening, and several openings at the same time.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { useClock } from "../../support/clock.mjs";
import { fails } from "../../support/expect.mjs";
import { checkHeader, LARGE, openSmall, readValues, SMALL, VALUES } from "../../support/http-models.mjs";
import { misbehave, partial, redirect, reset, silence, status } from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

useClock();

describe("combinations", () => {
  test("all kinds of faults, one after another", async (t) => {
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
    const gguf = await openSmall(server.url, { timeout: 1500, headers: { "X-Key": "1" } });
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

  test("two files of one host, one of which fails", async (t) => {
    const server = await misbehave(t, LARGE.bytes, (asked) =>
      (asked.path.startsWith("/bad") && asked.start > 0 ? status(500) : partial())(asked),
    );
    const bad = Gguf.open(`${server.origin}/bad`);
    const good = Gguf.open(server.url);
    await fails(bad, { code: "http", status: 500 });
    const gguf = checkHeader(await good, LARGE);
    const twin = checkHeader(await Gguf.open(server.url), LARGE);
    const [one, two] = [gguf.readBytes("output.weight", { end: 100 }), twin.readBytes("output.weight", { end: 100 })];
    gguf.free();
    await one;
    assert.deepEqual(await two, LARGE.bytes.slice(LARGE.data, LARGE.data + 400));
  });

  test("fifty openings at the same time", async (t) => {
    const server = await misbehave(t, LARGE.bytes);
    const all = await Promise.all(Array.from({ length: 50 }, () => Gguf.open(server.url)));
    for (const gguf of all) {
      checkHeader(gguf, LARGE);
      gguf.free();
    }
    assert.ok(server.requests.length <= 50 * 8);
  });
});
