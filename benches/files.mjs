// Measures splitting and merging of a local file of 1 GB against copying its bytes. `cargo xtask bench files` runs it.
//
// Copying is `pipeline(createReadStream, createWriteStream)` with chunks of 4 MiB. All three write to the same folder, in turns in
// one run, so that a slow moment of the machine affects all alike. Each runs in a process of its own, which reports its largest
// resident memory. FOLDER may be on a file system in memory, so that the disk does not decide.

import { execFile } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { machine, median, table, verdict } from "./report.mjs";

const GB = 1e9;
const TENSORS = 40;
const ROUNDS = 6;
const LEAST_OF_COPY = 0.8;
const MOST_MEMORY = 64 * 2 ** 20;
const CHUNK = 4 << 20;

const [dir, task] = process.argv.slice(2);
if (!dir) throw new Error("usage: files.mjs FOLDER [TASK]");
const folder = join(dir, "files");
const [model, shards, output] = ["model.gguf", "shards", "out"].map((name) => join(folder, name));
if (!model || !shards || !output) throw new Error("there are three paths");

/** The package is loaded before the measurement. */
const { fileSource, Gguf, GgufSet, GgufWriter } = await import("gguf-wasm/full/node");

/** @type {Record<string, () => Promise<void>>} */
const TASKS = {
  async copy() {
    await pipeline(createReadStream(model, { highWaterMark: CHUNK }), createWriteStream(join(output, "copy.gguf")));
  },
  async split() {
    const source = await fileSource(model);
    for (const { name, plan } of (await Gguf.open(source)).split({ maxTensors: 8 })) {
      await pipeline(plan.stream(), createWriteStream(join(output, name)));
    }
    await source.close();
  },
  async merge() {
    const names = await readdir(shards);
    const sources = await Promise.all(
      names.map(async (name) => Object.assign(await fileSource(join(shards, name)), { name })),
    );
    await pipeline((await GgufSet.open(sources)).merge().stream(), createWriteStream(join(output, "merged.gguf")));
    for (const source of sources) await source.close();
  },
};

if (task) {
  await mkdir(output, { recursive: true });
  const start = performance.now();
  await TASKS[task]?.();
  const time = performance.now() - start;
  console.log(JSON.stringify({ time, memory: process.resourceUsage().maxRSS * 1024 }));
  process.exit();
}

/** Writes a model of random bytes. */
async function writeModel() {
  const elements = GB / TENSORS;
  const writer = new GgufWriter();
  for (let index = 0; index < TENSORS; index++) writer.addTensor(`t${index}`, { dimensions: [elements], type: "I8" });
  const file = await open(model ?? "", "w");
  await file.write(writer.headerBytes());
  const bytes = new Uint8Array(elements);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  for (let index = 0; index < TENSORS; index++) await file.write(bytes);
  await file.close();
}

/** @param {string} name @param {string} [to] @returns {Promise<{ time: number, memory: number }>} */
async function run(name, to) {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), dir ?? "", name]);
  if (to) await promisify(execFile)("mv", [output ?? "", to]);
  else await rm(output ?? "", { recursive: true });
  return JSON.parse(stdout);
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await writeModel();
await run("split", shards);
/** @type {Record<string, { time: number[], memory: number[] }>} */
const figures = {};
const names = Object.keys(TASKS);
for (let round = 0; round < ROUNDS; round++) {
  for (const position of names.keys()) {
    // Each task is the first one in some rounds. Bytes that an earlier one has written are on the disk by then.
    const name = names[(position + round) % names.length] ?? "copy";
    await promisify(execFile)("sync");
    const { time, memory } = await run(name);
    const figure = (figures[name] ??= { time: [], memory: [] });
    figure.time.push(time);
    figure.memory.push(memory);
  }
}
const { size } = await stat(model);
await rm(folder, { recursive: true });

const copyTime = median(figures.copy?.time ?? []);
const rows = [["", "time", "bytes per second", "of copying", "memory", "more than copying"]];
let [isFast, isSmall] = [true, true];
for (const name of names) {
  const { time, memory } = figures[name] ?? { time: [], memory: [] };
  const [most, more] = [median(memory), median(memory) - median(figures.copy?.memory ?? [])];
  isFast &&= copyTime / median(time) >= LEAST_OF_COPY;
  isSmall &&= more < MOST_MEMORY;
  rows.push([
    name,
    `${median(time).toFixed(0)} ms`,
    `${(size / median(time) / 1e6).toFixed(2)} GB`,
    (copyTime / median(time)).toFixed(2),
    `${(most / 2 ** 20).toFixed(0)} MiB`,
    `${(more / 2 ** 20).toFixed(0)} MiB`,
  ]);
}
machine();
table(rows);
console.log(
  `\nAt least ${LEAST_OF_COPY} of copying: ${verdict(isFast)}. Less than 64 MiB more than copying: ${verdict(isSmall)}`,
);
