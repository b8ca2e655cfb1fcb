// A clock that tests control: waiting takes no time, and a busy machine changes nothing.
//
// `useClock()` puts the timers of the package, and the pauses of `sleep`, on a clock of their own. It stands still while something
// happens: while bytes arrive, answers are made, or timers are set. When nothing has happened for many turns of the event loop, it
// goes on to the next timer. So a time-out comes when the other side is really silent, and never because the machine is slow.

import { createServer } from "node:http";

const real = { setTimeout, clearTimeout };

// Before its first request, a process compiles its parser of HTTP in another thread. The turns of the event loop do not wait for that, so the
// clock would go on, and the first request of a test would be too late.
await makeRequest();

async function makeRequest() {
  const server = createServer((_request, response) => response.setHeader("connection", "close").end());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  server.close();
}

/**
 * The turns of the event loop without a timer that is set or cancelled after which nothing happens. Both sides of a connection are in
 * this process, so each turn takes bytes on.
 */
const IDLE_TURNS = 200;

/** @typedef {{ due: number, run: () => void, isBackground: boolean, unref(): Timer }} Timer */

/** @type {Set<Timer>} */
const timers = new Set();
let isUsed = false;
let isTurning = false;
let time = 0;
let idle = 0;

/** The time in milliseconds. */
export const now = () => (isUsed ? time : performance.now());

/** Waits. @param {number} milliseconds @returns {Promise<void>} */
export const sleep = (milliseconds) =>
  new Promise((resolve) => {
    if (isUsed) start(resolve, milliseconds);
    else real.setTimeout(resolve, milliseconds);
  });

/** Uses the clock for the rest of the process: call it at the head of a test file. */
export function useClock() {
  isUsed = true;
  globalThis.setTimeout = /** @type {typeof setTimeout} */ (
    (/** @type {() => void} */ run, /** @type {number} */ milliseconds, /** @type {unknown[]} */ ...rest) =>
      // A pause of 0 only gives others their turn.
      milliseconds > 0 && isOfPackage() ? start(run, milliseconds) : real.setTimeout(run, milliseconds, ...rest)
  );
  globalThis.clearTimeout = (timer) => {
    const own = /** @type {Timer} */ (/** @type {unknown} */ (timer));
    if (timers.delete(own)) idle = 0;
    else real.clearTimeout(timer);
  };
}

/** Whether the package has called. `fetch` and the test runner have timers, too. */
const isOfPackage = () => /\/gguf_wasm\w*\.js/.test(new Error().stack ?? "");

/** @param {() => void} run @param {number} milliseconds @returns {Timer} */
function start(run, milliseconds) {
  /** @type {Timer} */
  const timer = {
    due: time + milliseconds,
    run,
    isBackground: false,
    unref() {
      timer.isBackground = true;
      return timer;
    },
  };
  timers.add(timer);
  idle = 0;
  if (!isTurning) turn();
  return timer;
}

/** Waits for the next turn of the event loop. */
function turn() {
  isTurning = timers.size > 0;
  if (!isTurning) return;
  const next = setImmediate(() => {
    idle += 1;
    if (idle >= IDLE_TURNS) goOn();
    turn();
  });
  if ([...timers].every(({ isBackground }) => isBackground)) next.unref();
}

/** Goes on to the next timer. */
function goOn() {
  const [first] = [...timers].sort((a, b) => a.due - b.due);
  if (!first) return;
  timers.delete(first);
  time = Math.max(time, first.due);
  idle = 0;
  first.run();
}
