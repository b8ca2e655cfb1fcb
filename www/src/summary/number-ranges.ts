/** Numbers in words: "0–3, 7 and 9–12". */

import { formatId } from "../ui/numbers.ts";

/** The most ranges that are listed. */
const MAX_RANGES = 12;

/** Runs of successive numbers. `numbers` are in ascending order. */
export function runsOf(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && number <= run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** Ascending numbers as a list of ranges. */
export function formatRanges(numbers: readonly number[]): string {
  const runs = runsOf(numbers);
  const words = runs
    .slice(0, MAX_RANGES)
    .map(([first, last]) =>
      first === last ? formatId(first) : `${formatId(first)}${last === first + 1 ? ", " : "–"}${formatId(last)}`,
    );
  return runs.length > MAX_RANGES ? `${words.join(", ")} and more` : words.join(", ");
}

/** "block 3", "blocks 0–3, 7". */
export function formatBlocks(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? "block" : "blocks"} ${formatRanges(numbers)}`;
}
