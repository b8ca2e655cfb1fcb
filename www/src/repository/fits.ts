/** Which graphics cards a file fits. Only the size of the file is known, so this is an estimate. */

import { formatSize, type Machine } from "../memory/machine.ts";
import { GIB, RESERVE_RULE, usableTogether } from "../memory/room.ts";

/** Graphics cards of one machine, in GiB, which a file may fit. */
export type Cards = readonly number[];

/** Common graphics cards. They are sold as "8 GB". */
export const CARDS: readonly Cards[] = [[8], [12], [16], [24]];

/** The allowance for the context and the compute buffer: a share of the weights, and at least so many bytes. */
const [ALLOWANCE_PART, LEAST_ALLOWANCE] = [0.1, GIB];

/** The rule of `neededBytes`, for people. */
export const ALLOWANCE_RULE = `An estimate: the file and 10% of it, at least 1\u00a0GiB, must fit. ${RESERVE_RULE.replaceAll(" GiB", "\u00a0GiB")} That is enough for the compute buffer and a context of 4,096 tokens of most models. A longer context takes more: the summary of a file computes it.`;

/** The memory of a device that a file needs with all of its layers on the device. */
export function neededBytes(size: number): number {
  return size + Math.max(LEAST_ALLOWANCE, ALLOWANCE_PART * size);
}

/** Whether a file fits the cards of a machine, or its main memory if it has none. */
export function fits(size: number, machine: Machine): boolean {
  return neededBytes(size) <= usableTogether(machine);
}

/** "12", "48" for two cards of 24 GiB. */
export function cardsLabel(cards: Cards): string {
  return formatSize(cards.reduce((sum, size) => sum + size, 0));
}

/** The cards that the table has: the common ones, and those of the user. */
export function shownCards(own: Cards = []): readonly Cards[] {
  const isKnown = own.length === 0 || CARDS.some((cards) => isSame(cards, own));
  const total = (cards: Cards) => cards.reduce((sum, size) => sum + size, 0);
  return isKnown ? CARDS : [...CARDS, own].sort((a, b) => total(a) - total(b));
}

export function isSame(a: Cards, b: Cards): boolean {
  return a.length === b.length && a.every((size, at) => size === b[at]);
}

/** "Fits 16 and 24 GB", "Fits none of 8, 12, 16, and 24 GB". */
export function fitWords(size: number, cards: readonly Cards[]): string {
  const list = (listed: readonly Cards[]) =>
    new Intl.ListFormat("en", { type: "conjunction" }).format(listed.map(cardsLabel));
  const fitting = cards.filter((own) => fits(size, { cards: own }));
  return fitting.length === 0 ? `Fits none of ${list(cards)} GB` : `Fits ${list(fitting)} GB`;
}
