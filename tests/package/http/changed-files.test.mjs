// A file that changes on the server while it is read.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { LARGE, openSmall, readValues, SMALL, VALUES } from "../../support/http-models.mjs";
import { misbehave, partial, redirect, status } from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

describe("a file that changes", { concurrency: true }, () => {
  /** @type {[string, import("../../support/misbehaving-server.mjs").Headers, import("../../support/misbehaving-server.mjs").Headers][]} */
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
      const gguf = await openSmall(server.url);
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

  test("between a failed request and its retry", async (t) => {
    const server = await misbehave(t, SMALL.bytes, [
      partial({ cut: 100_000, headers: { ETag: '"a"' } }),
      partial({ headers: { ETag: '"b"' } }),
    ]);
    await fails(Gguf.open(server.url), { code: "changed" });
    assert.equal(server.requests.length, 2);
  });

  const MONDAY = "Mon, 01 Jan 2024 00:00:00 GMT";
  const TUESDAY = "Tue, 02 Jan 2024 00:00:00 GMT";
  /** @type {Record<string, [code: string | undefined, answers: import("../../support/misbehaving-server.mjs").Headers[]]>} */
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
      const gguf = await openSmall(server.url);
      for (let read = 2; read < answers.length; read += 1) await readValues(gguf);
      await (code ? fails(readValues(gguf), { code, url: server.url }) : readValues(gguf));
      assert.equal(server.requests.length, answers.length);
    });
  }

  test("validators of different origins are not compared, but the sizes are", async (t) => {
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
      const gguf = await openSmall(server.url);
      await (size === SMALL.bytes.length ? readValues(gguf) : fails(readValues(gguf), { code: "changed" }));
    }
  });
});
