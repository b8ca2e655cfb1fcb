/** A list of differences of any length, which is read in pages, searched and sorted in pieces. */

import { inPieces, sortInPieces } from "../ui/in-pieces.ts";

/** The differences per page. */
const PAGE_SIZE = 256;
/** The pages that are kept. */
const MAX_PAGES = 16;

/** Reads the differences from `start` to before `end`. */
export type ReadDifferences<T> = (start: number, end: number) => readonly T[];

export class DifferenceList<T> {
  readonly count: number;
  readonly #read: ReadDifferences<T>;
  /** The pages that were read last, the oldest first. */
  readonly #pages = new Map<number, readonly T[]>();

  constructor(count: number, read: ReadDifferences<T>) {
    this.count = count;
    this.#read = read;
  }

  at(index: number): T | undefined {
    const number = Math.floor(index / PAGE_SIZE);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = this.#read(number * PAGE_SIZE, Math.min((number + 1) * PAGE_SIZE, this.count));
      const [oldest] = this.#pages.keys();
      if (this.#pages.size >= MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
      this.#pages.set(number, page);
    }
    return page[index - number * PAGE_SIZE];
  }

  /**
   * The indices of the differences that match.
   * @throws the reason of `signal` once it is aborted
   */
  async find(matches: (difference: T) => boolean, signal: AbortSignal): Promise<Uint32Array> {
    const found = new Uint32Array(this.count);
    let length = 0;
    await inPieces(this.count, signal, (from, to) => {
      this.#read(from, to).forEach((difference, at) => {
        if (matches(difference)) found[length++] = from + at;
      });
    });
    return found.slice(0, length);
  }

  /**
   * The indices in the order of `keyOf`. Differences without a key come last, in both directions, and equal ones keep their order.
   * @throws the reason of `signal` once it is aborted
   */
  async sort(
    indices: Uint32Array | undefined,
    keyOf: (difference: T) => number | string | undefined,
    isDescending: boolean,
    signal: AbortSignal,
  ): Promise<Uint32Array> {
    const keys: (number | string | undefined)[] = [];
    await inPieces(this.count, signal, (from, to) => {
      for (const difference of this.#read(from, to)) keys.push(keyOf(difference));
    });
    const all = indices ?? Uint32Array.from(keys.keys());
    return sortInPieces(all, (a, b) => compareKeys(keys[a], keys[b], isDescending), signal);
  }
}

function compareKeys(a: number | string | undefined, b: number | string | undefined, isDescending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return isDescending ? -order : order;
}
