// Responses of `fetch` as sources.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { range, serveFile, whole } from "../../support/file-server.mjs";
import { MODEL, checkHeader, checkValues, headerSize } from "../../support/source-model.mjs";

/** @param {Gguf} gguf */
function checkEntries(gguf) {
  assert.equal(gguf.metadata.get("last"), 7);
  assert.equal(gguf.headerSize, headerSize);
  return gguf;
}

/** @param {string} bytes */
const ranged = (bytes) => ({ headers: { Range: `bytes=${bytes}` } });

/** Answers with the whole file if no range is requested. @type {import("../../support/file-server.mjs").Answer} */
const wholeOrRange = (request, ...rest) => (request.headers.range ? range : whole)(request, ...rest);

describe("a response with a URL", () => {
  test("of the whole file: its body is read up to the end of the header, and then ranges are requested", async (t) => {
    const { url, requests } = await serveFile(t, MODEL, wholeOrRange);
    const gguf = checkEntries(await Gguf.open(await fetch(url)));
    assert.equal(requests.length, 1);
    await checkValues(gguf);
    assert.deepEqual(
      requests.map(({ range }) => range !== undefined),
      [false, true],
    );
    assert.equal(gguf.fileSize, MODEL.length);
  });

  test("of the first bytes: the rest of the header is requested", async (t) => {
    const { url, requests } = await serveFile(t, MODEL);
    await checkValues(checkHeader(await Gguf.open(await fetch(url, ranged("0-99999")))));
    assert.ok(requests.slice(1).every(({ range }) => Number(/^bytes=(\d+)-/.exec(range ?? "")?.[1]) >= 100_000));
  });

  test("of the whole header: nothing is requested before data is read", async (t) => {
    const { url, requests } = await serveFile(t, MODEL);
    // Bytes after the header, too: while it arrives, its estimated size can be a little larger than it is, and more is requested.
    const gguf = checkHeader(await Gguf.open(await fetch(url, ranged(`0-${MODEL.length - 2}`))));
    assert.equal(requests.length, 1);
    await checkValues(gguf);
  });

  test("whose body was read: the URL is requested again", async (t) => {
    const { url, requests } = await serveFile(t, MODEL);
    const response = await fetch(url, ranged("0-9"));
    await response.arrayBuffer();
    await checkValues(checkHeader(await Gguf.open(response)));
    assert.ok(requests.length > 2);
  });

  test("with a part that is not the beginning", async (t) => {
    const { url } = await serveFile(t, MODEL);
    const response = await fetch(url, ranged("10-19"));
    await fails(Gguf.open(response), { code: "invalid-source", message: /first bytes/ });
    await response.body?.cancel();
  });

  test("with the status 404", async (t) => {
    const { url } = await serveFile(t, MODEL, (_, response) => void response.writeHead(404).end("missing"));
    await fails(Gguf.open(await fetch(url)), { code: "http", status: 404 });
  });

  test("that breaks off is resumed", async (t) => {
    const { url, requests } = await serveFile(t, MODEL, (request, response, file, number) => {
      const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      if (number > 1) {
        const end = Math.min(Number(/-(\d+)$/.exec(request.headers.range ?? "")?.[1]) + 1, file.length);
        const range = { "Content-Range": `bytes ${start}-${end - 1}/${file.length}`, "Content-Length": end - start };
        return void response.writeHead(206, range).end(file.subarray(start, end));
      }
      response.writeHead(200, { "Content-Length": file.length });
      response.write(file.subarray(0, 500_000), () => response.destroy());
    });
    await checkValues(checkEntries(await Gguf.open(await fetch(url))));
    assert.ok(requests.length >= 2);
  });
});

describe("a response without a URL", () => {
  test("is read once", async () => {
    const gguf = checkEntries(await Gguf.open(new Response(MODEL)));
    await fails(gguf.readBytes("blocks.weight"), { code: "no-ranges" });
  });

  test("whose body was read", async () => {
    const response = new Response(MODEL);
    await response.arrayBuffer();
    await fails(Gguf.open(response), { code: "invalid-source", message: /body has been read/ });
  });

  test("without a body", async () => {
    await fails(Gguf.open(new Response(null)), { code: "invalid-source", message: /it has no body$/ });
    await fails(Gguf.open(new Response(null, { status: 404 })), { code: "http", status: 404 });
  });

  test("with the status 404, and without a status", async () => {
    await fails(Gguf.open(new Response(MODEL, { status: 404 })), {
      code: "http",
      status: 404,
      message: /status is 404/,
    });
    await fails(Gguf.open(Response.error()), { code: "invalid-source", message: /status 0/ });
  });
});
