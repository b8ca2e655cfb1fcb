/** Long work in pieces, so that the page stays responsive. */

/** The longest time that a piece should take, in milliseconds. A frame has 16. */
const PIECE = 12;

/** The number of items after which the clock is read. */
const ITEMS_PER_LOOK = 1024;

/**
 * Calls `work` for consecutive ranges of items from 0 to `count`, and gives the browser time to render between pieces. `onPause` is called
 * before each pause with the number of items that are done.
 * @throws the reason of `signal` once it is aborted
 */
export async function inPieces(
  count: number,
  signal: AbortSignal,
  work: (from: number, to: number) => void,
  onPause?: (done: number) => void,
): Promise<void> {
  let started = performance.now();
  for (let from = 0; from < count; from += ITEMS_PER_LOOK) {
    signal.throwIfAborted();
    const to = Math.min(from + ITEMS_PER_LOOK, count);
    work(from, to);
    if (to === count || performance.now() - started < PIECE) continue;
    onPause?.(to);
    await pause();
    started = performance.now();
  }
  signal.throwIfAborted();
}

/** Gives the browser time to render during a loop that calls `rest` in each round. */
export class Pieces {
  readonly #signal: AbortSignal;
  #started = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Pauses if a piece has taken long enough, after `onPause`.
   * @throws the reason of the signal once it is aborted
   */
  async rest(onPause?: () => void): Promise<void> {
    this.#signal.throwIfAborted();
    if (performance.now() - this.#started < PIECE) return;
    onPause?.();
    await pause();
    this.#signal.throwIfAborted();
    this.#started = performance.now();
  }
}

/** Lets the browser handle events and render. A timer would wait for at least 4 ms. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/**
 * Sorts in pieces: runs are sorted one after the other, then merged. Equal items keep their order.
 * @throws the reason of `signal` once it is aborted
 */
export async function sortInPieces(
  items: Uint32Array,
  compare: (a: number, b: number) => number,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const RUN = 4096;
  const runs = Math.ceil(items.length / RUN);
  let sorted = items.slice();
  const pieces = new Pieces(signal);
  for (let run = 0; run < runs; run += 1) {
    sorted.subarray(run * RUN, (run + 1) * RUN).sort(compare);
    await pieces.rest();
  }
  let other = new Uint32Array(sorted.length);
  for (let width = RUN; width < sorted.length; width *= 2) {
    for (let start = 0; start < sorted.length; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, sorted.length), Math.min(start + 2 * width, sorted.length)];
      let [left, right] = [start, middle];
      for (let to = start; to < end; to += 1) {
        const takesLeft =
          right >= end || (left < middle && compare(sorted[left] as number, sorted[right] as number) <= 0);
        other[to] = sorted[takesLeft ? left++ : right++] as number;
        if (to % ITEMS_PER_LOOK === 0) await pieces.rest();
      }
    }
    [sorted, other] = [other, sorted];
  }
  return sorted;
}
