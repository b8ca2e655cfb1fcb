// Hundreds of openings through a server that fails at random, with a fixed seed: each ends with the right header or an error
// with a code, none hangs, and memory does not grow.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Gguf, initSync } from "gguf-wasm/full/init";
import { generator } from "../../support/chance.mjs";
import { useClock } from "../../support/clock.mjs";
import { ggufBytes, text, uint32 } from "../../support/gguf-bytes.mjs";
import { ofRun } from "../../support/long.mjs";
import {
  drop,
  misbehave,
  partial,
  redirect,
  reset,
  silence,
  status,
  whole,
} from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */

// An opening that hangs for ever leaves the process without anything to wait for, and the test is reported as such.
useClock();

/** Even the rarest fault, 1 % of the answers, comes several times. */
const OPENINGS = ofRun(300, 1000);
const AT_ONCE = 16;
const SEED = 20_261_120;

const MODEL = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["tokenizer.ggml.tokens", { type: "strings", count: 45_000, at: (index) => `token ${index} Ġ` }],
    ["last", uint32(7)],
  ],
  [{ name: "output.weight", dimensions: [1 << 16], type: 0, bytes: 1 << 18 }],
);
const { memory } = initSync(readFileSync(fileURLToPath(import.meta.resolve("gguf-wasm/full/gguf_wasm_full_bg.wasm"))));
const local = await Gguf.open(MODEL);
const HEADER = Buffer.from(local.headerBytes());

/** The version of the file in all responses, except those with a fault of the version. */
const ONE = { ETag: '"one"' };
/** @param {import("../../support/misbehaving-server.mjs").But} [but] */
const good = (but = {}) => partial({ ...but, headers: { ...ONE, ...but.headers } });

/** The faults and their frequency in percent. @type {[number, (random: () => number) => Answer][]} */
const FAULTS = [
  [4, () => drop],
  [4, () => reset],
  [4, () => status(503, { "Retry-After": 0 })],
  [2, () => status(429)],
  [3, () => silence],
  [3, (random) => good({ hang: below(random, 300_000) })],
  [6, (random) => good({ cut: below(random, 393_216) })],
  [5, (random) => good({ cap: 1 + below(random, 200_000) })],
  [1, () => good({ headers: { "Content-Range": undefined } })],
  [2, () => redirect("elsewhere")],
  [1, () => good({ headers: { "Content-Range": "bytes 7-9/10" } })],
  [1, () => partial({ headers: { ETag: '"another"' } })],
  [1, () => good({ headers: { "Content-Encoding": "gzip" } })],
  [1, () => good({ headers: { "Content-Length": undefined }, body: (body) => Buffer.concat([body, body]) })],
  [1, () => whole({ headers: ONE })],
  [1, () => status(500)],
  [1, () => status(403)],
];

test(`${OPENINGS} openings through a server that fails at random`, async (t) => {
  /** The number of requests of each opening. @type {Map<string, number>} */
  const asked = new Map();
  const server = await misbehave(t, MODEL, (request) => {
    const opening = request.path.split("/")[1] ?? "";
    const number = asked.get(opening) ?? 0;
    asked.set(opening, number + 1);
    const random = generator(SEED + Number(opening) * 7919 + number);
    const usual = good();
    let chance = random() * 100;
    const fault = FAULTS.find(([often]) => (chance -= often) < 0);
    return (fault ? fault[1](random) : usual)(request);
  });

  /** @type {Record<string, number>} */
  const ends = {};
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < OPENINGS; index = next++) {
      const end = await open(`${server.origin}/${index}/model`);
      ends[end] = (ends[end] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));

  t.diagnostic(`${JSON.stringify(ends)}, ${server.requests.length} requests`);
  assert.equal(
    Object.values(ends).reduce((sum, count) => sum + count),
    OPENINGS,
  );
  const { opened = 0, ...failed } = ends;
  const codes = new Set(["network", "timeout", "http", "bad-range", "changed", "no-ranges"]);
  for (const code of Object.keys(failed))
    assert.ok(codes.has(code), `${code} after a fault that is none of the file's`);
  assert.ok(opened > OPENINGS * 0.6, `${opened} were opened`);
  for (const code of ["http", "bad-range", "changed", "no-ranges"]) assert.ok(failed[code], `none failed with ${code}`);
  assert.ok(server.requests.length < OPENINGS * 10);
  // Twice the memory of the concurrent openings. With a leak there would be as many headers as openings.
  const most = 2 * AT_ONCE * HEADER.length;
  assert.ok(memory.buffer.byteLength <= most, `${memory.buffer.byteLength} bytes of memory, of ${most} at most`);
});

/** Opens the file, compares it, and returns the result in words. @param {string} url */
async function open(url) {
  let gguf;
  try {
    gguf = await Gguf.open(url, { timeout: 150 });
  } catch (caught) {
    const error = /** @type {import("gguf-wasm/full").GgufError} */ (caught);
    assert.equal(error.name, "GgufError", `${url}: ${error}`);
    return error.code;
  }
  assert.ok(HEADER.equals(gguf.headerBytes()), `${url}: another header`);
  assert.ok(gguf.fileSize === MODEL.length || gguf.fileSize === undefined, `${url}: ${gguf.fileSize} bytes`);
  gguf.free();
  return "opened";
}

/** @param {() => number} random @param {number} end */
function below(random, end) {
  return Math.floor(random() * end);
}

process.on("unhandledRejection", (reason) => {
  throw reason;
});
