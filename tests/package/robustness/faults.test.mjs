// Servers that fail in random combinations of statuses, validators, lengths, broken connections, redirects and chunk sizes,
// for everything that reads. Each operation ends with the right bytes or with an error with a code. No header of the caller
// reaches another origin.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
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
/** @typedef {import("../../support/misbehaving-server.mjs").Headers} Headers */

// An operation that hangs for ever leaves the process without anything to wait for, and the test is reported as such.
useClock();

const COMBINATIONS = ofRun(400, 1000);
const AT_ONCE = 24;
const ELEMENTS = 1 << 16;

const FILE = (() => {
  const bytes = ggufBytes(
    [
      ["general.architecture", text("llama")],
      ["tokens", { type: "strings", count: 2500, at: (index) => `token ${index} Ġ` }],
      ["last", uint32(7)],
    ],
    [{ name: "t", dimensions: [ELEMENTS], type: 0, bytes: 4 * ELEMENTS }],
  );
  const floats = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4 * ELEMENTS);
  for (let at = 0; at < ELEMENTS; at += 1) floats.setFloat32(4 * at, Math.sin(at), true);
  return bytes;
})();

/** The result of each operation, in a form that can be compared. @type {Record<string, (gguf: Gguf) => Promise<unknown>>} */
const OPERATIONS = {
  open: async (gguf) => [gguf.metadata.get("last"), gguf.dataOffset, gguf.tensors.length],
  read: (gguf) => gguf.read("t", { start: 100, end: 60_000 }),
  readBytes: async (gguf) =>
    Buffer.concat(
      await Promise.all(
        [0, 1, 2].map((part) => gguf.readBytes("t", { start: part * 20_000, end: part * 20_000 + 15_000 })),
      ),
    ),
  preview: async (gguf) => (await gguf.preview("t", { rows: 8, columns: 8 })).mean,
  statistics: async (gguf) => (await gguf.statistics("t")).mean,
  "plan stream": (gguf) => {
    const editor = gguf.edit();
    editor.set("last", 8);
    return drained(editor.plan().stream());
  },
  // Reads the file from byte 0 to its end.
  "plan stream without changes": (gguf) => drained(gguf.edit().plan().stream()),
  "plan read": async (gguf) => Buffer.from(await gguf.edit().plan().read(0, 100_000)),
};

/** @param {ReadableStream<Uint8Array>} stream */
async function drained(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const local = await Gguf.open(FILE);
/** @type {Map<string, unknown>} */
const expected = new Map();
for (const [name, operation] of Object.entries(OPERATIONS)) expected.set(name, await operation(local));

const random = generator(20_261_121);
/** @template T @param {readonly T[]} all @returns {T} */
const pick = (all) => /** @type {T} */ (all[Math.floor(random() * all.length)]);

const VALIDATORS = [
  {},
  { ETag: '"1"' },
  { ETag: 'W/"1"' },
  { "Last-Modified": new Date(0).toUTCString() },
  { ETag: '"1"', "Last-Modified": new Date(0).toUTCString() },
];
const OTHER_VALIDATORS = [
  ...VALIDATORS,
  { ETag: '"2"' },
  { ETag: 'W/"2"' },
  { "Last-Modified": new Date(5e9).toUTCString() },
];

/** A correct response with the validators and the chunk size of its server. @typedef {(but?: object) => Answer} Good */

/** @type {readonly ((good: Good) => Answer)[]} */
const FAULTS = [
  ...[204, 304, 401, 403, 404, 408, 410, 416, 425, 451, 500, 502].map(
    (code) => () => status(code, { "Retry-After": 0 }),
  ),
  () => status(429, { "Retry-After": 0 }),
  () => status(503, { "Retry-After": 3600 }),
  () => status(416, { "Content-Range": `bytes */${FILE.length}` }),
  () => status(416, { "Content-Range": "bytes */1000" }),
  () => status(302),
  () => whole(),
  () => whole(),
  () => whole(),
  () => whole({ cut: 30_000 }),
  () => whole({ headers: { "Content-Length": undefined } }),
  (good) => good({ cap: 20_000 }),
  (good) => good({ cap: 5000 }),
  (good) => good({ cap: 100 }),
  (good) => good({ cut: 0 }),
  (good) => good({ cut: 20_000 }),
  (good) => good({ hang: 20_000 }),
  (good) => good({ headers: { "Content-Range": undefined } }),
  (good) => good({ headers: { "Content-Range": "bytes 5-10/100", "Content-Length": undefined } }),
  (good) => good({ headers: { "Content-Range": "nonsense" } }),
  (good) => good({ headers: { "Content-Encoding": "gzip", "Content-Length": undefined } }),
  (good) =>
    good({
      headers: { "Content-Length": undefined },
      body: (/** @type {Uint8Array} */ body) => Buffer.concat([body, body]),
    }),
  (good) => good({ headers: { "Content-Length": 0 }, body: () => new Uint8Array() }),
  (good) => good({ headers: pick(OTHER_VALIDATORS) }),
  (good) => good({ headers: pick(OTHER_VALIDATORS) }),
  () => drop,
  () => drop,
  () => drop,
  () => reset,
  () => reset,
  () => reset,
  () => silence,
];

/**
 * @typedef {object} Combination
 * @property {string} name of the operation
 * @property {boolean} hasHeaders
 * @property {boolean} ownFetch
 * @property {(origin: string) => Answer} answer the answer to the next request at an origin
 */

/** @param {number} index @returns {Combination} */
function combination(index) {
  const name = Object.keys(OPERATIONS)[index % Object.keys(OPERATIONS).length] ?? "";
  const validators = pick(VALIDATORS);
  const drip = pick([undefined, { bytes: 3000, every: 0 }, { bytes: 50_000, every: 1 }]);
  const way = pick(["direct", "direct", "inside", "outside", "loop"]);
  const share = pick([0.1, 0.3, 0.6]);
  /** @type {Good} */
  const good = (but = {}) => partial({ drip, ...but, headers: { ...validators, .../** @type {any} */ (but).headers } });
  // Drawn in advance, so that the values do not depend on the order of the requests.
  const answers = Array.from({ length: 40 }, () => (random() < share ? pick(FAULTS)(good) : good()));
  let count = 0;
  return {
    name,
    hasHeaders: random() < 0.6,
    ownFetch: random() < 0.3,
    answer: (origin) => (asked) => {
      if (asked.path.endsWith("/start")) {
        if (way === "inside") return redirect(asked.path.replace("start", "file"))(asked);
        if (way === "outside") return redirect(origin + asked.path.replace("start", "file"))(asked);
        if (way === "loop" && random() < 0.2) return redirect(asked.path)(asked);
      }
      return (answers[count++] ?? good())(asked);
    },
  };
}

const combinations = Array.from({ length: COMBINATIONS }, (_, index) => combination(index));

/** @type {(() => Promise<void>)[]} */
const closing = [];
after(async () => {
  for (const close of closing) await close();
});
const host = { after: (/** @type {() => Promise<void>} */ close) => void closing.push(close) };
/** @param {string} path */
const of = (path) => combinations[Number(path.split("/")[1])];
const other = await misbehave(host, FILE, (asked) => of(asked.path)?.answer("")(asked));
const given = await misbehave(host, FILE, (asked) => of(asked.path)?.answer(other.origin)(asked));

/** @type {Map<string, number>} */
const outcomes = new Map();

/** @param {number} index */
async function run(index) {
  const { name, hasHeaders, ownFetch } = /** @type {Combination} */ (combinations[index]);
  const operation = /** @type {(gguf: Gguf) => Promise<unknown>} */ (OPERATIONS[name]);
  const options = {
    retries: 2,
    timeout: 250,
    ...(hasHeaders && { headers: { Authorization: "Bearer secret", "X-Secret": "secret" } }),
    ...(ownFetch && { fetch: (/** @type {string} */ url, /** @type {RequestInit} */ init) => fetch(url, init) }),
  };
  const work = (async () => {
    const gguf = await Gguf.open(`${given.origin}/${index}/start`, options);
    const result = await operation(gguf);
    gguf.free();
    return result;
  })();
  try {
    const result = await work;
    assert.deepEqual(result, expected.get(name), `${name} ${index}`);
    outcomes.set("right", (outcomes.get("right") ?? 0) + 1);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    const { name: type, code } = /** @type {{ name: string, code: string }} */ (error);
    assert.equal(type, "GgufError", `${name} ${index}: ${error}`);
    assert.ok(code && code !== "internal" && code !== "invalid-argument", `${name} ${index}: ${error}`);
    outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
  }
}

describe(`${COMBINATIONS} combinations of faults`, () => {
  test("each ends with the right bytes or with an error with a code", async () => {
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < COMBINATIONS) await run(next++);
      }),
    );
  });

  test("no header of the caller reaches another origin", () => {
    assert.ok(other.requests.length > 100, `${other.requests.length} requests`);
    for (const { headers } of other.requests) {
      assert.equal(headers.authorization, undefined);
      assert.equal(headers["x-secret"], undefined);
    }
    assert.ok(given.requests.some(({ headers }) => headers["x-secret"] === "secret"));
  });

  test("many of them succeed, and many kinds of errors occur", () => {
    assert.ok((outcomes.get("right") ?? 0) > COMBINATIONS / 4, `${outcomes.get("right")} are right`);
    for (const code of ["http", "network", "bad-range", "changed", "no-ranges"]) {
      assert.ok(outcomes.has(code), `${code} does not occur: ${JSON.stringify([...outcomes])}`);
    }
  });
});

// An uncaught exception fails the run, because Node.js then ends the process.
