// Sets of shards at URLs: which requests are made.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gguf, GgufSet } from "gguf-wasm/full";
import { sleep, useClock } from "../../support/clock.mjs";
import { range, serveFiles, whole } from "../../support/file-server.mjs";
import { shardFiles, shardName } from "../../support/shards.mjs";

useClock();

const THREE = shardFiles(3);
const NAMES = Object.keys(THREE);

for (const name of NAMES) {
  test(`the URL of ${name} opens the set with one request for each shard`, async (t) => {
    const { origin, requests } = await serveFiles(t, THREE);
    const set = await GgufSet.open(`${origin}/${name}`);
    assert.equal(requests[0]?.name, name);
    assert.deepEqual(requests.map((request) => request.name).sort(), NAMES);
    assert.deepEqual(
      set.shards.map((shard) => [shard.number, shard.name, shard.url, shard.gguf?.tensors.length]),
      NAMES.map((file, index) => [index + 1, file, `${origin}/${file}`, 1]),
    );
    assert.deepEqual(set.findings, []);
    assert.equal(set.isComplete, true);
    requests.length = 0;
    assert.deepEqual([...(await set.read("t2", { end: 2 }))], [2, 2]);
    assert.deepEqual(
      requests.map((request) => request.name),
      [NAMES[1]],
    );
  });
}

test("a shard that is open already is not read again", async (t) => {
  const { origin, requests } = await serveFiles(t, THREE);
  for (const entry of [await import("gguf-wasm/full"), await import("gguf-wasm/reader")])
    for (const name of NAMES) {
      const url = `${origin}/${name}`;
      const opened = await entry.Gguf.open(url);
      requests.length = 0;
      const set = await GgufSet.open(url, { opened });
      opened.free();
      const others = NAMES.filter((other) => other !== name);
      assert.deepEqual(requests.map((request) => request.name).sort(), others);
      const usual = await GgufSet.open(url);
      assert.deepEqual(set.findings, []);
      assert.deepEqual(await set.merged.headerBytes(), await usual.merged.headerBytes());
      const place = (/** @type {GgufSet} */ { shards }) => shards.map((shard) => [shard.number, shard.name, shard.url]);
      assert.deepEqual(place(set), place(usual));
      for (const number of [1, 2, 3]) assert.deepEqual([...(await set.read(`t${number}`, { end: 1 }))], [number]);
    }
});

test("an open shard of another model, a value that is none, and one beside a list are refused", async (t) => {
  const { origin } = await serveFiles(t, { ...THREE, ...shardFiles(2, { prefix: "n" }) });
  const url = `${origin}/${NAMES[0]}`;
  const foreign = await Gguf.open(`${origin}/${shardName(1, 2, "n")}`);
  await assert.rejects(GgufSet.open(url, { opened: foreign }), { code: "foreign-shard" });
  await assert.rejects(GgufSet.open(url, { opened: /** @type {any} */ (5) }), {
    code: "invalid-argument",
    message: /5 is no open file: expected a Gguf/,
  });
  const opened = await Gguf.open(url);
  await assert.rejects(GgufSet.open([url], { opened }), { code: "invalid-argument", message: /opened/ });
  opened.free();
  await assert.rejects(GgufSet.open(url, { opened }), { code: "freed" });
});

test("a URL object and a query are kept", async (t) => {
  const { origin, requests } = await serveFiles(t, THREE);
  const set = await GgufSet.open(new URL(`${origin}/${NAMES[2]}?download=true`));
  assert.equal(set.isComplete, true);
  assert.deepEqual([...new Set(requests.map(({ query }) => query))], ["?download=true"]);
});

test("a list of URLs opens the set", async (t) => {
  const { origin, requests } = await serveFiles(t, THREE);
  const set = await GgufSet.open(NAMES.toReversed().map((name) => `${origin}/${name}`));
  assert.deepEqual(
    set.shards.map(({ name }) => name),
    NAMES,
  );
  assert.equal(requests.length, 3);
});

test("a name that claims 99,999 shards costs one request if the header does not confirm it", async (t) => {
  const whole = { "x-00001-of-99999.gguf": /** @type {Uint8Array} */ (shardFiles(1)[shardName(1, 1)]) };
  const { origin, requests } = await serveFiles(t, whole);
  const set = await GgufSet.open(`${origin}/x-00001-of-99999.gguf`);
  assert.equal(requests.length, 1);
  assert.equal(set.shards.length, 1);
});

test("a header that claims 65,535 shards costs a few requests for missing files", async (t) => {
  const hostile = shardFiles(1)[shardName(1, 1)] ?? new Uint8Array();
  const bytes = Buffer.from(hostile);
  const count = bytes.indexOf("split.count") + "split.count".length + 4;
  bytes.writeUInt16LE(65_535, count);
  const { origin, requests } = await serveFiles(t, { "x-00001-of-65535.gguf": bytes });
  const set = await GgufSet.open(`${origin}/x-00001-of-65535.gguf`);
  assert.ok(requests.length <= 25, `${requests.length} requests`);
  assert.equal(set.shards.length, 65_535);
  assert.equal(set.isComplete, false);
  assert.ok(set.findings.length <= 101);
});

test("at most six requests are in flight, and twenty shards take five round trips", async (t) => {
  const files = shardFiles(20);
  /** @type {(() => void)[]} */
  let waiting = [];
  let turns = 0;
  const { origin, load, requests } = await serveFiles(t, files, (...request) => {
    // All requests of a round trip are answered together.
    if (waiting.length === 0) {
      void sleep(100).then(() => {
        turns += 1;
        const answers = waiting;
        waiting = [];
        for (const answer of answers) answer();
      });
    }
    waiting.push(() => range(...request));
  });
  const set = await GgufSet.open(`${origin}/${shardName(1, 20)}`);
  assert.equal(set.isComplete, true);
  assert.equal(requests.length, 20);
  assert.ok(load.most <= 6, `${load.most} requests in flight`);
  assert.ok(turns <= 5, `${turns} round trips`);
});

test("a large first shard is read by several requests while the others are opened", async (t) => {
  const files = shardFiles(12, { tokens: 200_000 });
  const { origin, load } = await serveFiles(t, files, (...request) => void sleep(20).then(() => range(...request)));
  const set = await GgufSet.open(`${origin}/${shardName(7, 12)}`);
  assert.equal(set.isComplete, true);
  assert.ok(load.most <= 6, `${load.most} requests in flight`);
  assert.equal(/** @type {any} */ (set.metadata.get("tokenizer.ggml.tokens")).length, 200_000);
});

test("a missing shard is a finding, and its tensors are missing", async (t) => {
  const { [NAMES[1] ?? ""]: _, ...rest } = THREE;
  const { origin } = await serveFiles(t, rest);
  const set = await GgufSet.open(`${origin}/${NAMES[0]}`);
  assert.equal(set.isComplete, false);
  assert.deepEqual(set.findings, [
    {
      code: "missing-shard",
      severity: "error",
      message: 'shard 2 of 3 is missing. Add the file "m-00002-of-00003.gguf".',
      shard: 2,
    },
  ]);
  assert.deepEqual(
    set.tensors.map(({ name, shard }) => [name, shard]),
    [
      ["t1", 1],
      ["t3", 3],
    ],
  );
  const missing = set.shards[1];
  assert.deepEqual([missing?.gguf, missing?.error?.code, missing?.error?.status], [undefined, "http", 404]);
  assert.deepEqual([...(await set.read("t3", { end: 1 }))], [3]);
  assert.throws(() => set.merge(), { code: "incomplete-set", message: /shard 2 of 3 \("m-00002-of-00003.gguf"\)/ });
  assert.ok(set.validate().every(({ code }) => code !== "missing-tensor"));
});

test("a web page instead of a shard is a finding", async (t) => {
  const page = new TextEncoder().encode("<!doctype html>");
  const { origin } = await serveFiles(t, { ...THREE, [NAMES[2] ?? ""]: page });
  const set = await GgufSet.open(`${origin}/${NAMES[0]}`);
  assert.deepEqual(
    set.findings.map(({ code, shard }) => [code, shard]),
    [["unreadable-shard", 3]],
  );
  assert.equal(set.shards[2]?.error?.code, "bad-magic");
});

test("a shard that the server refuses is unreadable, not missing", async (t) => {
  const { origin } = await serveFiles(t, THREE, (request, response, ...rest) => {
    if (request.url?.includes("00003-of")) return void response.writeHead(403).end();
    return range(request, response, ...rest);
  });
  const set = await GgufSet.open(`${origin}/${NAMES[0]}`);
  assert.deepEqual(
    set.findings.map(({ code, shard }) => [code, shard]),
    [["unreadable-shard", 3]],
  );
  assert.equal(set.shards[2]?.error?.status, 403);
});

test("without the first shard, the tensors of the others can be read", async (t) => {
  const { [NAMES[0] ?? ""]: _, ...rest } = THREE;
  const { origin } = await serveFiles(t, rest);
  const set = await GgufSet.open(`${origin}/${NAMES[1]}`);
  assert.deepEqual([...(await set.read("t2", { end: 1 }))], [2]);
  assert.equal(set.merged.entries.length, 0);
  assert.throws(() => set.edit(), { code: "incomplete-set" });
});

test("a URL that cannot be opened rejects", async (t) => {
  const { origin, requests } = await serveFiles(t, THREE);
  await assert.rejects(GgufSet.open(`${origin}/${shardName(1, 4)}`), { code: "http", status: 404 });
  assert.equal(requests.length, 1);
});

test("a count in the name that is too small does not prevent opening", async (t) => {
  const files = Object.values(THREE);
  const named = { [shardName(1, 2)]: files[0] ?? new Uint8Array(), [shardName(2, 2)]: files[1] ?? new Uint8Array() };
  const { origin } = await serveFiles(t, named);
  const set = await GgufSet.open(`${origin}/${shardName(1, 2)}`);
  assert.deepEqual(
    set.findings.map(({ code, shard }) => [code, shard]),
    [
      ["swapped-shard", 1],
      ["swapped-shard", 2],
      ["missing-shard", 3],
    ],
  );
  assert.equal(set.shards[2]?.name, "m-00003-of-00003.gguf");
});

test("an exception of onProgress rejects, whichever shard is read", async (t) => {
  const { origin } = await serveFiles(t, THREE);
  for (const shards of [0, 1, 2]) {
    const onProgress = (/** @type {import("gguf-wasm/full").SetProgress} */ { shardsOpened }) => {
      if (shardsOpened >= shards) throw new Error("boom");
    };
    await assert.rejects(GgufSet.open(`${origin}/${NAMES[0]}`, { onProgress }), { message: "boom" });
  }
});

test("an abort ends the opening", async (t) => {
  const abort = new AbortController();
  const { origin } = await serveFiles(t, THREE, (request, ...rest) => {
    if (request.url?.includes("00003-of")) return abort.abort(new Error("stopped"));
    return range(request, ...rest);
  });
  await assert.rejects(GgufSet.open(`${origin}/${NAMES[0]}`, { signal: abort.signal }), { message: "stopped" });
});

test("progress counts shards and bytes of all headers", async (t) => {
  const { origin } = await serveFiles(t, THREE);
  /** @type {import("gguf-wasm/full").SetProgress[]} */
  const reports = [];
  const set = await GgufSet.open(`${origin}/${NAMES[1]}`, { onProgress: (progress) => reports.push(progress) });
  const bytes = set.shards.reduce((sum, { gguf }) => sum + (gguf?.headerSize ?? 0), 0);
  assert.deepEqual(reports.at(-1), { bytesRead: bytes, shardsOpened: 3, shardCount: 3 });
  for (const [index, report] of reports.entries()) {
    assert.ok(report.bytesRead >= (reports[index - 1]?.bytesRead ?? 0), "progress goes forward");
  }
});

test("a response of a shard opens the set: the others are at its URL", async (t) => {
  /** @type {import("../../support/file-server.mjs").Answer} */
  const wholeOrRange = (request, ...rest) => (request.headers.range ? range : whole)(request, ...rest);
  const { origin } = await serveFiles(t, THREE, wholeOrRange);
  const set = await GgufSet.open(await fetch(`${origin}/${NAMES[1]}`));
  assert.deepEqual(set.findings, []);
  assert.deepEqual([...(await set.read("t3", { start: 1023 }))], [3]);
});
