/** The order of the blocks of a model, with repeated ones folded: 5 blocks with a window and one without, ten times. */

/** Blocks of one kind that follow each other. */
export interface Run {
  readonly kind: number;
  /** The number of blocks: of one repetition, if the run is in a cycle. */
  readonly count: number;
  /** The positions of all its blocks, of all repetitions. */
  readonly places: readonly number[];
}

/** Runs that follow each other `times` times. */
export interface Cycle {
  readonly times: number;
  readonly runs: readonly Run[];
}

/** The longest cycle that is found, in blocks. */
const LONGEST = 24;

/** Finds the cycles in a list of kinds. Cycles that cover more blocks are preferred, then shorter ones. */
export function cyclesOf(kinds: readonly number[]): Cycle[] {
  const cycles: Cycle[] = [];
  for (let start = 0; start < kinds.length;) {
    const [period, times] = bestPeriod(kinds, start);
    cycles.push({ times, runs: runsOf(kinds, start, period, times) });
    start += period * times;
  }
  return joinSingle(cycles);
}

/** A run of one kind can be a part of a longer cycle, so a period counts if it covers more blocks than shorter ones. */
function bestPeriod(kinds: readonly number[], start: number): readonly [period: number, times: number] {
  let best: readonly [number, number] = [1, sameFrom(kinds, start, 1)];
  for (let period = 2; period <= Math.min(LONGEST, (kinds.length - start) >> 1); period += 1) {
    const times = sameFrom(kinds, start, period);
    if (times > 1 && period * times > best[0] * best[1]) best = [period, times];
  }
  return best;
}

/** How often the blocks of a period stand after each other. */
function sameFrom(kinds: readonly number[], start: number, period: number): number {
  let length = period;
  while (start + length < kinds.length && kinds[start + length] === kinds[start + length - period]) length += 1;
  return Math.floor(length / period);
}

function runsOf(kinds: readonly number[], start: number, period: number, times: number): Run[] {
  const runs: { kind: number; count: number; places: number[] }[] = [];
  for (let at = 0; at < period; at += 1) {
    const kind = kinds[start + at] ?? 0;
    const places = Array.from({ length: times }, (_, time) => start + at + time * period);
    const last = runs.at(-1);
    if (last?.kind === kind) {
      last.count += 1;
      last.places.push(...places);
    } else runs.push({ kind, count: 1, places });
  }
  for (const run of runs) run.places.sort((a, b) => a - b);
  // One kind alone is no cycle but a run.
  const [only] = runs;
  if (period === 1 && only) return [{ ...only, count: times }];
  return runs;
}

/** Cycles that happen once are joined, so that their runs stand beside each other without a frame. */
function joinSingle(cycles: readonly Cycle[]): Cycle[] {
  return cycles.map((cycle) => (cycle.runs.length === 1 ? { times: 1, runs: cycle.runs } : cycle));
}
