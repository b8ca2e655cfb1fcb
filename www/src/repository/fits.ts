/** Which graphics cards the weights of a file fit. Only the size of the file is known, so this is an estimate. */

import { formatInteger } from "../ui/numbers.ts";

const GIB = 2 ** 30;

/** The memory of common graphics cards, in GiB. They are sold as "8 GB". */
export const CARDS: readonly number[] = [8, 12, 16, 24];

/** What is added to the weights: the part of them, and the least bytes. */
const [ALLOWANCE_PART, LEAST_ALLOWANCE] = [0.1, GIB];

/** The rule of `neededBytes`, for people. */
export const ALLOWANCE_RULE =
  "An estimate: the file and 10% of it, at least 1 GiB, must fit. That is room for the compute buffer and a context of some thousand tokens. A long context takes more: the summary of a file computes it.";

/** The memory that a file needs with all of its layers on one device. */
export function neededBytes(size: number): number {
  return size + Math.max(LEAST_ALLOWANCE, ALLOWANCE_PART * size);
}

/** Whether a file fits a memory of so many GiB. */
export function fits(size: number, gibibytes: number): boolean {
  return neededBytes(size) <= gibibytes * GIB;
}

/** The cards that the table has: the common ones, and that of the user. */
export function shownCards(own: number | undefined): number[] {
  return [...new Set([...CARDS, ...(own === undefined || own === 0 ? [] : [own])])].sort((a, b) => a - b);
}

/** "Fits 16 and 24 GB", "Fits none of 8, 12, 16, and 24 GB". */
export function fitWords(size: number, cards: readonly number[]): string {
  const list = (sizes: readonly number[]) =>
    new Intl.ListFormat("en", { type: "conjunction" }).format(sizes.map((card) => formatInteger(card)));
  const fitting = cards.filter((card) => fits(size, card));
  return fitting.length === 0 ? `Fits none of ${list(cards)} GB` : `Fits ${list(fitting)} GB`;
}
