// Headers and passwords of a caller do not appear in errors.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Gguf, GgufSet, listRepository } from "gguf-wasm";

test("no error contains the value of a header or a password", async () => {
  const url = "http://127.0.0.1:1/model.gguf";
  const shown = (/** @type {any} */ error) => [error.message, error.stack, inspect(error, { depth: 9 })].join();
  const secret = "hf_secret";
  const wrong = [
    { Authorization: `Bearer ${secret}\nX: y` },
    { Authorization: `Bearer ${secret}\u{1F600}` },
    { [`Authorization ${secret}`]: "x" },
    [["Authorization", `Bearer ${secret}`, "x"]],
    `Authorization: Bearer ${secret}`,
  ];
  for (const headers of wrong) {
    for (const open of [Gguf.open, GgufSet.open]) {
      const error = await open(url, { headers: /** @type {any} */ (headers) }).catch((error) => error);
      assert.deepEqual([error.code, shown(error).includes(secret)], ["invalid-argument", false], shown(error));
    }
    const listing = listRepository("owner/name", { headers: /** @type {any} */ (headers) });
    const error = await listing.catch((error) => error);
    assert.deepEqual([error.code, shown(error).includes(secret)], ["invalid-argument", false], shown(error));
  }
  // A fetch whose error quotes its headers.
  for (const value of [secret, `Bearer ${secret}`]) {
    const fetch = (/** @type {unknown} */ _, /** @type {any} */ init) => {
      throw new TypeError(`invalid value: ${init.headers.get("Authorization")}, at ${secret}`);
    };
    const options = { headers: { Authorization: value, "X-Short": "v" }, retries: 0, fetch };
    const error = await Gguf.open(url, options).catch((error) => error);
    assert.equal(error.code, "network");
    assert.match(error.message, /the error quotes options\.headers/);
    assert.ok(!shown(error).includes(secret), shown(error));
  }
  const hub = `http://user:${secret}@127.0.0.1/`;
  const refusal = await listRepository("owner/name", { hub }).catch((error) => error);
  assert.deepEqual([refusal.code, shown(refusal).includes(secret)], ["invalid-argument", false], shown(refusal));
  const error = await Gguf.open(`http://user:${secret}@127.0.0.1/file`).catch((error) => error);
  assert.equal(error.code, "invalid-source");
  assert.ok(!shown(error).includes(secret), shown(error));
});
