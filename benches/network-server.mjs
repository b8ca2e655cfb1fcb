// A server that simulates a slow link. It runs in its own process. benches/network.mjs, preview.mjs and shards.mjs start it,
// and send it a message when a run begins and ends.
//
//   client                      server            All connections of the client share the bandwidth. They take turns,
//     | --- request, rtt ÷ 2 ---> |               packet by packet, like streams of HTTP/2. A packet occupies the link
//     |                           | body at       for length ÷ bandwidth and arrives rtt ÷ 2 later. All times are
//     | <--- packets, rtt ÷ 2 --- | the link's    absolute: a late timer delays one packet, but not the packets after
//     | --- abort, rtt ÷ 2 -----> | rate          it.
//
// The server learns of an abort after rtt ÷ 2. Bytes that were put on the link before count as sent. The simulation leaves
// out the set-up of connections, slow start, the bytes of HTTP headers, and queues.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {{ rtt: number, bandwidth: number }} Profile milliseconds, and bits per second
 * @typedef {{ requests: number, sent: number }} Recorded the number of requests, and of bytes of bodies
 * @typedef {{ begin: Profile & { file: string | Record<string, string>, data?: string } } | "end"} Order `file` contains the
 * header of the file at every path, or has a file for each path; `data` contains the bytes that are repeated after the header;
 * without `data` these are zeros
 *
 * @typedef {object} Flow a response whose body is being sent
 * @property {import("node:http").ServerResponse} response
 * @property {Uint8Array} header the first bytes of the file
 * @property {number} next the offset of the next byte to put on the link
 * @property {number} end
 * @property {number} from the time at which the server receives the request
 * @property {number} until the time at which the server learns that the client has aborted
 */

/** The bytes of one packet: 2.6 ms at 50 Mbit/s. */
const PACKET_LENGTH = 16_384;

/** The file size that the server reports, in bytes: larger than the largest model, because readers may check it. */
const FILE_SIZE = 800e9;

class Link {
  /** @type {Recorded} */
  recorded = { requests: 0, sent: 0 };
  /** The responses that have bytes to send, in the order of their turns. @type {Flow[]} */
  #flows = [];
  /** The packets on the link, in the order of their arrival. @type {{ flow: Flow, start: number, end: number, at: number }[]} */
  #pieces = [];
  /** The time at which the link is free for the next packet. */
  #free = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #delay;
  #bytesPerMs;
  #headerAt;
  #data;

  /**
   * @param {Profile} profile
   * @param {(path: string) => Uint8Array} headerAt the first bytes of the file at a path
   * @param {Uint8Array} data the bytes that are repeated after the header
   */
  constructor({ rtt, bandwidth }, headerAt, data) {
    this.#delay = rtt / 2;
    this.#bytesPerMs = bandwidth / 8e3;
    this.#headerAt = headerAt;
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
    if (!range) throw new Error(`the Range header is ${request.headers.range}, expected bytes=FIRST-LAST`);
    const next = Number(first);
    const end = Math.min(Number(last) + 1, FILE_SIZE);
    response.writeHead(206, {
      "Content-Length": end - next,
      "Content-Range": `bytes ${next}-${end - 1}/${FILE_SIZE}`,
      "Content-Type": "application/octet-stream",
      ETag: '"1"',
    });
    const header = this.#headerAt(request.url ?? "/");
    const flow = { response, header, next, end, from, until: Infinity };
    this.#flows.push(flow);
    response.on("close", () => {
      flow.until = performance.now() + this.#delay;
    });
    this.#run();
  }

  /** Waits until the server has learnt of all aborts. */
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
      flow.response.write(this.#bytes(flow.header, start, end));
      if (end === flow.end) flow.response.end();
    }
    // Packets that are not on the link yet arrive after the packets on it.
    const wait = (this.#pieces[0]?.at ?? next) - now;
    if (wait < Infinity) this.#timer = setTimeout(() => this.#run(), wait);
  }

  /**
   * Puts all packets on the link that start before or at `now`.
   *
   * @param {number} now
   * @returns the time at which the next packet starts
   */
  #putOn(now) {
    for (;;) {
      const start = Math.max(this.#free, Math.min(...this.#flows.map(({ from }) => from)));
      if (start > now) return start;
      const turn = this.#flows.findIndex(({ from }) => from <= start);
      const [flow] = this.#flows.splice(turn, 1);
      if (!flow || flow.until <= start) continue;
      const left = Math.ceil((flow.until - start) * this.#bytesPerMs);
      const end = Math.min(flow.next + PACKET_LENGTH, flow.end, flow.next + left);
      this.#free = start + (end - flow.next) / this.#bytesPerMs;
      this.#pieces.push({ flow, start: flow.next, end, at: this.#free + this.#delay });
      this.recorded.sent += end - flow.next;
      flow.next = end;
      if (end < flow.end) this.#flows.push(flow);
    }
  }

  /**
   * @param {Uint8Array} header
   * @param {number} start
   * @param {number} end
   */
  #bytes(header, start, end) {
    const bytes = new Uint8Array(end - start);
    bytes.set(header.subarray(start, end));
    let at = Math.max(start, header.length);
    while (at < end) {
      const from = (at - header.length) % this.#data.length;
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
  // Answer without delay: the client only opens a connection and loads its code.
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
  const files =
    typeof file === "string"
      ? undefined
      : new Map(Object.entries(file).map(([path, name]) => [path, readFileSync(name)]));
  const whole = typeof file === "string" ? readFileSync(file) : new Uint8Array();
  link = new Link(
    order.begin,
    (path) => files?.get(path) ?? whole,
    data ? readFileSync(data) : new Uint8Array(PACKET_LENGTH),
  );
  process.send?.("ready");
});
process.on("disconnect", () => process.exit());
