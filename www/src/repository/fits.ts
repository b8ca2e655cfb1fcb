/** Which graphics cards a file fits. Only the size of the file is known, so this is an estimate. */

import { RESERVE } from "../memory/machine.ts";
import { formatInteger } from "../ui/numbers.ts";

const GIB = 2 ** 30;

/** The memory of common graphics cards, in GiB. They are sold as "8 GB". */
export const CARDS: readonly number[] = [8, 12, 16, 24];

/** The allowance for the context and the compute buffer: a share of the weights, and at least so many bytes. */
const [ALLOWANCE_PART, LEAST_ALLOWANCE] = [0.1, GIB];

/** The rule of `neededBytes`, for people. */
export const ALLOWANCE_RULE =
  "An estimate: the file and 10% of it, at least 1\u00a0GiB, must fit, and 1\u00a0GiB is left free as llama.cpp does it. That is enough for the compute buffer and a context of 4,096 tokens of most models. A longer context takes more: the summary of a file computes it.";

/** The memory of a device that a file needs with all of its layers on the device. */
export function neededBytes(size: number): number {
  return size + Math.max(LEAST_ALLOWANCE, ALLOWANCE_PART * size) + RESERVE * GIB;
}

/** Whether a file fits a memory of this number of GiB. */
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
