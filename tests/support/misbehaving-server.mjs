// An HTTP server for one file. For each request a test chooses the response: wrong, late, incomplete or none. The server
// records requests and bytes, and the number of requests in flight.

import { once } from "node:events";
import { createServer } from "node:http";
import { now, sleep } from "./clock.mjs";

/**
 * @typedef {object} Exchange a request and its response
 * @property {number} number 0 for the first request
 * @property {string} path
 * @property {number} start the first requested byte
 * @property {number} end the byte after the last requested byte
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {number} at the time of its arrival, in milliseconds of the clock
 * @property {number} sent the number of bytes of the body that were sent
 * @property {"open" | "ended" | "dropped" | "left"} state `dropped`: closed by the server; `left`: closed by the client
 *
 * @typedef {Exchange & { file: Uint8Array, response: import("node:http").ServerResponse }} Asked
 * @typedef {(asked: Asked) => void | Promise<void>} Answer
 * @typedef {Record<string, string | number | undefined>} Headers headers that are undefined are not sent
 */

/**
 * Serves a file until the end of the test. The first of `answers` answers the first request, and so on. Later requests are
 * answered correctly.
 *
 * @param {{ after(close: () => Promise<void>): void }} test
 * @param {Uint8Array} file
 * @param {readonly Answer[] | Answer} [answers] one for each request, or one for all requests
 */
export async function misbehave(test, file, answers = []) {
  /** @type {Exchange[]} */
  const requests = [];
  let open = 0;
  const server = createServer((request, response) => {
    const [, start = NaN, last = NaN] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "")?.map(Number) ?? [];
    const { url: path = "", headers } = request;
    /** @type {Exchange} */
    const exchange = {
      number: requests.length,
      path,
      start,
      end: last + 1,
      headers,
      at: now(),
      sent: 0,
      state: "open",
    };
    requests.push(exchange);
    open += 1;
    served.mostAtOnce = Math.max(served.mostAtOnce, open);
    response.on("close", () => {
      open -= 1;
      if (exchange.state === "open") exchange.state = response.writableEnded ? "ended" : "left";
    });
    const answer = typeof answers === "function" ? answers : (answers[exchange.number] ?? partial());
    void answer(Object.assign(exchange, { file, response }));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  test.after(close);
  const origin = `http://127.0.0.1:${port}`;
  const served = {
    origin,
    url: `${origin}/model.gguf`,
    requests,
    mostAtOnce: 0,
    close,
    /** The requested ranges, as `first-last`. */
    ranges: () => requests.map(({ start, end }) => `${start}-${end - 1}`),
    /** The number of bytes of all bodies. */
    sent: () => requests.reduce((sum, { sent }) => sum + sent, 0),
  };
  return served;
}

/**
 * @typedef {object} But the differences between a response and a correct response
 * @property {Headers} [headers]
 * @property {number} [cap] the most bytes that are announced and sent
 * @property {number} [cut] closes the connection after this number of bytes of the body
 * @property {number} [hang] sends nothing more after this number of bytes of the body
 * @property {{ bytes: number, every: number }} [drip] sends this number of bytes every so many milliseconds
 * @property {(body: Uint8Array) => Uint8Array} [body] replaces the body
 */

/**
 * 206 with the requested range.
 *
 * @param {But} [but]
 * @returns {Answer}
 */
export const partial =
  (but = {}) =>
  (asked) => {
    const { start, file } = asked;
    const end = Math.min(asked.end, file.length, start + (but.cap ?? Infinity));
    if (start >= end) return status(416, { "Content-Range": `bytes */${file.length}` })(asked);
    const headers = { "Content-Range": `bytes ${start}-${end - 1}/${file.length}`, "Content-Length": end - start };
    return send(asked, 206, headers, file.subarray(start, end), but);
  };

/**
 * 200 with the whole file, as from a server without support for ranges.
 *
 * @param {But} [but]
 * @returns {Answer}
 */
export const whole =
  (but = {}) =>
  (asked) =>
    send(asked, 200, { "Content-Length": asked.file.length }, asked.file, but);

/**
 * A status with a body that is not the file.
 *
 * @param {number} code
 * @param {Headers} [headers]
 * @returns {Answer}
 */
export const status =
  (code, headers = {}) =>
  ({ response }) => {
    head(response, code, { "Content-Type": "text/html", ...headers });
    response.end("<!doctype html><title>Sorry</title>");
  };

/** @type {(to: string, code?: number) => Answer} */
export const redirect = (to, code = 302) => status(code, { Location: to });

/** Closes the connection without a response. @type {Answer} */
export const drop = (asked) => {
  asked.state = "dropped";
  asked.response.socket?.destroy();
};

/** Resets the connection without a response. @type {Answer} */
export const reset = (asked) => {
  asked.state = "dropped";
  asked.response.socket?.resetAndDestroy();
};

/** Never sends a response. @type {Answer} */
export const silence = () => {};

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} code
 * @param {Headers} headers
 */
function head(response, code, headers) {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(code);
}

/**
 * Sends a body at the speed at which the client reads it, until the client closes the connection.
 *
 * @param {Asked} asked
 * @param {number} code
 * @param {Headers} headers
 * @param {Uint8Array} body
 * @param {But} but
 */
async function send(asked, code, headers, body, but) {
  const { response } = asked;
  const closed = once(response, "close");
  head(response, code, { ...headers, ...but.headers });
  body = but.body?.(body) ?? body;
  const end = Math.min(body.length, but.cut ?? Infinity, but.hang ?? Infinity);
  const piece = but.drip?.bytes ?? 65_536;
  response.flushHeaders();
  while (asked.sent < end && !response.closed) {
    const part = body.subarray(asked.sent, Math.min(asked.sent + piece, end));
    asked.sent += part.length;
    const drained = response.write(part) ? undefined : once(response, "drain");
    if (but.drip && asked.sent < end) await sleep(but.drip.every);
    if (drained) await Promise.race([drained, closed]);
  }
  if (response.closed || but.hang !== undefined) return;
  if (but.cut === undefined) return void response.end();
  asked.state = "dropped";
  // Close the connection later, so that the bytes before are not lost.
  response.write("", () => response.socket?.destroySoon());
}
