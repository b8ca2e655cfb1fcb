// Streams of edited files from servers that drop connections, recover, change the file or are gone.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { until } from "../../support/expect.mjs";
import { misbehave, partial, reset, status } from "../../support/misbehaving-server.mjs";
import { turns } from "../../support/turns.mjs";
import { collect } from "./outcome.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */

const FLOATS = 9 << 20;
const FILE = ggufBytes(
  [["general.name", text("before")]],
  [{ name: "output.weight", dimensions: [FLOATS], type: 0, bytes: 4 * FLOATS }],
);
const { dataOffset } = await Gguf.open(FILE);
for (let at = dataOffset; at < FILE.length; at += 1) FILE[at] = (at * 31) ^ (at >> 8) ^ (at >> 16);

/** @param {Gguf} gguf */
function planned(gguf) {
  const editor = gguf.edit();
  editor.set("general.name", "a name that is so much longer that the data moves");
  return editor.plan();
}

/** The bytes of the edited file. */
const EDITED = Buffer.from(
  await (async () => {
    const plan = planned(await Gguf.open(FILE));
    return plan.read(0, plan.size);
  })(),
);

/**
 * Serves the file and plans its edit. Later requests are answered by `answer`; the first of them has the number 0.
 *
 * @param {Parameters<typeof misbehave>[0]} t
 * @param {(number: number) => Answer} answer
 * @param {import("gguf-wasm/full").OpenOptions} [options]
 */
async function serve(t, answer, options) {
  let opening = Infinity;
  const server = await misbehave(t, FILE, (asked) =>
    (asked.number < opening ? partial() : answer(asked.number - opening))(asked),
  );
  const plan = planned(await Gguf.open(server.url, options));
  opening = server.requests.length;
  return { server, plan };
}

describe("a stream of an edited file", { concurrency: true }, () => {
  test("reads the data once, and does not read the header again", async (t) => {
    const { server, plan } = await serve(t, () => partial());
    const opened = server.sent();
    assert.ok(EDITED.equals(await collect(plan.stream())));
    assert.equal(server.sent() - opened, FILE.length - dataOffset);
  });

  /** @type {Record<string, (number: number) => Answer>} */
  const servers = {
    "that drops every second connection after 300 kB": (number) => partial(number % 2 ? {} : { cut: 300_000 }),
    "that resets every third connection": (number) => (number % 3 === 2 ? reset : partial()),
    "that sends less than was asked for": () => partial({ cap: 1_500_000 }),
    "that is busy now and then": (number) => (number % 4 === 1 ? status(503, { "Retry-After": 0 }) : partial()),
  };
  for (const [what, answer] of Object.entries(servers)) {
    test(`from a server ${what}`, async (t) => {
      const { server, plan } = await serve(t, answer);
      const opened = server.sent();
      assert.ok(EDITED.equals(await collect(plan.stream())));
      // Bytes that were lost with a connection are sent again, but no other bytes.
      const again = server.sent() - opened - (FILE.length - dataOffset);
      assert.ok(again < 1 << 20, `${again} bytes were sent again`);
    });
  }

  test("from a server that is gone: another stream continues at the same position", async (t) => {
    let isGone = true;
    const { plan } = await serve(t, (number) => (isGone && number > 2 ? status(404) : partial()), { retries: 1 });
    /** @type {Uint8Array[]} */
    const parts = [];
    const reader = async (/** @type {number} */ start) => {
      for await (const part of plan.stream({ start })) parts.push(part);
    };
    await assert.rejects(reader(0), { name: "GgufError", status: 404 });
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    assert.ok(length > 0 && length < plan.size, `${length} bytes`);
    isGone = false;
    await reader(length);
    assert.ok(EDITED.equals(Buffer.concat(parts)));
  });

  test("of a file that has changed: changed", async (t) => {
    const server = await misbehave(t, FILE, (asked) =>
      partial({ headers: { ETag: asked.end > FILE.length / 2 ? '"b"' : '"a"' } })(asked),
    );
    const plan = planned(await Gguf.open(server.url));
    await assert.rejects(collect(plan.stream()), { name: "GgufError", code: "changed", url: server.url });
  });

  test("ends at once when it is aborted, also on the server", async (t) => {
    const { server, plan } = await serve(t, (number) => partial(number ? { hang: 100_000 } : {}));
    const controller = new AbortController();
    const work = collect(plan.stream({ signal: controller.signal }));
    await until(() => server.requests.some(({ sent }) => sent === 100_000));
    const turnsSince = turns();
    controller.abort();
    await assert.rejects(work, { name: "AbortError" });
    assert.ok(turnsSince() < 10, `${turnsSince()} turns of the event loop`);
    while (server.requests.some(({ state }) => state === "open")) await new Promise((go) => setTimeout(go, 10));
  });

  test("that is cancelled makes no more requests", async (t) => {
    const { server, plan } = await serve(t, () => partial());
    for await (const part of plan.stream()) if (part.length > 0) break;
    while (server.requests.some(({ state }) => state === "open")) await new Promise((go) => setTimeout(go, 10));
    const count = server.requests.length;
    await new Promise((go) => setTimeout(go, 200));
    assert.equal(server.requests.length, count);
  });
});
