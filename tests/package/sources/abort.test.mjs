// Openings that are aborted by a signal.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { abortSoon, until } from "../../support/expect.mjs";
import { serveFile } from "../../support/file-server.mjs";
import { checkHeader, dataOffset, MODEL } from "../../support/source-model.mjs";

/** @typedef {import("gguf-wasm/full").OpenProgress} OpenProgress */

describe("aborting", () => {
  test("before opening: rejects with the reason of the signal", async () => {
    await assert.rejects(Gguf.open(MODEL, { signal: AbortSignal.abort() }), { name: "AbortError" });
    const reason = new Error("enough");
    await assert.rejects(Gguf.open(MODEL, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
  });

  test("while waiting for a response and while it arrives: at once, and the server is disconnected", async (t) => {
    for (const begin of [false, true]) {
      const server = await serveFile(t, MODEL, (_, response, file) => {
        if (begin) response.writeHead(206, { "Content-Range": "bytes 0-999/1000" }).write(file.subarray(0, 500));
      });
      const controller = new AbortController();
      const opening = Gguf.open(server.url, { signal: controller.signal });
      await until(() => server.requests.length > 0);
      setTimeout(() => controller.abort(), 20);
      await assert.rejects(opening, { name: "AbortError" });
      await until(() => server.requests[0]?.closed);
    }
  });

  test("while a custom source or a stream sends nothing", async () => {
    const never = () => new Promise(() => {});
    await assert.rejects(Gguf.open(/** @type {any} */ ({ read: never }), { signal: abortSoon() }), {
      name: "AbortError",
    });
    const silent = new ReadableStream({ pull: () => /** @type {Promise<void>} */ (never()) });
    await assert.rejects(Gguf.open(silent, { signal: abortSoon() }), { name: "AbortError" });
    assert.equal(silent.locked, false);
  });

  test("while values are read", async () => {
    const controller = new AbortController();
    const source = {
      read: (/** @type {number} */ start, /** @type {number} */ end) =>
        start < dataOffset ? Promise.resolve(MODEL.slice(start, Math.min(end, dataOffset))) : new Promise(() => {}),
    };
    const gguf = await Gguf.open(/** @type {any} */ (source));
    const reading = gguf.readBytes("output.weight", { signal: controller.signal });
    controller.abort();
    await assert.rejects(reading, { name: "AbortError" });
  });

  test("after the end: no effect", async () => {
    const controller = new AbortController();
    const gguf = await Gguf.open(MODEL, { signal: controller.signal });
    controller.abort();
    checkHeader(gguf);
  });
});
