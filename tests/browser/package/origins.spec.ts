// The package in a browser with servers of other origins: which headers are sent, and errors of CORS.

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { smallModel } from "../../support/gguf-bytes.mjs";
import { expect, test } from "../support/fixtures.ts";
import { sendRange, type TestServer } from "../support/server.ts";

test.use({ expected: /^Failed to load resource|blocked by CORS policy/ });

const FILES = ["index.js", "gguf-error.js", "gguf_wasm.js", "gguf_wasm_api.js", "gguf_wasm_bg.wasm"];
const OCTETS = "application/octet-stream";
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "Authorization, Range, X-Secret, X-Other",
  "access-control-expose-headers": "Content-Range, Content-Length, ETag",
};

interface Result {
  tensors?: number;
  code?: string;
  message?: string;
  status?: number;
}

/** Opens a file in an empty page of `app`. */
async function open(page: Page, app: TestServer, url: string, options: object): Promise<Result> {
  for (const name of FILES) {
    const type = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
    const data = await readFile(new URL(`../../../pkg/${name}`, import.meta.url));
    app.on(`/package/${name}`, (request, response) => sendRange(request, response, data, type));
  }
  app.on("/empty.html", (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>Empty</title><link rel=icon href=data:,>");
  });
  await page.goto(`${app.origin}/empty.html`);
  return page.evaluate(
    async ({ url, options }) => {
      const script = "/package/index.js";
      const { Gguf } = await import(script);
      try {
        const gguf = await Gguf.open(url, options);
        await gguf.readBytes(gguf.tensors[0]);
        return { tensors: gguf.tensors.length };
      } catch (error) {
        const { code, message, status } = error as Result;
        return { code, message, status } as Result;
      }
    },
    { url, options },
  );
}

/** Serves the small model at `path` with CORS. `check` may refuse a request. */
function serve(
  server: TestServer,
  path: string,
  check: (headers: Record<string, unknown>) => number = () => 200,
): string {
  return server.on(path, (request, response) => {
    if (request.method === "OPTIONS") return void response.writeHead(204, CORS).end();
    const status = check(request.headers);
    if (status !== 200) return void response.writeHead(status, CORS).end();
    sendRange(request, response, smallModel(), OCTETS, CORS);
  });
}

/** Redirects `path` to `to`. */
function redirect(server: TestServer, path: string, to: string): string {
  return server.on(path, (request, response) => {
    if (request.method === "OPTIONS") return void response.writeHead(204, CORS).end();
    response.writeHead(302, { ...CORS, location: to }).end();
  });
}

const HEADERS = { Authorization: "Bearer secret", "X-Secret": "secret", "X-Other": "other" };

test("a redirect to another origin is followed without the headers, and the file opens", async ({
  page,
  app,
  other,
  cdn,
}) => {
  const target = serve(cdn, "/origins/target.gguf");
  const url = redirect(other, "/origins/start.gguf", target);
  const [before, beforeCdn] = [other.log.length, cdn.log.length];
  expect(await open(page, app, url, { headers: HEADERS })).toEqual({ tensors: 38 });
  const first = other.log.slice(before).filter(({ method }) => method === "GET");
  expect(first.map(({ headers }) => [headers["x-secret"], headers.authorization])).toEqual([
    ["secret", "Bearer secret"],
    [undefined, "Bearer secret"],
  ]);
  const there = cdn.log.slice(beforeCdn);
  expect(there.filter(({ method }) => method === "GET").length).toBeGreaterThanOrEqual(2);
  for (const { headers } of there) {
    for (const name of ["authorization", "x-secret", "x-other"]) expect(headers[name]).toBeUndefined();
  }
});

test("a redirect within the origin keeps all headers", async ({ page, app, other }) => {
  const target = serve(other, "/origins/inside.gguf", (headers) => (headers["x-secret"] === "secret" ? 200 : 403));
  const url = redirect(other, "/origins/to-inside.gguf", target);
  const before = other.log.length;
  expect(await open(page, app, url, { headers: HEADERS })).toEqual({ tensors: 38 });
  const last = other.log.slice(before).at(-1);
  expect(last?.headers["x-secret"]).toBe("secret");
  expect(last?.headers.authorization).toBe("Bearer secret");
});

test("another origin that refuses: the error lists the headers that were not sent", async ({
  page,
  app,
  other,
  cdn,
}) => {
  const target = serve(cdn, "/origins/refuses.gguf", () => 403);
  const url = redirect(other, "/origins/to-refusal.gguf", target);
  const result = await open(page, app, url, { headers: HEADERS });
  expect(result).toMatchObject({ code: "headers-withheld", status: 403 });
  expect(result.message).toContain("x-other, x-secret");
});

test("without a redirect, all headers are sent to the server", async ({ page, app, other }) => {
  const url = serve(other, "/origins/plain.gguf");
  const before = other.log.length;
  expect(await open(page, app, url, { headers: HEADERS })).toEqual({ tensors: 38 });
  const gets = other.log.slice(before).filter(({ method }) => method === "GET");
  expect(new Set(gets.map(({ headers }) => headers["x-secret"]))).toEqual(new Set(["secret"]));
});

test("a refusal by CORS has an error of its own, after one retry and one HEAD request without credentials", async ({
  page,
  app,
  other,
}) => {
  const url = other.file("/origins/closed.gguf", smallModel());
  const before = other.log.length;
  const result = await open(page, app, url, {});
  expect(result.code).toBe("cors");
  expect(result.message).toContain("Access-Control-Allow-Origin");
  const made = other.log.slice(before);
  expect(made.map(({ method }) => method).sort()).toEqual(["GET", "GET", "HEAD"]);
  for (const { headers } of made) expect(headers.cookie).toBeUndefined();
});

test("a server that is gone: network, after all retries", async ({ page, app, other }) => {
  const url = other.on("/origins/gone.gguf", (request) => void request.socket.destroy());
  const result = await open(page, app, url, { retries: 2 });
  expect(result.code).toBe("network");
});

test("with a custom fetch there is no CORS probe, unless the caller asks for it", async ({ page, app, other }) => {
  const url = other.file("/origins/own-fetch.gguf", smallModel());
  const before = other.log.length;
  await open(page, app, url, { retries: 1 });
  expect(other.log.slice(before).some(({ method }) => method === "HEAD")).toBe(true);
  const result = await page.evaluate(async (url) => {
    const script = "/package/index.js";
    const { Gguf } = await import(script);
    const own = (address: string, init: RequestInit) => fetch(address, init);
    return Gguf.open(url, { retries: 1, fetch: own }).catch((error: Result) => error.code);
  }, url);
  expect(result).toBe("network");
});
