// Redirects: which requests follow them, and which headers they carry.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gguf } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { checkHeader, LARGE, openSmall, readValues, SMALL } from "../../support/http-models.mjs";
import { misbehave, partial, redirect, status } from "../../support/misbehaving-server.mjs";

/** @typedef {import("../../support/misbehaving-server.mjs").Answer} Answer */
/** @typedef {import("gguf-wasm/full").OpenOptions} OpenOptions */

describe("redirects", { concurrency: true }, () => {
  /** @type {(to: string, then?: Answer) => Answer} */
  const entrance =
    (to, then = partial()) =>
    (asked) =>
      (asked.path === "/model.gguf" ? redirect(to) : then)(asked);

  for (const headers of [undefined, { "X-Mine": "1" }]) {
    const how = headers ? "followed here" : "followed by fetch";
    for (const code of [301, 302, 303, 307, 308]) {
      test(`${code}, ${how}: followed once, then the target is requested directly`, async (t) => {
        const server = await misbehave(t, LARGE.bytes, (asked) =>
          (asked.path === "/model.gguf" ? redirect("/there/file?sign=1", code) : partial())(asked),
        );
        const gguf = checkHeader(await Gguf.open(server.url, { headers }), LARGE);
        await gguf.readBytes("output.weight", { end: 5 });
        const paths = server.requests.map(({ path }) => path);
        assert.deepEqual(paths, ["/model.gguf", ...Array(paths.length - 1).fill("/there/file?sign=1")]);
        assert.ok(server.requests.every(({ headers: sent }) => sent["x-mine"] === headers?.["X-Mine"]));
      });
    }

    test(`an expired target, ${how}: once more from the original URL`, async (t) => {
      for (const code of [401, 403, 404, 410]) {
        let sign = 0;
        let valid = true;
        const server = await misbehave(t, SMALL.bytes, (asked) => {
          if (asked.path === "/model.gguf") return redirect(`/file?${++sign}`)(asked);
          return (valid && asked.path === `/file?${sign}` ? partial() : status(code))(asked);
        });
        const gguf = await openSmall(server.url, { headers, retries: 0 });
        await readValues(gguf);
        sign += 1;
        await readValues(gguf);
        await readValues(gguf);
        assert.deepEqual(
          server.requests.map(({ path }) => path),
          ["/model.gguf", "/file?1", "/file?1", "/file?1", "/model.gguf", "/file?3", "/file?3"],
        );
        valid = false;
        await fails(readValues(gguf), { code: "http", status: code });
        assert.deepEqual(
          server.requests.slice(7).map(({ path }) => path),
          ["/file?3", "/model.gguf", "/file?4"],
        );
      }
    });

    test(`a loop, ${how}: an error`, async (t) => {
      const server = await misbehave(t, SMALL.bytes, redirect("/model.gguf"));
      await fails(
        Gguf.open(server.url, { headers, retries: 0 }),
        headers ? { code: "http", status: 302 } : { code: "network" },
      );
      assert.ok(server.requests.length <= 21);
      if (headers) assert.equal(server.requests.length, 6);
    });

    test(`to an invalid URL, ${how}: an error`, async (t) => {
      const nowhere = await misbehave(t, SMALL.bytes, status(302));
      await fails(Gguf.open(nowhere.url, { headers }), { code: "http", status: 302 });
      assert.equal(nowhere.requests.length, 1);
      const strange = await misbehave(t, SMALL.bytes, redirect("http://"));
      await fails(Gguf.open(strange.url, { headers, retries: 0 }), { url: strange.url });
      assert.equal(strange.requests.length, 1);
    });
  }

  test("options.headers are sent to no other origin, and are sent again to their own", async (t) => {
    const headers = { Authorization: "Bearer secret", "X-Key": "secret" };
    const other = await misbehave(t, LARGE.bytes);
    const server = await misbehave(t, LARGE.bytes, entrance(`${other.origin}/file`));
    for (const given of [headers, new Headers(headers), Object.entries(headers)]) {
      const gguf = checkHeader(await Gguf.open(server.url, { headers: /** @type {HeadersInit} */ (given) }), LARGE);
      await gguf.readBytes("output.weight", { end: 5 });
    }
    assert.equal(server.requests.length, 3);
    assert.ok(server.requests.every((request) => request.headers.authorization === headers.Authorization));
    assert.ok(other.requests.length > 3);
    for (const request of other.requests) {
      assert.equal(request.headers.authorization, undefined);
      assert.equal(request.headers["x-key"], undefined);
    }
    const back = await misbehave(t, SMALL.bytes, (asked) => redirect(`${home.origin}/file`)(asked));
    const home = await misbehave(t, SMALL.bytes, entrance(`${back.origin}/file`));
    await readValues(await openSmall(home.url, { headers }));
    assert.deepEqual(
      home.requests.map((request) => request.headers["x-key"]),
      ["secret", "secret", "secret"],
    );
    assert.deepEqual(
      back.requests.map((request) => request.headers["x-key"]),
      [undefined],
    );
  });

  test("if fetch hides the target, as in browsers: the request is repeated, and fetch follows the redirect", async (t) => {
    const server = await misbehave(t, SMALL.bytes, entrance("/file"));
    /** @type {(string | undefined)[]} */
    const modes = [];
    /** @type {OpenOptions["fetch"]} */
    const asInBrowsers = async (url, init) => {
      modes.push(init.redirect);
      const response = await fetch(url, init);
      if (init.redirect !== "manual" || response.status !== 302) return response;
      await response.body?.cancel();
      return Response.error();
    };
    await readValues(await openSmall(server.url, { headers: { "X-Key": "1" }, fetch: asInBrowsers }));
    // The redirect stays within the origin, so the request is repeated with all headers.
    assert.deepEqual(modes, ["manual", undefined, "manual", "manual"]);
    assert.deepEqual(
      server.requests.map(({ path, headers }) => [path, headers["x-key"]]),
      [
        ["/model.gguf", "1"],
        ["/model.gguf", undefined],
        ["/file", undefined],
        ["/file", "1"],
        ["/file", "1"],
      ],
    );
    const never = async () => Response.error();
    await fails(Gguf.open(server.url, { headers: { "X-Key": "1" }, fetch: never }), { code: "http" });
  });
});
