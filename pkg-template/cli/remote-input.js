// A file of a server as an input that is recorded: one request, unless the server says nothing about its version.

import { setTimeout as wait } from "node:timers/promises";
import { CommandError } from "./errors.js";

/** @import { RemoteInput } from "./inputs.js" */
/** @import { OpenedInput } from "./input-evidence.js" */

/** The bytes of the first request. */
const FIRST = 1 << 16;

/** The size up to which a file is recorded whole, if its server says nothing about its version. */
const SMALL = 1 << 20;

/** How long a request may take, in milliseconds. */
const LONGEST = 60_000;

/** The most redirects in a row. */
const MOST_REDIRECTS = 20;

/** How long a failed request waits before it is sent again, in milliseconds. */
const PAUSES = [500, 1000, 2000];

/** The answers after which a request is sent again. */
const BUSY = [408, 425, 429, 500, 502, 503, 504];

/** The answers of servers that do not have a file. */
const MISSING = [404, 410];

/**
 * @param {RemoteInput} input
 * @returns {Promise<OpenedInput | undefined>} `undefined` if the server does not have the file.
 */
export async function openRemoteInput(input) {
  const { name } = input;
  const response = await request(input, 0, FIRST);
  if (MISSING.includes(response.status)) {
    await response.body?.cancel();
    return undefined;
  }
  const first = response.status === 416 ? new Uint8Array() : await start(response, FIRST);
  // A body that ends early is the whole file.
  const size = sizeOf(response) ?? (first.length < FIRST ? first.length : undefined);
  if (size === undefined) throw new CommandError("size-unknown", `${name}: the server does not say its size.`);
  const etag = response.headers.get("ETag")?.replace(/^W\//, "");
  const modified = response.headers.get("Last-Modified");
  return {
    name,
    size,
    blocks: etag || modified || size > SMALL ? 1 : SMALL / FIRST,
    ...(etag && { etag }),
    ...(modified && { time: `server ${modified}` }),
    async read(from, to) {
      if (to <= first.length) return first.subarray(from, to);
      return start(await request(input, from, to), to - from);
    },
    close: async () => {},
  };
}

/** The size of a whole file, if the server says it. @param {Response} response */
function sizeOf({ status, headers }) {
  const text =
    status === 200 ? headers.get("Content-Length") : /\/(\d+)$/.exec(headers.get("Content-Range") ?? "")?.[1];
  const size = Number(text ?? NaN);
  return Number.isSafeInteger(size) ? size : undefined;
}

/**
 * The first bytes of a body.
 *
 * @param {Response} response
 * @param {number} length
 */
async function start({ body }, length) {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of body ?? []) {
    const part = chunk.subarray(0, length - filled);
    bytes.set(part, filled);
    filled += part.length;
    if (filled === length) break;
  }
  return bytes.subarray(0, filled);
}

/**
 * Requests a range. A server without ranges answers with the whole file, whose beginning can be used.
 *
 * @param {RemoteInput} input
 * @param {number} from
 * @param {number} to
 */
async function request(input, from, to) {
  for (let attempt = 0; ; attempt++) {
    const pause = PAUSES[attempt];
    try {
      const response = await followed(input, `bytes=${from}-${to - 1}`);
      if (pause === undefined || !BUSY.includes(response.status)) return checked(input, response, from);
      await response.body?.cancel();
    } catch (error) {
      if (pause === undefined || error instanceof CommandError) throw failed(input, error);
    }
    await wait(pause);
  }
}

/**
 * The response at the end of all redirects. No other origin gets the headers of the caller.
 *
 * @param {RemoteInput} input
 * @param {string} range
 */
async function followed({ name, url, headers }, range) {
  let place = new URL(url);
  const { origin } = place;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const sent = new Headers(place.origin === origin ? headers : undefined);
    sent.set("Range", range);
    const response = await fetch(place, { headers: sent, redirect: "manual", signal: AbortSignal.timeout(LONGEST) });
    const location = response.status >= 300 && response.status < 400 ? response.headers.get("Location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    place = new URL(location, place);
  }
  throw new CommandError("http", `${name}: the server redirects again and again. Check its address.`);
}

/**
 * @param {RemoteInput} input
 * @param {Response} response
 * @param {number} from
 */
function checked({ name }, response, from) {
  const { status } = response;
  const isEmpty = status === 416 && from === 0;
  if (status === 206 || isEmpty || MISSING.includes(status) || (status === 200 && from === 0)) return response;
  void response.body?.cancel();
  if (status === 200) throw new CommandError("no-ranges", `${name}: the server ignores ranges.`);
  throw new CommandError("http", `${name}: the server answers with the status ${status}. Try again later.`);
}

/** @param {RemoteInput} input @param {unknown} error */
function failed({ name }, error) {
  if (error instanceof CommandError) return error;
  return new CommandError("network", `${name}: the server cannot be reached. Check the connection, and try again.`);
}
