// Measures the conversion of blocks to floats for every tensor type, inside WebAssembly and through JavaScript.
// `cargo xtask bench kernels` builds the kernel modules and runs this script. To measure only some types, run the script
// by hand with a folder and the names of the types. blocks.mjs makes the blocks, kernel-runs.mjs measures the times.
//
// The goal of a kernel: it is not slower than ggml's own C code, compiled with `-O3 -march=native` on the same machine.
// This script does not run ggml. It compares each kernel with the *store limit*: a loop of 16-byte stores over the same
// 4 MiB, the fastest that the memory of this machine accepts floats. The loop and the kernel take turns, and the share is
// the median of the ratios. Each type has its own processes, in turns, so that a slow moment of the machine affects all
// types alike.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { OUTPUT, STATISTICS_CALLS, TYPES } from "./blocks.mjs";
import { machine, median, table, verdict } from "./report.mjs";

/** @typedef {import("./kernel-runs.mjs").Compared} Compared */
/** @typedef {{ first: number, again: number[] }} Cold */

const RUNS = fileURLToPath(new URL("kernel-runs.mjs", import.meta.url));

/** The number of processes of one measurement. */
const PROCESSES = 3;

/** The goal for statistics: the least share of the store limit. */
const LEAST_STATISTICS = 0.1;

/**
 * @param {string} what
 * @param {string} type
 * @returns {Promise<unknown>} `undefined` if the kernel traps or exceeds the time limit
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
 * @returns {Promise<Map<string, T[]>>} the result of each process by type, without types that failed
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

const [, ...only] = process.argv.slice(2);
const NAMES = TYPES.map(({ name }) => name).filter((name) => only.length === 0 || only.includes(name));

async function inside() {
  /** @type {Map<string, Compared[]>} */
  const limits = await measure("throughput", NAMES);
  /** @type {Map<string, Compared[]>} */
  const scalars = await measure("scalar", NAMES, 1);
  /** @type {Map<string, Cold[]>} */
  const colds = await measure("cold", NAMES);
  const store = median([...limits].filter(([name]) => name !== "F32").map(([, runs]) => medians(runs).other));
  console.log(
    "Inside WebAssembly, one thread: GB of `f32` output per second with 4 MiB per call, and the share of the store limit " +
      `(${throughput(store)} GB/s; for F32, the share of \`memory.copy\`). Cold: the time for the first 16 MiB of a new ` +
      "instance, in calls of 256 KiB, also divided by the time when it is warm.\n",
  );
  const head = ["type", "GB/s", "share", "scalar GB/s", "simd128 ÷ scalar", "cold", "cold ÷ warm"];
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
        throughput(scalar.other),
        share(scalar.ratio),
        starts.length > 0 ? `${median(starts.map(({ first }) => first)).toFixed(1)} ms` : "",
        share(cold),
      ];
    }),
  ]);
}

async function through() {
  /** @type {Map<string, Compared[]>} */
  const found = await measure("package", NAMES);
  const limit = median([...found.values()].map((runs) => medians(runs).other));
  console.log(
    "\nThrough JavaScript: `dequantize` into an existing array of 4 MiB, including the copies in and out. The share " +
      `compares it with a loop that stores 64 KiB and copies them out (${throughput(limit)} GB/s).\n`,
  );
  table([
    ["type", "GB/s", "share"],
    ...NAMES.map((name) => {
      const { ours, ratio } = medians(found.get(name));
      return [name, throughput(ours), share(ratio)];
    }),
  ]);
}

async function statistics() {
  console.log("\nStatistics of all elements of a Q4_K tensor, as a share of the store limit:\n");
  const rows = [["", "GB/s", "share", "goal: at least", ""]];
  for (const [what, where, calls] of /** @type {const} */ ([
    ["statistics", "inside WebAssembly, including the kernel", 1],
    ["package-statistics", "`gguf.statistics` of a file in memory", STATISTICS_CALLS],
  ])) {
    /** @type {Map<string, Compared[]>} */
    const found = await measure(what, ["Q4_K"]);
    const { ours, ratio } = medians(found.get("Q4_K"));
    rows.push([
      where,
      throughput(ours / calls),
      share(ratio),
      String(LEAST_STATISTICS),
      verdict(ratio >= LEAST_STATISTICS),
    ]);
  }
  table(rows);
}

machine();
await inside();
await through();
await statistics();
