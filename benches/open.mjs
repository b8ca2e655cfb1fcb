// Opening headers, beside other readers of GGUF: `cargo xtask bench` makes the headers and runs this.
//
// Every measurement is the first and only thing that a fresh process of Node.js does, as opening a model is the first
// thing that a page does: nothing is warm. The bytes are in memory before the clock starts, and the reader is imported.
// The readers take turns, so that a slow moment of the machine meets all of them. Figures are medians.

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {import("./contender.mjs").Measured} Measured */

const CONTENDER = fileURLToPath(new URL("contender.mjs", import.meta.url));
const ROUNDS = 9;
const MB = 1e6;
const MIB = 2 ** 20;

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: open.mjs FOLDER");
/** @param {string} name */
const header = (name) => join(dir, `${name}.gguf`);

/**
 * @param {string} reader
 * @param {string} file
 * @param {number} chunk
 * @returns {Measured}
 */
function measure(reader, file, chunk) {
  const args = ["--expose-gc", "--max-old-space-size=8192", CONTENDER, reader, file, String(chunk)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

/**
 * The median of each figure, over rounds in which every case has its turn.
 *
 * @param {{ reader: string, file: string, chunk?: number }[]} cases
 * @param {number} rounds
 * @returns {Measured[]}
 */
function medians(cases, rounds) {
  const runs = Array.from({ length: rounds }, () =>
    cases.map(({ reader, file, chunk = 0 }) => measure(reader, file, chunk)),
  );
  return cases.map((_, index) => {
    const median = (/** @type {keyof Measured} */ figure) => {
      const sorted = runs.map((run) => run[index]?.[figure] ?? NaN).sort((a, b) => a - b);
      return sorted[sorted.length >> 1] ?? NaN;
    };
    return {
      open: median("open"),
      lists: median("lists"),
      tokens: median("tokens"),
      heap: median("heap"),
      memory: median("memory"),
    };
  });
}

/** @param {number} ms */
const time = (ms) => `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
/** @param {number} bytes */
const mib = (bytes) => `${(bytes / MIB).toFixed(1)} MiB`;
/** @param {string[][]} rows the first is the head; columns after the first are figures */
function table(rows) {
  const [head = [], ...body] = rows;
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  console.log([head, rule, ...body].map((row) => `| ${row.join(" | ")} |`).join("\n"));
}

const llama3 = header("llama3");
const size = statSync(llama3).size;
console.log(`Node.js ${process.version}, ${cpus()[0]?.model.trim()}, medians of ${ROUNDS} fresh processes\n`);

const names = ["gguf-wasm", "@huggingface/gguf", "hyllama"];
const compared = medians(
  names.map((reader) => ({ reader, file: llama3 })),
  ROUNDS,
);
const [ours, huggingface, hyllama] = /** @type {[Measured, Measured, Measured]} */ (compared);
console.log(`A header like Llama 3's, ${(size / MB).toFixed(1)} MB:\n`);
table([
  ["reader", "open", "of gguf-wasm's", "metadata and tensors as objects", "all tokens as an array", "JS heap after"],
  ...compared.map((figures, index) => [
    names[index] ?? "",
    time(figures.open),
    `${(figures.open / ours.open).toFixed(0)} ×`,
    index === 0 ? `+ ${time(figures.lists)}` : "included",
    index === 0 ? `+ ${time(figures.tokens)}` : "included",
    `+ ${mib(figures.heap)}`,
  ]),
]);

const memory = ours.memory ?? NaN;
const memoryLimit = size * 1.15 + 3 * MIB;
console.log();
table([
  ["goal", "limit", "measured", ""],
  .../** @type {[string, string, string, boolean][]} */ ([
    [
      "open",
      `${time(huggingface.open / 100)} (@huggingface/gguf ÷ 100)`,
      time(ours.open),
      ours.open < huggingface.open / 100,
    ],
    ["open", `${time(hyllama.open / 20)} (hyllama ÷ 20)`, time(ours.open), ours.open < hyllama.open / 20],
    ["all tokens as an array", time(12), time(ours.tokens), ours.tokens < 12],
    ["WebAssembly memory", `${mib(memoryLimit)} (header × 1.15 + 3 MiB)`, mib(memory), memory <= memoryLimit],
    ["JS heap growth", mib(2 * MIB), mib(ours.heap), ours.heap < 2 * MIB],
  ]).map(([goal, limit, measured, reached]) => [goal, limit, measured, reached ? "reached" : "missed"]),
]);

const chunks = [0, 4 * 1024, 64 * 1024, MIB];
const scales = [1, 4, 16, 60].map((megabytes) => header(`scale-${megabytes}`));
const cases = scales.flatMap((file) => chunks.map((chunk) => ({ reader: "gguf-wasm", file, chunk })));
const scaled = medians(cases, 3);
console.log("\nTime to open, and per MB of header, in memory and from a stream of pieces (medians of 3):\n");
table([
  ["header", "in memory", "4 KiB", "64 KiB", "1 MiB", "WebAssembly memory"],
  ...scales.map((file, row) => {
    const megabytes = statSync(file).size / MB;
    const figures = scaled.slice(row * chunks.length, (row + 1) * chunks.length);
    return [
      `${megabytes.toFixed(1)} MB`,
      ...figures.map(({ open }) => `${time(open)}, ${(open / megabytes).toFixed(2)}`),
      mib(figures[0]?.memory ?? NaN),
    ];
  }),
]);
