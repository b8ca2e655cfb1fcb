// Compares how gguf-wasm and other GGUF readers open headers in memory. `cargo xtask bench open` writes the headers and
// runs this script.
//
// Each reader runs in its own process, in turns, so that a slow moment of the machine affects all of them alike. The bytes
// are in memory and the reader is imported before the measurement. The first opening includes compilation: a page that
// opens one model waits that long. The later openings show the cost of the work alone. Figures are medians.

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { machine, median, table, verdict } from "./report.mjs";

/** @typedef {import("./contender.mjs").Measured} Measured */
/** @typedef {import("./contender.mjs").Times} Times */

const CONTENDER = fileURLToPath(new URL("contender.mjs", import.meta.url));
const READERS = ["gguf-wasm", "@huggingface/gguf", "hyllama"];
const ROUNDS = 7;
const REPEATS = 4;
const MB = 1e6;
const MIB = 2 ** 20;

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: open.mjs FOLDER");
/** @param {string} name */
const header = (name) => join(dir, `${name}.gguf`);

/**
 * @param {string} reader
 * @param {string} file
 * @param {{ chunk?: number, repeats?: number }} [options]
 * @returns {Measured}
 */
function measure(reader, file, { chunk = 0, repeats = 0 } = {}) {
  const args = ["--expose-gc", "--max-old-space-size=8192", CONTENDER, reader, file, String(chunk), String(repeats)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

/** @param {Times[]} times */
function medianTimes(times) {
  const of = (/** @type {keyof Times} */ name) => median(times.map((time) => time[name]));
  return { open: of("open"), lists: of("lists"), tokens: of("tokens") };
}

/** @param {Measured[]} runs */
function medians(runs) {
  return {
    first: medianTimes(runs.map((run) => run.first)),
    again: medianTimes(runs.flatMap((run) => run.again)),
    heap: median(runs.map((run) => run.heap)),
    memory: median(runs.map((run) => run.memory ?? NaN)),
  };
}

/** @param {number} ms */
const time = (ms) => `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
/** @param {number} bytes */
const mib = (bytes) => `${(bytes / MIB).toFixed(1)} MiB`;

function compare() {
  const file = header("llama3");
  const size = statSync(file).size;
  /** @type {Measured[][]} */
  const runs = READERS.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, reader] of READERS.entries()) runs[index]?.push(measure(reader, file, { repeats: REPEATS }));
  }
  const [ours, huggingface, hyllama] = runs.map(medians);
  if (!ours || !huggingface || !hyllama) throw new Error("there are three readers");

  console.log(
    `A header like that of Llama 3, ${(size / MB).toFixed(1)} MB, ${ROUNDS} processes, ${REPEATS} later openings in each:\n`,
  );
  const head = ["reader", "open, first", "", "open, again", "", "metadata and tensors", "all tokens", "JS heap"];
  table([
    head,
    ...[ours, huggingface, hyllama].map(({ first, again, heap }, index) => [
      READERS[index] ?? "",
      time(first.open),
      `${(first.open / ours.first.open).toFixed(0)} ×`,
      time(again.open),
      `${(again.open / ours.again.open).toFixed(0)} ×`,
      index === 0 ? `+ ${time(first.lists)}, ${time(again.lists)}` : "included",
      index === 0 ? `+ ${time(first.tokens)}, ${time(again.tokens)}` : "included",
      `+ ${mib(heap)}`,
    ]),
  ]);

  const memoryLimit = size * 1.15 + 3 * MIB;
  /** @type {[goal: string, limit: string, first: number, again: number, most: { first: number, again: number }][]} */
  const times = [
    [
      "open",
      "@huggingface/gguf ÷ 100",
      ours.first.open,
      ours.again.open,
      { first: huggingface.first.open / 100, again: huggingface.again.open / 100 },
    ],
    [
      "open",
      "hyllama ÷ 20",
      ours.first.open,
      ours.again.open,
      { first: hyllama.first.open / 20, again: hyllama.again.open / 20 },
    ],
    ["all tokens", "12 ms", ours.first.tokens, ours.again.tokens, { first: 12, again: 12 }],
  ];
  console.log();
  table([
    ["figure", "goal: at most", "first", "", "again", ""],
    ...times.map(([goal, limit, first, again, most]) => [
      goal,
      limit,
      `${time(first)} of ${time(most.first)}`,
      verdict(first <= most.first),
      `${time(again)} of ${time(most.again)}`,
      verdict(again <= most.again),
    ]),
    [
      "WebAssembly memory",
      "header × 1.15 + 3 MiB",
      `${mib(ours.memory)} of ${mib(memoryLimit)}`,
      verdict(ours.memory <= memoryLimit),
      "",
      "",
    ],
    ["JS heap growth", "2 MiB", mib(ours.heap), verdict(ours.heap <= 2 * MIB), "", ""],
  ]);
}

function scale() {
  const chunks = [0, 4 * 1024, 64 * 1024, MIB];
  const files = [1, 4, 16, 60].map((megabytes) => header(`scale-${megabytes}`));
  const cases = files.flatMap((file) => chunks.map((chunk) => ({ file, chunk })));
  /** @type {Measured[][]} */
  const runs = cases.map(() => []);
  for (let round = 0; round < 3; round++) {
    for (const [index, { file, chunk }] of cases.entries()) {
      runs[index]?.push(measure("gguf-wasm", file, { chunk, repeats: REPEATS }));
    }
  }
  const figures = runs.map(medians);
  console.log("\nLater openings, and milliseconds per MB of header: from memory, and from a stream of chunks:\n");
  table([
    ["header", "in memory", "4 KiB", "64 KiB", "1 MiB", "WebAssembly memory"],
    ...files.map((file, row) => {
      const megabytes = statSync(file).size / MB;
      const measured = figures.slice(row * chunks.length, (row + 1) * chunks.length);
      return [
        `${megabytes.toFixed(1)} MB`,
        ...measured.map(({ again }) => `${time(again.open)}, ${(again.open / megabytes).toFixed(2)}`),
        mib(measured[0]?.memory ?? NaN),
      ];
    }),
  ]);
}

machine();
compare();
scale();
