/** How much of a machine's memory a model may take. This is the only place with this rule: all parts of the page ask it. */

import { type Machine, USUAL_MAIN } from "./machine.ts";

export const GIB = 2 ** 30;

/** The GiB of each card that llama.cpp leaves free: its option `--fit-target`. As much is left of the main memory, for other programs. */
export const RESERVE = 1;

/** The rule for people. */
export const RESERVE_RULE = `${RESERVE} GiB of each card, and of the main memory, is left free, as llama.cpp does it on cards.`;

/** The bytes of a memory of this number of GiB. */
export function memoryBytes(size: number): number {
  return Math.round(size * GIB);
}

/** The bytes of a memory that a model may take. */
export function usableBytes(size: number): number {
  return Math.max(0, memoryBytes(size) - RESERVE * GIB);
}

/** The bytes of all cards together that a model may take. Without a card, those of the main memory. */
export function usableTogether({ cards = [], main = USUAL_MAIN }: Machine): number {
  return cards.length === 0 ? usableBytes(main) : cards.reduce((sum, size) => sum + usableBytes(size), 0);
}

/** The shares of the layers that llama.cpp gives to each of several cards: as much as is free on it. Undefined for fewer cards. */
export function usualSplit({ cards = [] }: Machine): readonly number[] | undefined {
  if (cards.length < 2) return undefined;
  const free = cards.map((size) => usableBytes(size) / GIB);
  return free.some((size) => size > 0) ? free : cards;
}
