// URLs: the requests of an ordinary opening, and the most common errors.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { fails, until } from "../../support/expect.mjs";
import { asked, range, serveFile, status, whole } from "../../support/file-server.mjs";
import { ggufBytes, uint32 } from "../../support/gguf-bytes.mjs";
import { blocksAt, checkHeader, checkValues, headerSize, MODEL } from "../../support/source-model.mjs";

/** @typedef {import("gguf-wasm/full").OpenProgress} OpenProgress */

describe("URLs", () => {
  test("are read in bounded ranges, up to the end of the header", async (t) => {
    const server = await serveFile(t, MODEL);
    for (const source of [server.url, new URL(server.url)]) {
      server.requests.length = 0;
      const gguf = checkHeader(await Gguf.open(source));
      const ranges = server.requests.map((request) => request.range?.slice("bytes=".length).split("-").map(Number));
      assert.equal(ranges[0]?.[0], 0);
      for (const [index, found] of ranges.slice(1).entries()) {
        assert.equal(found?.[0], (ranges[index]?.[1] ?? 0) + 1, "the ranges follow one another");
      }
      assert.ok(server.requests.length <= 8, `${server.requests.length} requests`);
      await checkValues(gguf);
      assert.equal(server.requests.at(-1)?.range, `bytes=${blocksAt(34)}-${blocksAt(3 * 34) - 1}`);
    }
  });

  test("decoding during the download: the header is complete before its response has ended", async (t) => {
    const small = ggufBytes([["a", uint32(1)]]);
    const server = await serveFile(t, small, (_, response, file) => {
      response.writeHead(206, { "Content-Range": "bytes 0-393215/400000", "Content-Length": 393_216 });
      response.write(file);
    });
    assert.equal((await Gguf.open(server.url)).fileSize, 400_000);
  });

  test("of servers without ranges: the header is read, the data is not", async (t) => {
    const large = new Uint8Array(64 << 20);
    large.set(MODEL);
    const server = await serveFile(t, large, whole);
    const gguf = checkHeader(await Gguf.open(server.url), large.length);
    await until(() => server.requests[0]?.closed);
    assert.equal(server.requests.length, 1);
    const sent = server.requests[0]?.sent ?? 0;
    assert.ok(sent < 16 << 20, `${sent} bytes were sent`);
    await fails(gguf.readBytes("output.weight"), { code: "no-ranges", url: server.url });
    assert.equal(server.requests.length, 1);
  });

  test("a later response that ignores the range is not downloaded", async (t) => {
    const server = await serveFile(t, MODEL, (request, response, file, number) =>
      number === 1 ? range(request, response, file, number) : whole(request, response, file, number),
    );
    await fails(Gguf.open(server.url), { code: "no-ranges", status: 200 });
  });

  for (const code of [400, 401, 403, 404, 410, 500]) {
    test(`status ${code} is reported`, async (t) => {
      const server = await serveFile(t, MODEL, status(code));
      await fails(Gguf.open(server.url), { code: "http", status: code, url: server.url });
    });
  }

  test("an error page with status 200 is not a GGUF file", async (t) => {
    const server = await serveFile(t, MODEL, status(200));
    await fails(Gguf.open(server.url), { code: "bad-magic", offset: 0 });
  });

  test("a server that does not exist, and an invalid URL", async (t) => {
    const server = await serveFile(t, MODEL);
    await server.close();
    await fails(Gguf.open(server.url, { retries: 0 }), { code: "network", url: server.url });
    await fails(Gguf.open("no address"), { code: "invalid-source" });
  });

  test("truncated files end at their last byte", async (t) => {
    for (const length of [0, 3, 24, 5000, 393_216, 500_000, headerSize - 1]) {
      for (const answer of [range, whole]) {
        const server = await serveFile(t, MODEL.subarray(0, length), answer);
        const error = await Gguf.open(server.url).catch((error) => error);
        assert.equal(error.code, "unexpected-eof", `${length} bytes: ${error.message}`);
        assert.ok(error.offset <= length);
      }
    }
  });

  test("a response with another range than requested", async (t) => {
    for (const header of ["bytes 5-99/1000", "bytes */1000", "nonsense"]) {
      const server = await serveFile(t, MODEL, (_, response, file) => {
        response.writeHead(206, { "Content-Range": header }).end(file.subarray(0, 1000));
      });
      await fails(Gguf.open(server.url), { code: "bad-range", status: 206 });
    }
  });

  test("a lost connection is resumed where it stopped", async (t) => {
    const server = await serveFile(t, MODEL, (request, response, file, number) => {
      if (number % 2 === 0) return range(request, response, file, number);
      const { start, end } = asked(request, file);
      const headers = { "Content-Range": `bytes ${start}-${end - 1}/${file.length}`, "Content-Length": end - start };
      response.writeHead(206, headers).write(file.subarray(start, start + 1000), () => response.destroy());
    });
    checkHeader(await Gguf.open(server.url));
    const broken = await serveFile(t, MODEL, (_, response) => void response.destroy());
    await fails(Gguf.open(broken.url), { code: "network" });
  });

  test("options.headers and options.fetch", async (t) => {
    const server = await serveFile(t, MODEL);
    await Gguf.open(server.url, { headers: { Authorization: "Bearer secret" } });
    assert.ok(server.requests.every((request) => request.headers.authorization === "Bearer secret"));
    let fetched = 0;
    const fetchIt = (/** @type {string} */ url, /** @type {RequestInit} */ init) => (fetched++, fetch(url, init));
    checkHeader(await Gguf.open(server.url, { fetch: fetchIt }));
    assert.ok(fetched > 0);
    const refuse = () => Promise.reject(new Error("not today"));
    await fails(Gguf.open(server.url, { fetch: refuse }), { code: "network", message: /not today/ });
  });
});
