// Makes one measurement of the kernel of one tensor type and prints it as JSON. It runs in its own process, so that it
// starts cold and a trap does not end other measurements.

import { setTimeout as sleep } from "node:timers/promises";
import { Gguf, dequantize } from "gguf-wasm/full";
import { ggufBytes } from "../tests/support/gguf-bytes.mjs";
import { kernels } from "../tests/support/kernels.mjs";
import { OUTPUT, STATISTICS_CALLS, blocksOf, typeOf } from "./blocks.mjs";

/** @typedef {import("./blocks.mjs").Type} Type */
/** @typedef {() => unknown} Run */
/** @typedef {{ ours: number[], other: number[], ratios: number[] }} Compared times in milliseconds, and other ÷ ours */

const ROUNDS = 101;

/** The bytes of `f32` output that the package converts in one step. */
const BUFFER_LENGTH = 64 << 10;

/** The bytes of `f32` output of one call of a cold start, and of all its calls. */
const [COLD_CALL, COLD_TOTAL] = [256 << 10, 16 << 20];

/**
 * Calls the functions until the engine has compiled them with its best compiler, which runs in the background after
 * enough calls.
 *
 * @param {Run[]} runs
 */
async function warm(runs) {
  for (let turn = 0; turn < 3; turn++) {
    const until = performance.now() + 40;
    for (let calls = 0; calls < 10 || performance.now() < until; calls++) {
      for (const run of runs) await run();
    }
    await sleep(20);
  }
}

/** @param {Run} run */
async function time(run) {
  const start = performance.now();
  const result = run();
  if (result instanceof Promise) await result;
  return performance.now() - start;
}

/**
 * Measures both functions in turns, so that a slow moment of the machine affects both alike.
 *
 * @param {Run} ours
 * @param {Run} other
 * @param {number} [rounds]
 * @returns {Promise<Compared>}
 */
async function compare(ours, other, rounds = ROUNDS) {
  await warm([ours, other]);
  /** @type {Compared} */
  const times = { ours: [], other: [], ratios: [] };
  for (let round = 0; round < rounds; round++) {
    const [theirTime, ourTime] = [await time(other), await time(ours)];
    times.ours.push(ourTime);
    times.other.push(theirTime);
    times.ratios.push(theirTime / ourTime);
  }
  return times;
}

/**
 * An instance of a kernel module, with blocks of a type in its memory and space for their floats.
 *
 * @param {"scalar" | "simd128"} name
 * @param {Type} type
 * @param {number} bytes of output
 */
async function loadKernel(name, type, bytes) {
  const instance = await kernels(name);
  const blocks = await blocksOf(type, bytes / 4);
  const [from, to] = [instance.blocks(blocks.length), instance.out(bytes / 4)];
  new Uint8Array(instance.memory.buffer, from, blocks.length).set(blocks);
  const out = new Float32Array(instance.memory.buffer, to, bytes / 4);
  // The first access to memory is slow. That time is not the kernel's.
  out.fill(1);
  return { instance, out, convert: () => instance.to_f32(type.id) };
}

/**
 * A loop that stores a buffer and copies it out until the output is full. Some processors copy ten times slower if the
 * destination has a slightly higher offset in its page than the source. So several destinations are tried, and the
 * fastest is used.
 *
 * @returns {Promise<Run>}
 */
async function storeAndCopyOut() {
  const { instance, out: buffered } = await loadKernel("simd128", typeOf("F32"), BUFFER_LENGTH);
  const buffer = new ArrayBuffer(OUTPUT + 4096);
  let [fastest, least] = [() => {}, Infinity];
  for (const offset of [0, 1024, 2048, 3072]) {
    const out = new Float32Array(buffer, offset, OUTPUT / 4).fill(1);
    const run = () => {
      for (let at = 0; at < out.length; at += buffered.length) {
        instance.store();
        out.set(buffered, at);
      }
    };
    await warm([run]);
    const taken = Math.min(await time(run), await time(run), await time(run));
    if (taken < least) [fastest, least] = [run, taken];
  }
  return fastest;
}

/** @type {Record<string, (type: Type) => Promise<unknown>>} */
const measurements = {
  /** A warm kernel, compared with the store limit; F32 is compared with `memory.copy`. */
  async throughput(type) {
    const { instance, convert } = await loadKernel("simd128", type, OUTPUT);
    return compare(convert, type.name === "F32" ? instance.copy : instance.store);
  },

  /** A warm simd128 kernel, compared with the scalar kernel. */
  async scalar(type) {
    const [simd128, scalar] = [await loadKernel("simd128", type, OUTPUT), await loadKernel("scalar", type, OUTPUT)];
    return compare(simd128.convert, scalar.convert, Math.ceil(ROUNDS / 3));
  },

  /** The first calls of a new instance, and the same number of calls when it is warm. */
  async cold(type) {
    const { convert } = await loadKernel("simd128", type, COLD_CALL);
    const run = () => {
      for (let made = 0; made < COLD_TOTAL; made += COLD_CALL) convert();
    };
    const first = await time(run);
    await warm([run]);
    const again = [];
    for (let round = 0; round < 15; round++) again.push(await time(run));
    return { first, again };
  },

  /** `dequantize` into an existing array, compared with a loop that stores and copies out the same bytes. */
  async package(type) {
    const blocks = await blocksOf(type, OUTPUT / 4);
    const out = new Float32Array(OUTPUT / 4).fill(1);
    return compare(() => dequantize(type.name, blocks, out), await storeAndCopyOut());
  },

  /** The kernel and the statistics inside WebAssembly, buffer by buffer, compared with the store limit. */
  async statistics(type) {
    const { instance, convert } = await loadKernel("simd128", type, BUFFER_LENGTH);
    const limit = await loadKernel("simd128", typeOf("F32"), OUTPUT);
    const ours = () => {
      instance.statistics_clear();
      for (let made = 0; made < OUTPUT; made += BUFFER_LENGTH) {
        convert();
        instance.statistics_push();
      }
      instance.statistics_summary();
    };
    return compare(ours, limit.instance.store, Math.ceil(ROUNDS / 3));
  },

  /** `gguf.statistics` of a tensor of a file in memory, compared with the store limit for the same number of bytes. */
  async "package-statistics"(type) {
    const elements = (STATISTICS_CALLS * OUTPUT) / 4;
    const blocks = await blocksOf(type, elements);
    const info = { name: "weights", dimensions: [4096, elements / 4096], type: type.id, bytes: blocks.length };
    const file = ggufBytes([], [info]);
    const gguf = await Gguf.open(file);
    file.set(blocks, gguf.dataOffset);
    const { instance } = await loadKernel("simd128", typeOf("F32"), OUTPUT);
    const store = () => {
      for (let call = 0; call < STATISTICS_CALLS; call++) instance.store();
    };
    return compare(() => gguf.statistics("weights"), store, Math.ceil(ROUNDS / 3));
  },
};

const [what = "", type = ""] = process.argv.slice(2);
const measurement = measurements[what];
if (!measurement) throw new Error(`unknown measurement ${what}: choose from ${Object.keys(measurements).join(", ")}`);
console.log(JSON.stringify(await measurement(typeOf(type))));
