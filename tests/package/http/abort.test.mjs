// Aborts at any moment: the operation and its requests end at once, and nothing keeps the process alive.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Gguf } from "gguf-wasm/full";
import { generator } from "../../support/chance.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { misbehave, partial, silence, status } from "../../support/misbehaving-server.mjs";
import { turns } from "../../support/turns.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {Awaited<ReturnType<typeof misbehave>>} Server */

const MODEL = ggufBytes(
  [
    ["general.architecture", text("llama")],
    ["tokenizer.ggml.tokens", { type: "strings", count: 100_000, at: (index) => `token ${index} Ġ` }],
  ],
  [{ name: "output.weight", dimensions: [1 << 18], type: 0, bytes: 1 << 20 }],
);
const { dataOffset } = await Gguf.open(MODEL);

// This script runs in its own process, so that a leftover timer or connection would be noticed: a leftover timeout would keep
// the process alive for ten minutes. It opens a file, or reads values of an open one. It aborts when a message comes, or when the
// work is done, and prints the result.
const CHILD = `
  import { Gguf } from "gguf-wasm/full";
  import { turns } from ${JSON.stringify(import.meta.resolve("../../support/turns.mjs"))};
  const [url, what, when] = process.argv.slice(1);
  process.on("unhandledRejection", (reason) => { console.log("unhandled", reason); process.exitCode = 1; });
  const controller = new AbortController();
  const { signal } = controller;
  let counted = () => Infinity;
  const abort = () => { counted = turns(); controller.abort(); };
  process.once("message", abort);
  process.channel.unref();
  const work = what === "values"
    ? Gguf.open(url).then((gguf) => gguf.readBytes("output.weight", { signal }))
    : Gguf.open(url, { signal, timeout: 600_000 });
  await work.then(() => console.log("done"), (error) => console.log(error.name, counted() < 10 ? "at once" : "late"));
  if (when === "late") abort();
`;

/**
 * Runs the script, and tells it to abort when the server has come so far.
 *
 * @param {Server} server
 * @param {{ what: "header" | "values", late?: boolean, reached?: (server: Server) => boolean }} options
 * @returns {Promise<string>} the output, after the process has ended without being killed
 */
function runChild(server, { what, late = false, reached = () => false }) {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", CHILD, "--", server.url, what, late ? "late" : ""],
    { cwd: fileURLToPath(new URL("../../../", import.meta.url)), stdio: ["ignore", "pipe", "inherit", "ipc"] },
  );
  let printed = "";
  child.stdout?.on("data", (data) => (printed += data));
  const watch = setInterval(() => {
    if (!reached(server)) return;
    clearInterval(watch);
    child.send("abort");
  }, 5);
  return new Promise((resolve, reject) => {
    const still = setTimeout(() => {
      child.kill();
      reject(new Error(`still there after two minutes, having printed: ${printed}`));
    }, 120_000);
    child.on("close", (code) => {
      clearTimeout(still);
      clearInterval(watch);
      resolve(code === 0 ? printed.trim() : `${printed} exit code ${code}`);
    });
  });
}

/** @typedef {Server["requests"][number]} Exchange */
/** Whether a request of the header or of the values has come so far. */
const header =
  (/** @type {(request: Exchange) => boolean} */ far) =>
  (/** @type {Server} */ { requests }) =>
    requests.some((request) => request.start < dataOffset && far(request));
const values =
  (/** @type {(request: Exchange) => boolean} */ far) =>
  (/** @type {Server} */ { requests }) =>
    requests.some((request) => request.start >= dataOffset && far(request));

/** The state of the server at the time of the abort. @type {Record<string, { answer: Answer, reached: (server: Server) => boolean }>} */
const MOMENTS = {
  "before the answer": { answer: silence, reached: header(() => true) },
  "in the header": { answer: partial({ hang: 100_000 }), reached: header(({ sent }) => sent === 100_000) },
  "while two parts are under way": {
    answer: (asked) => partial(asked.start ? { hang: 0 } : { hang: 300_000 })(asked),
    reached: ({ requests }) => requests.length > 1 && requests[0]?.sent === 300_000,
  },
  "between two tries": {
    answer: status(503, { "Retry-After": 30 }),
    reached: header(({ state }) => state === "ended"),
  },
  "before the values": {
    answer: (asked) => (asked.start >= dataOffset ? silence : partial())(asked),
    reached: values(() => true),
  },
  "among the values": {
    answer: (asked) => partial(asked.start >= dataOffset ? { hang: 10_000 } : {})(asked),
    reached: values(({ sent }) => sent === 10_000),
  },
  "between two tries for values": {
    answer: (asked) => (asked.start >= dataOffset ? status(429, { "Retry-After": 30 }) : partial())(asked),
    reached: values(({ state }) => state === "ended"),
  },
};

describe("an abort", { concurrency: 2 }, () => {
  for (const [when, { answer, reached }] of Object.entries(MOMENTS)) {
    test(`${when}: the requests and the process end at once`, async (t) => {
      const server = await misbehave(t, MODEL, answer);
      const what = when.includes("values") ? "values" : "header";
      assert.equal(await runChild(server, { what, reached }), "AbortError at once");
      await allClosed(server);
    });
  }

  test("that is too late or never comes: the process ends", async (t) => {
    const server = await misbehave(t, MODEL);
    assert.equal(await runChild(server, { what: "header", late: true }), "done");
    assert.equal(await runChild(server, { what: "values" }), "done");
    const broken = await misbehave(t, MODEL, partial({ cut: 10 }));
    assert.match(await runChild(broken, { what: "header" }), /^GgufError/);
  });
});

test("an abort at fifty random moments", async (t) => {
  const random = generator(20_261_120);
  let atOnce = 0;
  let done = 0;
  const server = await misbehave(t, MODEL, partial({ drip: { bytes: 32_768, every: 3 } }));
  const gguf = await Gguf.open(MODEL);
  const remote = await Gguf.open(server.url);
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      await sleep(index * 10);
      const reason = new Error(`enough of ${index}`);
      const controller = new AbortController();
      const { signal } = controller;
      const work = random() < 0.7 ? Gguf.open(server.url, { signal }) : remote.readBytes("output.weight", { signal });
      let counted = () => Infinity;
      setTimeout(() => {
        counted = turns();
        controller.abort(reason);
      }, random() * 120);
      await work.then(
        () => (done += 1),
        (error) => {
          assert.equal(error, reason);
          assert.ok(counted() < 10, `${counted()} turns of the event loop`);
          atOnce += 1;
        },
      );
    }),
  );
  assert.equal(atOnce + done, 50);
  assert.ok(atOnce >= 25, `${atOnce} of 50 were under way`);
  await allClosed(server);
  assert.equal(gguf.dataOffset, remote.dataOffset);
  assert.ok(Buffer.from(await remote.readBytes("output.weight")).equals(MODEL.subarray(dataOffset)));
});

process.on("unhandledRejection", (reason) => {
  throw reason;
});

/** @param {Server} server */
async function allClosed({ requests }) {
  for (let tries = 0; requests.some(({ state }) => state === "open"); tries += 1) {
    assert.ok(tries < 6000, "requests are still open");
    await sleep(5);
  }
}
