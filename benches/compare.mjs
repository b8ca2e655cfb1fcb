// Measures comparing two models of 20 MB with their values, the memory that comparing takes, and comparing headers with a million
// entries. Run by `cargo xtask bench compare`.
//
// Each run is a process of its own, which reports how much its largest resident memory grew after both headers were open. The
// models are local files.

import { execFile } from "node:child_process";
import { openSync, closeSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Gguf, compare, fileSource, ggmlTypes } from "gguf-wasm/full/node";
import { generator } from "../tests/support/chance.mjs";
import { ggufBytes, uint32 } from "../tests/support/gguf-bytes.mjs";
import { machine, median, table, verdict } from "./report.mjs";

const [dir, task] = process.argv.slice(2);
if (!dir) throw new Error("usage: compare.mjs FOLDER [TASK]");

const ROUNDS = 3;
const MIB = 1 << 20;
const MOST_TIME = 2000;
const MOST_MEMORY = 64 * MIB;
const TENSORS = 16;

/** @typedef {{ name: string, a: string, b: string, bytes: number, values: boolean, goal?: "time" | "memory" }} Task */

/** @type {Record<string, Task>} */
const TASKS = {
  q8: { name: "Q8_0 and Q8_0, values", a: "Q8_0", b: "Q8_0", bytes: 20e6, values: true, goal: "time" },
  q4: { name: "Q8_0 and Q4_K, values", a: "Q8_0", b: "Q4_K", bytes: 20e6, values: true, goal: "time" },
  iq: { name: "IQ2_XXS and IQ2_XXS, values", a: "IQ2_XXS", b: "IQ2_XXS", bytes: 20e6, values: true, goal: "time" },
  large: { name: "equal Q8_0, bytes", a: "Q8_0", b: "Q8_0", bytes: 1e9, values: false, goal: "memory" },
  largeValues: { name: "Q8_0 and F16, values", a: "Q8_0", b: "F16", bytes: 3e8, values: true, goal: "memory" },
};

/** The path of a model. @param {string} type @param {number} elements @param {string} side */
const pathOf = (type, elements, side) => join(dir, `compare-${type}-${elements}-${side}.gguf`);

/** The number of elements of both models: those that take the bytes in the type of the first one. @param {Task} task */
function elementsOf({ a, bytes }) {
  const type = ggmlTypes().find(({ name }) => name === a);
  if (!type) throw new Error(`there is no type ${a}`);
  return Math.floor(((bytes / type.typeSize) * type.blockSize) / TENSORS / 4096) * 4096 * TENSORS;
}

/** Writes a model of random blocks, whose scales are small. @param {string} name @param {number} elements @param {string} side @param {number} seed */
function writeModel(name, elements, side, seed) {
  const type = ggmlTypes().find((type) => type.name === name);
  if (!type) throw new Error(`there is no type ${name}`);
  const bytes = ((elements / type.blockSize) * type.typeSize) / TENSORS;
  const dimensions = [4096, elements / TENSORS / 4096];
  const tensors = Array.from({ length: TENSORS }, (_, index) => ({
    name: `t${index}`,
    dimensions,
    type: type.id,
    bytes,
  }));
  const random = generator(seed);
  const blocks = Math.floor(MIB / type.typeSize);
  const part = Uint8Array.from({ length: blocks * type.typeSize }, () => random() * 256);
  // The second byte of a half-precision number: less than 2.
  for (let at = 1; at < part.length; at += name === "F16" ? 2 : type.typeSize) part[at] = (part[at] ?? 0) & 0x3f;
  const file = openSync(pathOf(name, elements, side), "w");
  writeSync(file, ggufBytes([], tensors, 3, false, false));
  for (let written = 0; written < bytes * TENSORS; written += part.length) {
    writeSync(file, part, 0, Math.min(part.length, bytes * TENSORS - written));
  }
  closeSync(file);
}

if (task) {
  const { a, b, values } = /** @type {Task} */ (TASKS[task]);
  const elements = elementsOf(/** @type {Task} */ (TASKS[task]));
  const sources = [await fileSource(pathOf(a, elements, "a")), await fileSource(pathOf(b, elements, "b"))];
  const [first, second] = [await Gguf.open(sources[0] ?? ""), await Gguf.open(sources[1] ?? "")];
  const before = process.resourceUsage().maxRSS;
  const start = performance.now();
  await compare(first, second, { values });
  const time = performance.now() - start;
  console.log(JSON.stringify({ time, memory: (process.resourceUsage().maxRSS - before) * 1024 }));
  process.exit();
}

machine();
const rows = [["models", "bytes of the first", "time", "memory", "goal", ""]];
for (const [key, one] of Object.entries(TASKS)) {
  const { name, a, b, bytes, goal, values } = one;
  const elements = elementsOf(one);
  writeModel(a, elements, "a", 1);
  writeModel(b, elements, "b", values ? 2 : 1);
  /** @type {{ time: number, memory: number }[]} */
  const runs = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), dir, key]);
    runs.push(JSON.parse(stdout));
  }
  rmSync(pathOf(a, elements, "a"));
  rmSync(pathOf(b, elements, "b"));
  const [time, memory] = [median(runs.map(({ time }) => time)), median(runs.map(({ memory }) => memory))];
  const isReached = goal === "time" ? time < MOST_TIME : memory < MOST_MEMORY;
  const shown = goal === "time" ? "under 2 s" : "under 64 MiB";
  const size = `${(bytes / 1e6).toFixed(0)} MB`;
  rows.push([name, size, `${time.toFixed(0)} ms`, `${(memory / MIB).toFixed(0)} MiB`, shown, verdict(isReached)]);
}
table(rows);

const COUNT = 1_000_000;
/** @param {number} from */
const keys = (from) =>
  Array.from(
    { length: COUNT },
    (_, index) => /** @type {[string, ReturnType<typeof uint32>]} */ ([`k${from + index}`, uint32(1)]),
  );
const limits = { headerBytes: 1 << 30 };
const [a, b] = [
  await Gguf.open(ggufBytes(keys(0)), { limits }),
  await Gguf.open(ggufBytes(keys(COUNT / 2)), { limits }),
];
let [longest, last] = [0, performance.now()];
const timer = setInterval(() => {
  longest = Math.max(longest, performance.now() - last);
  last = performance.now();
}, 0);
const start = performance.now();
const { entryCount } = await compare(a, b);
const time = performance.now() - start;
clearInterval(timer);
console.log(
  `\nHeaders with ${COUNT} entries, ${entryCount} differences: ${time.toFixed(0)} ms; the longest time without a turn for others: ${longest.toFixed(0)} ms.`,
);
