// What the hub can answer instead of a list: refusals, limits, damaged and hostile answers.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listRepository } from "gguf-wasm/full";
import { sleep, useClock } from "../../support/clock.mjs";
import { fails } from "../../support/expect.mjs";
import { json, refuse, serveHub } from "../../support/hub-server.mjs";

/** @typedef {import("../../support/hub-server.mjs").HubAnswer} HubAnswer */
/** @typedef {import("node:http").ServerResponse} ServerResponse */

// Time-outs come when the hub is silent.
useClock();

const FILES = { "owner/name": { files: { "m.gguf": 5 } } };

/** A hub that answers requests for lists in its own way. @param {any} t @param {(response: ServerResponse, number: number) => void} answer */
async function hubWith(t, answer) {
  let number = 0;
  const served = await serveHub(t, FILES, {
    answer: (request, response) => {
      if (!request.url?.includes("/tree/")) return false;
      answer(response, ++number);
      return true;
    },
  });
  const listings = () => served.requests.filter(({ path }) => path.includes("/tree/"));
  return { hub: served.origin, listings };
}

describe("refusals", { concurrency: true }, () => {
  for (const [status, code, expected, message] of /** @type {const} */ ([
    [401, "RepoNotFound", "repository-not-found", /no repository owner\/name, or it is private.*access token/],
    [401, undefined, "repository-not-found", /or it is private/],
    [404, "RepoNotFound", "repository-not-found", /or it is private/],
    [404, undefined, "repository-not-found", /or it is private/],
    [401, "GatedRepo", "repository-denied", /gated.*Accept its conditions/],
    [403, "GatedRepo", "repository-denied", /gated/],
    [403, undefined, "repository-denied", /denied \(status 403\)/],
    [404, "RevisionNotFound", "revision-not-found", /no revision "main"/],
    [410, undefined, "http", /status 410/],
  ])) {
    test(`${status} ${code ?? ""} is ${expected}, after one request`, async (t) => {
      const { hub, listings } = await hubWith(t, (response) => refuse(response, status, code));
      await fails(listRepository("owner/name", { hub }), { code: expected, status, message });
      assert.equal(listings().length, 1);
    });
  }

  test("with a token, the message names the token", async (t) => {
    const { hub } = await hubWith(t, (response) => refuse(response, 401, "RepoNotFound"));
    const headers = { Authorization: "Bearer secret" };
    const rejected = await listRepository("owner/name", { hub, headers }).catch((error) => error);
    assert.equal(rejected.code, "repository-not-found");
    assert.match(rejected.message, /token is valid/);
    assert.doesNotMatch(JSON.stringify([rejected.message, rejected.url, rejected.stack]), /secret/);
  });

  test("a folder or a revision that does not exist", async (t) => {
    const { origin: hub } = await serveHub(t, FILES);
    const expected = { code: "revision-not-found", status: 404 };
    await fails(listRepository("owner/name@v9", { hub }), { ...expected, message: /no revision "v9"/ });
    await fails(listRepository("hub:owner/name/Q4", { hub }), { ...expected, message: /no folder "Q4"/ });
    await fails(listRepository("owner/other", { hub }), { code: "repository-not-found", status: 401 });
  });

  test("a repository without GGUF files", async (t) => {
    const { origin: hub } = await serveHub(t, { "owner/name": { files: { "README.md": 5, "model.safetensors": 9 } } });
    await fails(listRepository("owner/name", { hub }), {
      code: "no-gguf-files",
      message: /none of its 2 files/,
      url: `${hub}/owner/name`,
    });
  });

  test("a rate limit is waited for, and then reported with the time to wait", async (t) => {
    /** @type {Record<string, string>[]} */
    const waits = [{ "Retry-After": "0" }, { RateLimit: '"api";r=0;t=0' }];
    const { hub, listings } = await hubWith(t, (response, number) =>
      number <= 2
        ? refuse(response, 429, undefined, waits[number - 1])
        : refuse(response, 429, undefined, { RateLimit: '"api";r=0;t=300' }),
    );
    await fails(listRepository("owner/name", { hub }), { code: "rate-limited", status: 429, message: /in 5 minutes/ });
    assert.equal(listings().length, 3);
    const short = await hubWith(t, (response) => refuse(response, 429, undefined, { "Retry-After": "55" }));
    await fails(listRepository("owner/name", { hub: short.hub, retries: 0 }), {
      code: "rate-limited",
      message: /in 55 seconds/,
    });
    const next = await hubWith(t, (response) => refuse(response, 429, undefined, { "Retry-After": "1" }));
    await fails(listRepository("owner/name", { hub: next.hub, retries: 0 }), {
      code: "rate-limited",
      message: /in 1 second\./,
    });
    const silent = await hubWith(t, (response) => refuse(response, 429));
    await fails(listRepository("owner/name", { hub: silent.hub, retries: 1 }), { message: /in some minutes/ });
    assert.equal(silent.listings().length, 2);
  });

  test("a server that fails for a while is asked again", async (t) => {
    const { hub, listings } = await hubWith(t, (response, number) => {
      if (number === 1) response.destroy();
      else if (number === 2) refuse(response, 503, undefined, { "Retry-After": "0" });
      else if (number === 3) response.writeHead(200, { "Content-Length": 100 }).end("[");
      else json(response, [{ type: "file", path: "m.gguf", size: 5 }]);
    });
    assert.equal((await listRepository("owner/name", { hub })).files.length, 1);
    assert.equal(listings().length, 4);
    const broken = await hubWith(t, (response) => refuse(response, 500));
    await fails(listRepository("owner/name", { hub: broken.hub, retries: 1 }), { code: "http", status: 500 });
    assert.equal(broken.listings().length, 2);
  });

  test("a hub that cannot be reached", async (t) => {
    const { origin: hub, close } = await serveHub(t, {});
    await close();
    await fails(listRepository("owner/name", { hub, retries: 1 }), { code: "network" });
    const silent = await hubWith(t, () => {});
    await fails(listRepository("owner/name", { hub: silent.hub, retries: 0, timeout: 50 }), {
      code: "timeout",
      message: /silent for 50 ms/,
    });
  });

  test("a hub that always sends a little has a limited time for all answers together", async (t) => {
    const spaces = await hubWith(t, (response) => {
      const sending = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(sending));
    });
    await fails(listRepository("owner/name", { hub: spaces.hub, responseTimeout: 300 }), {
      code: "timeout",
      message: /not complete after 300 ms.*responseTimeout/,
    });
    // Each page comes in time, but the list has no end.
    const pages = await hubWith(t, (response, number) => {
      const next = `<${pages.hub}/api/models/owner/name/tree/main?cursor=${number}>; rel="next"`;
      response.setHeader("Link", next);
      void sleep(20).then(() => json(response, []));
    });
    await fails(listRepository("owner/name", { hub: pages.hub, responseTimeout: 300 }), { code: "timeout" });
    const busy = await hubWith(t, (response) => refuse(response, 503, undefined, { "Retry-After": "1" }));
    await fails(listRepository("owner/name", { hub: busy.hub, responseTimeout: 300 }), { code: "timeout" });
    assert.equal(busy.listings().length, 1);
  });
});

describe("answers that are not as documented", { concurrency: true }, () => {
  for (const [name, body, message] of /** @type {const} */ ([
    ["a web page", "<!doctype html><title>Log in</title>", /not JSON/],
    ["nothing", "", /not JSON/],
    ["half a list", '[{"type":"file"', /not JSON/],
    ["an object", '{"error":"no"}', /not a list/],
    ["null", "null", /not a list/],
    ["a text", '"files"', /not a list/],
  ])) {
    test(`${name} is bad-response`, async (t) => {
      const { hub, listings } = await hubWith(t, (response) => void response.end(body));
      await fails(listRepository("owner/name", { hub }), { code: "bad-response", message });
      assert.equal(listings().length, 1);
    });
  }

  test("entries of any kind do no harm", async (t) => {
    const gguf = (/** @type {unknown} */ path, /** @type {object} */ more = {}) => ({
      type: "file",
      path,
      size: 1,
      ...more,
    });
    const { hub } = await hubWith(t, (response) =>
      json(response, [
        null,
        5,
        "m.gguf",
        [],
        [[]],
        {},
        { __proto__: { path: "x.gguf" } },
        gguf(5),
        gguf({ toString: "x.gguf" }),
        gguf("../../api/x.gguf"),
        gguf("/etc/x.gguf"),
        gguf("a//x.gguf"),
        gguf("x.gguf", { type: "directory" }),
        gguf("negative.gguf", { size: -1 }),
        gguf("half.gguf", { size: 1.5 }),
        gguf("text.gguf", { size: "5" }),
        gguf("huge.gguf", { size: 2 ** 53 }),
        gguf("lfs.gguf", { size: null, lfs: { size: 9, oid: "A".repeat(64) } }),
        gguf("short.gguf", { lfs: { oid: "ab" } }),
        gguf("twice.gguf"),
        gguf("twice.gguf", { size: 2 }),
        gguf("new\nline \u202e.gguf"),
        gguf("q?x=1#y%2e.gguf"),
        gguf("m-00001-of-00002.gguf", { size: Number.MAX_SAFE_INTEGER }),
        gguf("m-00002-of-00002.gguf", { size: Number.MAX_SAFE_INTEGER }),
        gguf("m-99999-of-00002.gguf"),
        gguf("n-000000001-of-999999999.gguf"),
      ]),
    );
    const { files } = await listRepository("owner/name", { hub });
    assert.deepEqual(
      files.map(({ name, size }) => [name, size]),
      [
        ["lfs.gguf", 9],
        ["m-00001-of-00002.gguf", 2 ** 54 - 2],
        ["m-99999-of-00002.gguf", 1],
        ["n-000000001-of-999999999.gguf", 1],
        ["new\nline \u202e.gguf", 1],
        ["q?x=1#y%2e.gguf", 1],
        ["short.gguf", 1],
        ["twice.gguf", 1],
      ],
    );
    assert.ok(files.every(({ parts }) => parts[0]?.sha256 === undefined));
    assert.equal(files[5]?.url, `${hub}/owner/name/resolve/main/q%3Fx%3D1%23y%252e.gguf`);
    assert.ok(files.every(({ url }) => new URL(url).href === url && new URL(url).origin === hub));
  });

  test("a list without an end has a limit", async (t) => {
    const { hub, listings } = await hubWith(t, (response, number) => {
      response.setHeader("Link", `</api/models/owner/name/tree/main?cursor=${number}>; rel="next"`);
      json(response, [{ type: "file", path: `m${number}.gguf`, size: 1 }]);
    });
    await fails(listRepository("owner/name", { hub }), { code: "limit-exceeded", message: /more than 100 pages/ });
    assert.equal(listings().length, 100);
  });

  test("a page with too many files has a limit", async (t) => {
    for (const type of ["file", "directory"]) {
      const { hub, listings } = await hubWith(t, (response) =>
        json(
          response,
          Array.from({ length: 100_001 }, (_, index) => ({ type, path: `m${index}.gguf`, size: 1 })),
        ),
      );
      const message = /more than 100000 files and folders/;
      await fails(listRepository("owner/name", { hub }), { code: "limit-exceeded", message });
      assert.equal(listings().length, 1);
    }
  });

  test("an answer without an end has a limit", async (t) => {
    const { hub } = await hubWith(t, (response) => {
      const more = () => {
        while (!response.destroyed && response.write(" ".repeat(1 << 20)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    await fails(listRepository("owner/name", { hub }), { code: "bad-response", message: /longer than/ });
  });

  test("100,000 files are listed", async (t) => {
    const files = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [
        `${index < 50_000 ? "a" : "b"}-${String((index % 50_000) + 1).padStart(5, "0")}-of-50000.gguf`,
        1,
      ]),
    );
    const { origin: hub } = await serveHub(t, { "owner/name": { files } }, { pageSize: 25_000 });
    const { files: listed } = await listRepository("owner/name", { hub });
    assert.deepEqual(
      listed.map(({ shards }) => shards),
      [
        { count: 50_000, present: 50_000 },
        { count: 50_000, present: 50_000 },
      ],
    );
  });
});
