// Valid and invalid URLs, headers and options.fetch.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { ggufBytes } from "../../support/gguf-bytes.mjs";
import { checkHeader, openSmall, SMALL } from "../../support/http-models.mjs";
import { misbehave, status } from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

describe("options", { concurrency: true }, () => {
  test("invalid URLs", async () => {
    for (const url of ["no address", "", "http://", "//host/file", "http://user:password@127.0.0.1/file"]) {
      await fails(Gguf.open(url), { code: "invalid-source" });
    }
  });

  test("invalid headers", async (t) => {
    const { url, requests } = await misbehave(t, SMALL.bytes);
    for (const headers of [{ "no name": "1" }, { name: "a\nb" }, [["one"]], 5]) {
      await fails(Gguf.open(url, { headers: /** @type {any} */ (headers) }), {
        code: "invalid-argument",
        message: /headers/,
      });
    }
    assert.equal(requests.length, 0);
  });

  test("a fetch that fails in any way", async () => {
    const url = "http://127.0.0.1:1/model.gguf";
    /** @type {[unknown, RegExp][]} */
    const all = [
      [
        () => {
          throw new Error("not today");
        },
        /not today/,
      ],
      [
        () => {
          throw "a word";
        },
        /a word/,
      ],
      [() => Promise.reject(new Error("tomorrow")), /tomorrow/],
      [() => Promise.reject(), /no reason/],
      [() => undefined, /no response/],
      [async () => undefined, /no response/],
      [async () => null, /no response/],
      [async () => 5, /no response/],
    ];
    for (const [fetch, message] of all) {
      let tries = 0;
      const counted = () => (tries++, /** @type {() => any} */ (fetch)());
      await fails(Gguf.open(url, { fetch: counted, retries: 1 }), { code: "network", message, url });
      assert.equal(tries, 2);
    }
  });

  test("a fetch that returns something other than a response", async () => {
    const body = (/** @type {unknown} */ value) => ({ status: 200, headers: new Headers(), body: value });
    const broken = () => {
      throw new Error("broken");
    };
    const words = new ReadableStream({ start: (controller) => controller.enqueue("words") });
    const locked = new Blob([SMALL.bytes]).stream();
    locked.getReader();
    const all = [
      {},
      () => 5,
      { status: "206" },
      { status: 206, headers: 5 },
      { status: 206, headers: { get: broken }, body: 5 },
      {
        get status() {
          return broken();
        },
      },
      body(null),
      body(5),
      body({}),
      body({ getReader: broken }),
      body({ getReader: () => undefined }),
      body({ getReader: () => ({ read: broken }) }),
      body({ getReader: () => ({ read: async () => 5 }) }),
      body({ getReader: () => ({ read: () => Promise.reject() }) }),
      body(words),
      body(locked),
      { ...body(locked), redirected: true },
      { status: 302, headers: new Headers({ Location: "/" }) },
    ];
    for (const [index, response] of all.entries()) {
      const error = await Gguf.open("http://a.b/", {
        fetch: /** @type {any} */ (async () => response),
        retries: 0,
      }).catch((error) => error);
      assert.equal(error.name, "GgufError", `${index}: ${error}`);
    }
  });

  test("a fetch whose headers are not strings", async () => {
    for (const value of [1234, 5n, true, {}, [1], Symbol("s"), null, () => 1, new Uint8Array(2)]) {
      const headers = { get: () => value };
      const fetch = /** @type {any} */ (async () => ({ status: 206, headers, body: new Blob([SMALL.bytes]).stream() }));
      await Gguf.open("http://a.b/", { fetch, retries: 0 }).catch((error) => assert.equal(error.name, "GgufError"));
      checkHeader(await Gguf.open(SMALL.bytes));
    }
  });

  test("redirects to other schemes than http and https are refused, also with headers", async (t) => {
    const data = `data:application/octet-stream;base64,${Buffer.from(ggufBytes([])).toString("base64")}`;
    for (const location of [data, "file:///etc/hosts", "javascript:0", "blob:http://a.b/c"]) {
      const server = await misbehave(t, SMALL.bytes, status(302, { Location: location }));
      await fails(Gguf.open(server.url, { headers: { "X-Key": "1" } }), { code: "http", status: 302 });
      assert.equal(server.requests.length, 1);
    }
  });

  test("a custom fetch may accept other URLs", async () => {
    const seen = new Set();
    /** @type {OpenOptions["fetch"]} */
    const fetch = async (url) => (seen.add(url), new Response(SMALL.bytes));
    await openSmall("the small model", { fetch, headers: { "X-Key": "1" } });
    assert.deepEqual([...seen], ["the small model"]);
  });
});
