// Measures whole models through `requantize`: how fast a stream of the new file is in comparison with copying the model, and how much
// faster two workers are than one. quantize.mjs runs it last. The arguments are a folder, and how often everything is measured.

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Gguf, requantize } from "gguf-wasm/convert/node";
import { Gguf as EditableGguf } from "gguf-wasm/full/node";
import { generator } from "../tests/support/chance.mjs";
import { ggufBytes } from "../tests/support/gguf-bytes.mjs";
import { machine, median, table, verdict } from "./report.mjs";

const [dir, rounds = "5"] = process.argv.slice(2);
if (!dir) throw new Error("usage: quantize-model.mjs FOLDER [ROUNDS]");

const DIMENSIONS = [4096, 1024];
const TENSOR = 2 * 4096 * 1024;
const F16 = 1;

/**
 * Writes a model of F16 tensors. All have the same weights, which has no effect on the speed.
 *
 * @param {string} path
 * @param {number} count
 * @returns {number} The size of the file in bytes.
 */
function writeModel(path, count) {
  const name = (/** @type {number} */ i) => `blk.${i}.attn_output.weight`;
  const tensors = Array.from({ length: count }, (_, i) => ({
    name: name(i),
    dimensions: DIMENSIONS,
    type: F16,
    bytes: TENSOR,
  }));
  const header = ggufBytes([["general.architecture", { type: "string", value: "llama" }]], tensors, 3, false, false);
  const weights = normalWeights();
  const file = openSync(path, "w");
  writeSync(file, header);
  for (let i = 0; i < count; i += 1) writeSync(file, weights);
  closeSync(file);
  return header.length + count * TENSOR;
}

/** The weights of a tensor: a normal distribution with a deviation of 0.02. */
function normalWeights() {
  const random = generator(16);
  const numbers = Float32Array.from({ length: TENSOR / 2 }, () => {
    return 0.02 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  });
  const bits = new Uint32Array(numbers.buffer);
  // Without subnormal numbers, and rounded towards zero.
  return new Uint8Array(
    Uint16Array.from(bits, (bits) => {
      const exponent = ((bits >> 23) & 255) - 112;
      return ((bits >>> 16) & 0x8000) | (exponent <= 0 ? 0 : (exponent << 10) | ((bits >> 13) & 1023));
    }).buffer,
  );
}

/** @param {ReadableStream<Uint8Array>} stream */
async function drain(stream) {
  for await (const chunk of stream) if (chunk.length === 0) throw new Error("an empty chunk");
}

/**
 * The milliseconds of some work, and the milliseconds that all processors together have worked for it.
 *
 * @param {() => Promise<void>} work
 */
async function timed(work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { elapsed: performance.now() - start, worked: (user + system) / 1000 };
}

/**
 * Converts a model to a stream that nobody writes.
 *
 * @param {string} path
 * @param {string} type
 * @param {number} workers
 */
async function convert(path, type, workers) {
  const gguf = await Gguf.open(path);
  const plan = await requantize(gguf, { type, workers });
  await drain(plan.stream());
  plan.free();
  gguf.free();
}

/** Copies a model to a stream that nobody writes: the plan of an editor without changes. @param {string} path */
async function copy(path) {
  const gguf = await EditableGguf.open(path);
  await drain(gguf.edit().plan().stream());
  gguf.free();
}

/**
 * Does all works in turns. Returns the median times of each.
 *
 * @param {readonly (() => Promise<void>)[]} works
 */
async function inTurns(works) {
  const times = works.map(() => /** @type {Awaited<ReturnType<typeof timed>>[]} */ ([]));
  for (const work of works) await work();
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const [i, work] of works.entries()) times[i]?.push(await timed(work));
  }
  return times.map((measured) => ({
    elapsed: median(measured.map(({ elapsed }) => elapsed)),
    worked: median(measured.map(({ worked }) => worked)),
  }));
}

machine();
const path = join(dir, "quantize.gguf");
try {
  const size = writeModel(path, 160);
  const [copied, ...converted] = await inTurns([
    () => copy(path),
    () => convert(path, "Q8_0", 0),
    () => convert(path, "Q8_0", 1),
    () => convert(path, "Q8_0", 2),
  ]);
  const speed = (/** @type {number} */ elapsed) => `${(size / 1e6 / elapsed).toFixed(2)} GB/s`;
  const copyTime = copied?.elapsed ?? NaN;
  console.log(`A model of ${(size / 1e9).toFixed(2)} GB F16 as a stream that nobody writes, ${rounds} rounds:\n`);
  table([
    ["stream", "F16 a second", "of the speed of copying", "goal", "", "processor time"],
    ["copied", speed(copyTime), "1.00", "", "", `${copied?.worked.toFixed(0)} ms`],
    ...converted.map(({ elapsed, worked }, workers) => [
      `Q8_0, ${workers === 0 ? "no worker" : workers === 1 ? "1 worker" : `${workers} workers`}`,
      speed(elapsed),
      (copyTime / elapsed).toFixed(2),
      workers === 2 ? "0.5" : "",
      workers === 2 ? verdict(copyTime / elapsed >= 0.5) : "",
      `${worked.toFixed(0)} ms`,
    ]),
  ]);
  writeModel(path, 12);
  const [one, two] = await inTurns([() => convert(path, "Q4_K_M", 1), () => convert(path, "Q4_K_M", 2)]);
  const factor = (one?.elapsed ?? NaN) / (two?.elapsed ?? NaN);
  console.log(
    `\nTo Q4_K_M, 12 tensors: ${one?.elapsed.toFixed(0)} ms with one worker, ${two?.elapsed.toFixed(0)} ms with two: ` +
      `${factor.toFixed(2)} times as fast (goal: 1.7, ${verdict(factor >= 1.7)})`,
  );
} finally {
  rmSync(path, { force: true });
}
