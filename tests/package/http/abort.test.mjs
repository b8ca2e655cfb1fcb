// Aborts at any moment: the operation and its requests end at once, and nothing keeps the process alive.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Gguf } from "gguf-wasm";
import { generator } from "../../support/chance.mjs";
import { ggufBytes, text } from "../../support/gguf-bytes.mjs";
import { misbehave, partial, silence, status } from "../../support/misbehaving-server.mjs";

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

// This script runs in its own process, so that a leftover timer or connection would be noticed. It opens a file, aborts
// after a time, and prints the result. A leftover timeout of a minute would keep the process alive.
const CHILD = `
  import { Gguf } from "gguf-wasm";
  const [url, after, values] = process.argv.slice(1);
  process.on("unhandledRejection", (reason) => { console.log("unhandled", reason); process.exitCode = 1; });
  const controller = new AbortController();
  const { signal } = controller;
  const end = () => after !== "never" && setTimeout(() => { aborted = performance.now(); controller.abort(); }, Number(after));
  let aborted;
  const work = values
    ? Gguf.open(url).then((gguf) => (end(), gguf.readBytes("output.weight", { signal })))
    : (end(), Gguf.open(url, { signal, timeout: 60_000 }));
  await work.then(() => console.log("done"), (error) => {
    console.log(error.name, performance.now() - aborted < 100 ? "at once" : "late");
  });
`;

/** @param {string[]} args @returns {Promise<string>} the output, after the process has ended without being killed */
function runChild(...args) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", CHILD, "--", ...args], {
    cwd: fileURLToPath(new URL("../../../", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (data) => (printed += data));
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill();
      reject(new Error(`still there after 10 s, having printed: ${printed}`));
    }, 10_000);
    child.on("close", (code) => {
      clearTimeout(late);
      resolve(code === 0 ? printed.trim() : `${printed} exit code ${code}`);
    });
  });
}

/** The state of the server at the time of the abort. @type {Record<string, { answer: Answer, values?: boolean }>} */
const MOMENTS = {
  "before the answer": { answer: silence },
  "in the header": { answer: partial({ hang: 100_000 }) },
  "while two parts are under way": { answer: (asked) => partial(asked.start ? { hang: 0 } : { hang: 300_000 })(asked) },
  "between two tries": { answer: status(503, { "Retry-After": 30 }) },
  "before the values": { answer: (asked) => (asked.start >= dataOffset ? silence : partial())(asked), values: true },
  "among the values": {
    answer: (asked) => partial(asked.start >= dataOffset ? { hang: 10_000 } : {})(asked),
    values: true,
  },
  "between two tries for values": {
    answer: (asked) => (asked.start >= dataOffset ? status(429, { "Retry-After": 30 }) : partial())(asked),
    values: true,
  },
};

describe("an abort", { concurrency: 2 }, () => {
  for (const [when, { answer, values }] of Object.entries(MOMENTS)) {
    test(`${when}: the requests and the process end at once`, async (t) => {
      const server = await misbehave(t, MODEL, answer);
      assert.equal(await runChild(server.url, "150", ...(values ? ["values"] : [])), "AbortError at once");
      await allClosed(server);
    });
  }

  test("that is too late or never comes: the process ends", async (t) => {
    const server = await misbehave(t, MODEL);
    assert.equal(await runChild(server.url, "900"), "done");
    assert.equal(await runChild(server.url, "never", "values"), "done");
    const broken = await misbehave(t, MODEL, partial({ cut: 10 }));
    assert.match(await runChild(broken.url, "never"), /^GgufError/);
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
      let aborted = Infinity;
      setTimeout(() => {
        aborted = performance.now();
        controller.abort(reason);
      }, random() * 120);
      await work.then(
        () => (done += 1),
        (error) => {
          assert.equal(error, reason);
          assert.ok(performance.now() - aborted < 100, `${performance.now() - aborted} ms`);
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
    assert.ok(tries < 400, "requests are still open");
    await sleep(5);
  }
}
