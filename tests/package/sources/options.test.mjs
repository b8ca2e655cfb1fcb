// Options of `Gguf.open`: onProgress, header, limits.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { serveFile } from "../../support/file-server.mjs";
import { checkHeader, checkValues, headerSize, MODEL, opened } from "../../support/source-model.mjs";

/** @typedef {import("gguf-wasm/full").OpenProgress} OpenProgress */

describe("progress", () => {
  test("grows up to the whole header", async (t) => {
    const server = await serveFile(t, MODEL);
    /** @type {OpenProgress[]} */
    const seen = [];
    await Gguf.open(server.url, { onProgress: (progress) => seen.push(progress) });
    assert.ok(seen.length > 2);
    for (const [index, progress] of seen.slice(1).entries()) {
      const before = /** @type {OpenProgress} */ (seen[index]);
      assert.ok(progress.bytesRead >= before.bytesRead && progress.metadataRead >= before.metadataRead);
    }
    assert.deepEqual(seen.at(-1), {
      bytesRead: headerSize,
      fileSize: MODEL.length,
      requests: seen.at(-1)?.requests,
      metadataRead: 3,
      metadataCount: 3,
      tensorsRead: 3,
      tensorCount: 3,
      headerEstimate: headerSize,
    });
    assert.ok(seen.every((progress) => progress.headerEstimate >= progress.bytesRead));
    assert.ok((seen.at(-1)?.requests ?? 0) >= server.requests.length);
  });

  test("an error in onProgress ends the opening with that error", async () => {
    const mine = new Error("mine");
    const onProgress = () => {
      throw mine;
    };
    await assert.rejects(Gguf.open(MODEL, { onProgress }), (error) => error === mine);
  });
});

describe("options.header", () => {
  test("opens without reading the source, and reads values", async () => {
    const header = opened.headerBytes();
    let reads = 0;
    const read = async (/** @type {number} */ start, /** @type {number} */ end) => (reads++, MODEL.slice(start, end));
    const gguf = checkHeader(await Gguf.open({ read, size: MODEL.length }, { header }));
    assert.equal(reads, 0);
    await checkValues(gguf);
    await fails(Gguf.open({ read }, { header: header.slice(0, -1) }), { code: "unexpected-eof" });
    await fails(Gguf.open({ read }, { header: /** @type {any} */ ("x") }), { code: "invalid-argument" });
  });
});

describe("options.limits", () => {
  test("are enforced", async () => {
    for (const [limit, value] of Object.entries({
      headerBytes: 1000,
      stringBytes: 4,
      arrayLength: 99_999,
      arrayDepth: 0,
      metadataCount: 2,
      tensorCount: 2,
      dimensionCount: 1,
    })) {
      await fails(Gguf.open(MODEL, { limits: { [limit]: value } }), { code: "limit-exceeded" });
    }
    checkHeader(await Gguf.open(MODEL, { limits: { arrayLength: 100_000, tensorCount: undefined } }));
  });

  test("that are invalid", async () => {
    for (const limits of [{ headerBites: 5 }, { headerBytes: "5" }, { headerBytes: -1 }, { headerBytes: NaN }]) {
      await fails(Gguf.open(MODEL, { limits: /** @type {any} */ (limits) }), { code: "invalid-argument" });
    }
  });
});
