// The class of errors: one for all entries of the package, with the cause and the stack of the caller.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as main from "gguf-wasm/full";
import * as init from "gguf-wasm/full/init";
import * as inline from "gguf-wasm/inline";
import * as node from "gguf-wasm/full/node";
import * as reader from "gguf-wasm/reader";
import * as readerInline from "gguf-wasm/reader/inline";
import { ggufBytes, uint32 } from "../../support/gguf-bytes.mjs";

const { Gguf, GgufError } = main;
const FILE = ggufBytes([["n", uint32(1)]]);

/** @param {Promise<unknown>} promise @returns {Promise<any>} */
const errorOf = (promise) =>
  promise.then(
    () => assert.fail("nothing is thrown"),
    (error) => error,
  );

describe("GgufError", () => {
  for (const [entry, api] of Object.entries({ main, init, inline, node, reader, readerInline })) {
    test(`${entry}: is the same class`, () => assert.equal(api.GgufError, GgufError));
  }

  for (const [entry, { Gguf }] of Object.entries(/** @type {Record<string, any>} */ ({ main, node, reader, inline }))) {
    test(`${entry}: errors of the module are instances`, async () => {
      for (const error of [
        await errorOf(Gguf.open(new Uint8Array(8))),
        await errorOf((await Gguf.open(FILE)).readBytes("missing")),
        await errorOf(node.fileSource(new URL(import.meta.url).pathname).then((source) => Gguf.open(source))),
      ]) {
        assert.ok(error instanceof GgufError && error instanceof Error);
        assert.equal(error.name, "GgufError");
        assert.equal(String(error), `GgufError: ${error.message}`);
        assert.equal(Object.keys(error).includes("name"), false);
      }
      const gguf = await Gguf.open(FILE);
      gguf.free();
      assert.throws(() => gguf.version, GgufError);
    });
  }

  test("an error that is thrown later has the stack of the caller", async () => {
    const gguf = await Gguf.open(FILE);
    async function callerOfReadBytes() {
      await Promise.resolve();
      return gguf.readBytes("missing");
    }
    const { stack, message } = await errorOf(callerOfReadBytes());
    assert.match(stack, /callerOfReadBytes/);
    assert.ok(stack.startsWith(`GgufError: ${message}\n`));
    assert.equal(stack.split("callerOfReadBytes").length, 2, "the stack is added once");
  });

  test("an error of the network has the error of fetch as its cause", async () => {
    const refusal = new TypeError("refused");
    const fetch = () => Promise.reject(refusal);
    const error = await errorOf(Gguf.open("http://localhost/m.gguf", { fetch, retries: 0 }));
    assert.equal(error.code, "network");
    assert.equal(error.cause, refusal);
    const listing = await errorOf(main.listRepository("owner/name", { hub: "http://localhost/", fetch, retries: 0 }));
    assert.equal(listing.cause, refusal);
  });

  test("a cause that quotes the value of a header is left out", async () => {
    const fetch = () => Promise.reject(new TypeError("no", { cause: new Error("bad value: hunter2 secret") }));
    const headers = { Authorization: "hunter2 secret" };
    const error = await errorOf(Gguf.open("http://localhost/m.gguf", { fetch, headers, retries: 0 }));
    assert.equal(error.code, "network");
    assert.equal(error.cause, undefined);
    assert.doesNotMatch(error.message, /hunter2/);
  });
});
