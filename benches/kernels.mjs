// Making floats of every type's blocks, inside WebAssembly and through JavaScript: `cargo xtask bench kernels` builds the
// kernels' modules and runs this; blocks.mjs says of what blocks, kernel-runs.mjs what is timed. Run by hand, it takes
// names of types after the folder.
//
// On every machine memory takes floats only so fast. The *store limit* is a loop of 16-byte stores over the same 4 MiB,
// and throughput is told as a share of it: loop and kernel take turns, and the share is the median of the turns' ratios.
// Each type is measured in processes of its own, in turns, so that a slow moment of the machine meets all types.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { OUTPUT, STATISTICS_CALLS, TYPES, goalOf } from "./blocks.mjs";
import { machine, median, table, verdict } from "./report.mjs";

/** @typedef {import("./kernel-runs.mjs").Compared} Compared */
/** @typedef {{ first: number, again: number[] }} Cold */

const RUNS = fileURLToPath(new URL("kernel-runs.mjs", import.meta.url));

/** Processes of one measurement. */
const PROCESSES = 3;

// What is to be reached beside the types' own goals.
const MOST_COLD = 2;
const LEAST_STATISTICS = 0.1;

/**
 * @param {string} what
 * @param {string} type
 * @returns {Promise<unknown>} `undefined` if the kernel traps, or does not end
 */
async function run(what, type) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [RUNS, what, type], { timeout: 60_000 });
    return JSON.parse(stdout);
  } catch (error) {
    const { stderr = "" } = /** @type {{ stderr?: string }} */ (error);
    console.error(`${type}, ${what}: ${/^\w*Error: .*$/m.exec(stderr)?.[0] ?? "no answer"}`);
    return undefined;
  }
}

/**
 * @template T
 * @param {string} what
 * @param {readonly string[]} names of types
 * @param {number} [processes]
 * @returns {Promise<Map<string, T[]>>} what each process found; types that failed are not there
 */
async function measure(what, names, processes = PROCESSES) {
  /** @type {Map<string, T[]>} */
  const found = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < processes; round++) {
    for (const [name, figures] of found) {
      const figure = await run(what, name);
      if (figure === undefined) found.delete(name);
      else figures.push(/** @type {T} */ (figure));
    }
  }
  return found;
}

/** @param {Compared[] | undefined} runs */
function medians(runs = []) {
  const of = (/** @type {keyof Compared} */ name) => median(runs.flatMap((run) => run[name]));
  return { ours: of("ours"), other: of("other"), ratio: of("ratios") };
}

/** @param {number} ms for one call */
const throughput = (ms) => (Number.isNaN(ms) ? "failed" : (OUTPUT / ms / 1e6).toFixed(1));
/** @param {number} ratio */
const share = (ratio) => (Number.isNaN(ratio) ? "" : ratio.toFixed(2));
/** @param {number} ratio @param {number | undefined} goal */
const least = (ratio, goal) => (goal === undefined ? ["", ""] : [String(goal), verdict(ratio >= goal)]);

const [, ...only] = process.argv.slice(2);
const NAMES = TYPES.map(({ name }) => name).filter((name) => only.length === 0 || only.includes(name));
const WITH_GOALS = NAMES.filter(goalOf);

async function inside() {
  /** @type {Map<string, Compared[]>} */
  const limits = await measure("throughput", NAMES);
  /** @type {Map<string, Compared[]>} */
  const scalars = await measure("scalar", NAMES, 1);
  /** @type {Map<string, Cold[]>} */
  const colds = await measure("cold", WITH_GOALS);
  const store = median([...limits].filter(([name]) => name !== "F32").map(([, runs]) => medians(runs).other));
  console.log(
    "Inside WebAssembly, one thread: GB of `f32`s a second, 4 MiB a call, as a share of the store limit " +
      `(${throughput(store)} GB/s; F32: of \`memory.copy\`); and the first 16 MiB of a cold instance, in calls of 256 KiB, ` +
      `against as much when it is warm (at most ${MOST_COLD}):\n`,
  );
  const head = ["type", "GB/s", "share", "at least", "", "scalar GB/s", "simd128 ÷ scalar", "cold", "÷ warm", ""];
  table([
    head,
    ...NAMES.map((name) => {
      const [limit, scalar] = [medians(limits.get(name)), medians(scalars.get(name))];
      const starts = colds.get(name) ?? [];
      const cold = median(starts.map(({ first, again }) => first / median(again)));
      return [
        name,
        throughput(limit.ours),
        share(limit.ratio),
        ...least(limit.ratio, goalOf(name)?.wasm),
        throughput(scalar.other),
        share(scalar.ratio),
        starts.length > 0 ? `${median(starts.map(({ first }) => first)).toFixed(1)} ms` : "",
        share(cold),
        goalOf(name) ? verdict(cold <= MOST_COLD) : "",
      ];
    }),
  ]);
}

async function through() {
  /** @type {Map<string, Compared[]>} */
  const found = await measure("package", NAMES);
  const limit = median([...found.values()].map((runs) => medians(runs).other));
  console.log(
    "\nThrough JavaScript: `dequantize` of the package into an array of 4 MiB that is there, copies in and out included, " +
      `as a share of storing to 64 KiB and copying them out, again and again (${throughput(limit)} GB/s):\n`,
  );
  table([
    ["type", "GB/s", "share", "at least", ""],
    ...NAMES.map((name) => {
      const { ours, ratio } = medians(found.get(name));
      return [name, throughput(ours), share(ratio), ...least(ratio, goalOf(name)?.javaScript)];
    }),
  ]);
}

async function statistics() {
  console.log("\nStatistics of all numbers of a Q4_K tensor, as a share of the store limit:\n");
  const rows = [["", "GB/s", "share", "at least", ""]];
  for (const [what, where, calls] of /** @type {const} */ ([
    ["statistics", "inside WebAssembly, kernel included", 1],
    ["package-statistics", "`gguf.statistics` of a file in memory", STATISTICS_CALLS],
  ])) {
    /** @type {Map<string, Compared[]>} */
    const found = await measure(what, ["Q4_K"]);
    const { ours, ratio } = medians(found.get("Q4_K"));
    rows.push([where, throughput(ours / calls), share(ratio), ...least(ratio, LEAST_STATISTICS)]);
  }
  table(rows);
}

machine();
await inside();
await through();
await statistics();
