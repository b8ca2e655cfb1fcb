// Headers and passwords of a caller do not appear in errors.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Gguf, GgufSet, listRepository } from "gguf-wasm/full";

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

test("messages quote a URL without its query and fragment", async () => {
  const url = "http://127.0.0.1:1/model.gguf?apikey=hf_secret#token=hf_secret";
  const fetch = () => Promise.resolve(new Response("", { status: 403 }));
  const refused = await Gguf.open(url, { fetch, retries: 0 }).catch((error) => error);
  assert.equal(refused.code, "http");
  assert.match(refused.message, /\(http:\/\/127\.0\.0\.1:1\/model\.gguf\?…\)\. The file is not public/);
  // Programs can ask for all of it.
  assert.match(refused.url, /apikey=hf_secret/);
  const failing = () => Promise.reject(new TypeError(`cannot fetch ${url}`));
  const failed = await Gguf.open(url, { fetch: failing, retries: 0 }).catch((error) => error);
  assert.ok(!failed.message.includes("hf_secret"), failed.message);
});

test("no error of a caller's fetch contains the password of the URL", async () => {
  const urls = [
    "https://user:hf_secret@host/x",
    "https:/\t/user:hf_secret@host/x",
    "https:\\user:hf_secret@host/x",
    " https:user:hf_secret@host/x",
    "//user:hf_secret@host/x",
  ];
  for (const url of urls) {
    const fetch = (/** @type {string} */ given) => {
      assert.equal(given, url);
      throw new TypeError(`cannot fetch ${given}, or https://user:hf%5Fsecret@host/x`);
    };
    const error = await Gguf.open(url, { fetch, retries: 0 }).catch((error) => error);
    const shown = inspect(error, { depth: 9 }) + error.message + error.url;
    assert.equal(error.code, "network");
    assert.ok(/host\/x/.test(error.message) && /host\/x/.test(error.url), shown);
    assert.ok(!/user|secret/.test(shown.replaceAll("secrets.test", "")), shown);
    if (url.startsWith("//")) continue;
    const refused = await Gguf.open(url).catch((error) => error);
    assert.ok(refused.code === "invalid-source" && !/hf_secret/.test(inspect(refused)), inspect(refused));
  }
});

test("an address with an @ in its path is shown as it is", async () => {
  for (const url of ["https://host/models@v1/x", "models@v1/x", "hf:model@v1", "/models@v1/x"]) {
    const fetch = () => {
      throw new TypeError("no");
    };
    const error = await Gguf.open(url, { fetch, retries: 0 }).catch((error) => error);
    assert.deepEqual([error.url, error.message.includes(`(${url})`)], [url, true]);
  }
});

test("a long address is shortened in messages", async () => {
  const long = "a".repeat(100_000);
  const fetch = (/** @type {string} */ url) => {
    throw new TypeError(`cannot fetch ${url}`);
  };
  const sent = await Gguf.open(`https://host/${long}`, { fetch, retries: 0 }).catch((error) => error);
  assert.equal(sent.code, "network");
  assert.ok(sent.message.length < 2000 && sent.message.includes("https://host/aaa"), sent.message.slice(0, 2000));
  const refused = await Gguf.open(`https://:${long}`).catch((error) => error);
  assert.equal(refused.code, "invalid-source");
  assert.ok(refused.message.length < 2000, refused.message.slice(0, 2000));
});
