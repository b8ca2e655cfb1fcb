// The caller's headers go to the origin of the hub only.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listRepository } from "gguf-wasm/full";
import { fails } from "../../support/expect.mjs";
import { json, serveHub } from "../../support/hub-server.mjs";

const TOKEN = "hf_secret";
const headers = { Authorization: `Bearer ${TOKEN}`, "X-Mine": "1" };
const REPOSITORIES = { "owner/name": { files: { "m.gguf": 5, "n.gguf": 6 }, token: TOKEN } };

describe("headers of the caller", () => {
  test("a private repository is listed with its token, on every page", async (t) => {
    const { origin: hub, requests } = await serveHub(t, REPOSITORIES, { pageSize: 1 });
    await fails(listRepository("owner/name", { hub }), { code: "repository-not-found" });
    const { length } = requests;
    assert.equal((await listRepository("owner/name", { hub, headers })).files.length, 2);
    const sent = requests.slice(length);
    assert.equal(sent.length, 3);
    assert.ok(sent.every((request) => request.headers.authorization === headers.Authorization));
    assert.ok(sent.every((request) => request.headers["x-mine"] === "1"));
  });

  test("a redirect to another origin gets none", async (t) => {
    const other = await serveHub(t, { "owner/name": { files: { "m.gguf": 5 } } });
    const hub = await serveHub(t, REPOSITORIES, {
      answer: (request, response) => {
        response.writeHead(307, { Location: `${other.origin}${request.url}` }).end();
        return true;
      },
    });
    const { files } = await listRepository("owner/name", { hub: hub.origin, headers });
    assert.equal(files[0]?.url, `${hub.origin}/owner/name/resolve/main/m.gguf`);
    assert.ok(hub.requests.every((request) => request.headers.authorization === headers.Authorization));
    assert.ok(other.requests.length > 0);
    for (const request of other.requests) {
      assert.equal(request.headers.authorization, undefined);
      assert.equal(request.headers["x-mine"], undefined);
    }
  });

  test("a redirect of the hub itself keeps them, as for a repository that was renamed", async (t) => {
    const { origin: hub, requests } = await serveHub(t, REPOSITORIES, {
      answer: (request, response) => {
        if (!request.url?.includes("/old/name")) return false;
        response.writeHead(307, { Location: request.url.replace("/old/name", "/owner/name") }).end();
        return true;
      },
    });
    assert.equal((await listRepository("old/name", { hub, headers })).files.length, 2);
    assert.ok(requests.every((request) => request.headers["x-mine"] === "1"));
  });

  test("redirects without an end, and to files, are errors", async (t) => {
    for (const [location, code] of /** @type {const} */ ([
      ["/api/again", "bad-response"],
      ["file:///etc/passwd", "http"],
      [undefined, "http"],
    ])) {
      const { origin: hub, requests } = await serveHub(t, REPOSITORIES, {
        answer: (_, response) => {
          response.writeHead(307, location === undefined ? {} : { Location: location }).end();
          return true;
        },
      });
      await fails(listRepository("owner/name", { hub, headers, retries: 0 }), {
        code,
        status: 307,
        message: code === "http" ? /status 307/ : /redirected 5 times.*Check the address of the server/,
      });
      assert.ok(requests.length <= 12);
    }
  });

  test("a next page at another origin is not requested", async (t) => {
    const other = await serveHub(t, REPOSITORIES);
    const hub = await serveHub(t, REPOSITORIES, {
      answer: (request, response) => {
        if (!request.url?.includes("/tree/")) return false;
        response.setHeader("Link", `<${other.origin}${request.url}>; rel="next"`);
        json(response, [{ type: "file", path: "m.gguf", size: 1 }]);
        return true;
      },
    });
    await fails(listRepository("owner/name", { hub: hub.origin, headers }), {
      code: "bad-response",
      message: /next page of the list is not at the hub/,
    });
    assert.equal(other.requests.length, 0);
  });

  test("a next page that is no list of this repository is not requested", async (t) => {
    for (const link of [
      "/api/whoami-v2",
      "/api/models/owner/name",
      "/api/models/owner/name/tree/../../../../whoami-v2",
      "/api/models/owner/name/tree/main/%2e%2e/%2e%2e/secret",
      "/api/models/owner/name/tree/main/..%2f..%2fsecret",
      "/api/models/owner/name/tree/main/..%5Csecret",
      "/api/models/owner/name2/tree/main?cursor=1",
      "/api/models/owner/other/tree/main?cursor=1",
      "/api/datasets/owner/name/tree/main?cursor=1",
      "//127.0.0.1:1/api/models/owner/name/tree/main",
      "https://huggingface.co/api/whoami-v2",
      "https://huggingface.co@127.0.0.1:1/api/models/owner/name/tree/main",
    ]) {
      const { origin: hub, requests } = await serveHub(t, REPOSITORIES, {
        answer: (request, response) => {
          if (!request.url?.includes("/tree/main?recursive")) return false;
          response.setHeader("Link", `<${link}>; rel="next"`);
          json(response, [{ type: "file", path: "m.gguf", size: 1 }]);
          return true;
        },
      });
      await fails(listRepository("owner/name", { hub, headers }), { code: "bad-response", message: /the next page/ });
      assert.equal(requests.filter(({ query }) => query !== "?expand%5B%5D=gguf&expand%5B%5D=gated").length, 1, link);
    }
  });

  test("a next page that was read already is an error", async (t) => {
    const { origin: hub, requests } = await serveHub(t, REPOSITORIES, {
      answer: (request, response) => {
        const url = new URL(request.url ?? "", "http://localhost");
        if (!url.pathname.includes("/tree/")) return false;
        const cursor = url.searchParams.get("cursor") === "1" ? 2 : 1;
        response.setHeader("Link", `<${url.pathname}?cursor=${cursor}>; rel="next"`);
        json(response, [{ type: "file", path: "m.gguf", size: 1 }]);
        return true;
      },
    });
    await fails(listRepository("owner/name", { hub }), { code: "bad-response", message: /was read already/ });
    assert.equal(requests.filter(({ path }) => path.includes("/tree/")).length, 3);
  });

  test("the next pages of a repository that was renamed have its new name", async (t) => {
    const { origin: hub } = await serveHub(t, REPOSITORIES, {
      pageSize: 1,
      answer: (request, response) => {
        if (!request.url?.includes("/old/name")) return false;
        response.writeHead(307, { Location: request.url.replace("/old/name", "/owner/name") }).end();
        return true;
      },
    });
    assert.equal((await listRepository("old/name", { hub, headers })).files.length, 2);
  });

  test("a mirror's links to the Hugging Face Hub lead to the mirror", async (t) => {
    const { origin: hub, requests } = await serveHub(t, REPOSITORIES, {
      answer: (request, response) => {
        if (!request.url?.includes("/tree/main?recursive")) return false;
        if (request.url.includes("cursor")) return false;
        response.setHeader("Link", `<https://huggingface.co${request.url}&cursor=1>; rel="next"`);
        json(response, [{ type: "file", path: "m.gguf", size: 1 }]);
        return true;
      },
    });
    const { files } = await listRepository("owner/name", { hub, headers });
    assert.equal(files.length, 2);
    assert.ok(requests.some(({ query }) => query.includes("cursor=1")));
  });

  test("options.fetch gets every request", async () => {
    /** @type {string[]} */
    const urls = [];
    const { files } = await listRepository("owner/name", {
      fetch: async (url) => {
        urls.push(String(url));
        return Response.json(String(url).includes("/tree/") ? [{ path: "m.gguf", size: 1 }] : {});
      },
    });
    assert.equal(files[0]?.url, "https://huggingface.co/owner/name/resolve/main/m.gguf");
    assert.deepEqual(urls, [
      "https://huggingface.co/api/models/owner/name/tree/main?recursive=true",
      "https://huggingface.co/api/models/owner/name?expand%5B%5D=gguf&expand%5B%5D=gated",
    ]);
  });
});
