// HTTP servers for tests: one for a single file, which records all requests and the number of bytes that were sent, and one
// for a folder.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

/**
 * @typedef {object} Recorded
 * @property {string | undefined} range
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {number} sent
 * @property {boolean} closed Whether the client closed the connection before the response had ended.
 *
 * @typedef {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse,
 *   file: Uint8Array, number: number) => void | Promise<void>} Answer
 */

/**
 * Serves a file until the end of the test.
 *
 * @param {{ after(close: () => Promise<void>): void }} test
 * @param {Uint8Array} file
 * @param {Answer} [answer]
 */
export async function serveFile(test, file, answer = range) {
  /** @type {Recorded[]} */
  const requests = [];
  const { origin, close } = await listen((request, response) => {
    const recorded = { range: request.headers.range, headers: request.headers, sent: 0, closed: false };
    requests.push(recorded);
    const write = response.write.bind(response);
    response.write = (/** @type {Uint8Array} */ piece, /** @type {any[]} */ ...rest) => {
      recorded.sent += piece.length;
      return write(piece, ...rest);
    };
    response.on("close", () => {
      recorded.closed = !response.writableEnded;
    });
    void answer(request, response, file, requests.length);
  });
  test.after(close);
  return { url: `${origin}/model.gguf`, requests, close };
}

/**
 * Serves several files until the end of the test, and records the path and the range of each request. Other paths are not
 * found.
 *
 * @param {{ after(close: () => Promise<void>): void }} test
 * @param {Record<string, Uint8Array>} files The files by their names.
 * @param {Answer} [answer]
 */
export async function serveFiles(test, files, answer = range) {
  /** @type {{ name: string, range: string | undefined, query: string }[]} */
  const requests = [];
  const load = { inFlight: 0, most: 0 };
  const { origin, close } = await listen((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    const name = decodeURIComponent(pathname.slice(1));
    requests.push({ name, range: request.headers.range, query: search });
    load.most = Math.max(load.most, ++load.inFlight);
    response.on("close", () => load.inFlight--);
    const file = files[name];
    if (file) void answer(request, response, file, requests.length);
    else response.writeHead(404).end();
  });
  test.after(close);
  return { origin, requests, load };
}

/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/**
 * Serves the files of a folder.
 *
 * @param {string} folder
 * @param {Record<string, string>} [headers]
 */
export function serveFolder(folder, headers = {}) {
  return listen(answerFrom(folder, headers));
}

/**
 * Answers with the files of a folder.
 *
 * @param {string} folder
 * @param {Record<string, string>} [headers]
 * @returns {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => Promise<void>}
 */
export function answerFrom(folder, headers = {}) {
  return async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const file = await readFile(join(folder, path)).catch(() => undefined);
    if (!file) return void response.writeHead(404).end();
    response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const answer = request.headers.range ? range : whole;
    await answer(request, response, file, 0);
  };
}

/**
 * @param {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void} answer
 */
export async function listen(answer) {
  const server = createServer(answer);
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}

/**
 * The first and the last requested byte, and whether the range begins inside of the file.
 *
 * @param {import("node:http").IncomingMessage} request
 * @param {{ length: number }} file
 */
export function asked(request, file) {
  const match = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  if (!match) throw new Error(`the Range header is ${request.headers.range}, expected bytes=FIRST-LAST`);
  const start = Number(match[1]);
  return { start, end: Math.min(Number(match[2]) + 1, file.length) };
}

/** Answers correctly. @type {Answer} */
export function range(request, response, file) {
  const { start, end } = asked(request, file);
  if (start >= end) {
    response.writeHead(416, { "Content-Range": `bytes */${file.length}` }).end();
    return;
  }
  response.writeHead(206, {
    "Content-Range": `bytes ${start}-${end - 1}/${file.length}`,
    "Content-Length": end - start,
  });
  void send(response, file.subarray(start, end));
}

/** Answers without support for ranges: always with the whole file. @type {Answer} */
export function whole(_, response, file) {
  response.writeHead(200, { "Content-Length": file.length });
  void send(response, file);
}

/**
 * Sends a body at the speed at which the client reads it, until the client closes the connection.
 *
 * @param {import("node:http").ServerResponse} response
 * @param {Uint8Array} body
 */
export async function send(response, body) {
  const closed = once(response, "close");
  for (let at = 0; at < body.length && !response.closed; at += 65_536) {
    if (response.write(body.subarray(at, at + 65_536))) continue;
    await Promise.race([once(response, "drain"), closed]);
  }
  if (!response.closed) response.end();
}

/** @type {(status: number) => Answer} */
export const status = (code) => (_, response) => {
  response.writeHead(code, { "Content-Type": "text/html" }).end("<!doctype html><title>Sorry</title>");
};
