// A server at the far end of a slow link, in a process of its own: benches/network.mjs starts it and tells it by messages
// when a run begins and ends.
//
//   client                      server            The link is the client's: all its connections share the bandwidth, piece
//     | --- request, rtt ÷ 2 ---> |               by piece in turns, as streams of HTTP/2 or connections at one bottleneck
//     |                           | body at       do. A piece is on the link for its length ÷ bandwidth and arrives rtt ÷ 2
//     | <--- pieces, rtt ÷ 2 ---- | the link's    later. All times are absolute: a timer that is late delays a piece, and
//     | --- abort, rtt ÷ 2 -----> | rate          never the ones after it.
//
// A client that goes away is heard of after rtt ÷ 2, and what has been put on the link until then counts as sent. Not
// modelled, for no reader: setting up connections, slow start, HTTP's own bytes, what queues between server and link.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {{ rtt: number, bandwidth: number }} Profile in milliseconds, and in bits a second
 * @typedef {{ requests: number, sent: number }} Recorded bytes of bodies, and the requests that asked for them
 * @typedef {{ begin: Profile & { file: string, data?: string } } | "end"} Order files with the header, and with what is
 * repeated after it: zeros, if there is none
 *
 * @typedef {object} Flow a body under way
 * @property {import("node:http").ServerResponse} response
 * @property {number} next the offset of what is put on the link next
 * @property {number} end
 * @property {number} from when the server has heard of the request
 * @property {number} until when the server has heard that the client went away
 */

/** What goes on the link at once, in bytes: 2.6 ms at 50 Mbit/s. */
const PIECE = 16_384;

/** What the files say they are, in bytes: more than the largest model's tensors, which readers may check against it. */
const FILE_SIZE = 800e9;

class Link {
  /** @type {Recorded} */
  recorded = { requests: 0, sent: 0 };
  /** Bodies that are not entirely on the link; first the one whose turn it is. @type {Flow[]} */
  #flows = [];
  /** Pieces on the link, in the order of their arrival. @type {{ flow: Flow, start: number, end: number, at: number }[]} */
  #pieces = [];
  /** When the last piece has left the link's near end. */
  #free = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #delay;
  #bytesPerMs;
  #header;
  #data;

  /**
   * @param {Profile} profile
   * @param {Uint8Array} header what the file begins with
   * @param {Uint8Array} data what follows, again and again
   */
  constructor({ rtt, bandwidth }, header, data) {
    this.#delay = rtt / 2;
    this.#bytesPerMs = bandwidth / 8e3;
    this.#header = header;
    this.#data = data;
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  answer(request, response) {
    const from = performance.now() + this.#delay;
    this.recorded.requests++;
    const [range, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (!range) throw new Error(`not a bounded range: ${request.headers.range}`);
    const next = Number(first);
    const end = Math.min(Number(last) + 1, FILE_SIZE);
    response.writeHead(206, {
      "Content-Length": end - next,
      "Content-Range": `bytes ${next}-${end - 1}/${FILE_SIZE}`,
      "Content-Type": "application/octet-stream",
      ETag: '"1"',
    });
    const flow = { response, next, end, from, until: Infinity };
    this.#flows.push(flow);
    response.on("close", () => {
      flow.until = performance.now() + this.#delay;
    });
    this.#run();
  }

  /** Waits until the server has heard that all clients are gone. */
  async end() {
    for (const { response } of this.#flows) {
      if (!response.closed) await once(response, "close");
    }
    await sleep(this.#delay + 5);
    clearTimeout(this.#timer);
    this.#putOn(performance.now());
    return this.recorded;
  }

  #run() {
    clearTimeout(this.#timer);
    const now = performance.now();
    const next = this.#putOn(now);
    const late = this.#pieces.findIndex(({ at }) => at > now);
    for (const { flow, start, end } of this.#pieces.splice(0, late < 0 ? Infinity : late)) {
      if (flow.response.closed) continue;
      flow.response.write(this.#bytes(start, end));
      if (end === flow.end) flow.response.end();
    }
    // What is not on the link yet arrives after what is.
    const wait = (this.#pieces[0]?.at ?? next) - now;
    if (wait < Infinity) this.#timer = setTimeout(() => this.#run(), wait);
  }

  /**
   * Puts pieces on the link that start until `now`.
   *
   * @param {number} now
   * @returns when the next one starts
   */
  #putOn(now) {
    for (;;) {
      const start = Math.max(this.#free, Math.min(...this.#flows.map(({ from }) => from)));
      if (start > now) return start;
      const turn = this.#flows.findIndex(({ from }) => from <= start);
      const [flow] = this.#flows.splice(turn, 1);
      if (!flow || flow.until <= start) continue;
      const left = Math.ceil((flow.until - start) * this.#bytesPerMs);
      const end = Math.min(flow.next + PIECE, flow.end, flow.next + left);
      this.#free = start + (end - flow.next) / this.#bytesPerMs;
      this.#pieces.push({ flow, start: flow.next, end, at: this.#free + this.#delay });
      this.recorded.sent += end - flow.next;
      flow.next = end;
      if (end < flow.end) this.#flows.push(flow);
    }
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #bytes(start, end) {
    const bytes = new Uint8Array(end - start);
    bytes.set(this.#header.subarray(start, end));
    let at = Math.max(start, this.#header.length);
    while (at < end) {
      const from = (at - this.#header.length) % this.#data.length;
      const part = this.#data.subarray(from, from + end - at);
      bytes.set(part, at - start);
      at += part.length;
    }
    return bytes;
  }
}

/** @type {Link | undefined} */
let link;
const server = createServer((request, response) => {
  // At once, so that a client has a connection and its own code is loaded.
  if (request.url === "/warm-up") response.end("\0");
  else link?.answer(request, response);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(address !== null && typeof address === "object" ? `http://127.0.0.1:${address.port}` : undefined);
});

process.on("message", (/** @type {Order} */ order) => {
  if (order === "end") {
    void link?.end().then((recorded) => process.send?.(recorded));
    return;
  }
  const { file, data } = order.begin;
  link = new Link(order.begin, readFileSync(file), data ? readFileSync(data) : new Uint8Array(PIECE));
  process.send?.("ready");
});
process.on("disconnect", () => process.exit());
