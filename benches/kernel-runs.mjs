// One measurement of one type's kernel, as JSON. Run in a process of its own, so that it starts cold and a trap ends
// nothing else.

import { setTimeout as sleep } from "node:timers/promises";
import { Gguf, dequantize } from "gguf-wasm";
import { ggufBytes } from "../tests/support/gguf-bytes.mjs";
import { kernels } from "../tests/support/kernels.mjs";
import { OUTPUT, STATISTICS_CALLS, blocksOf, typeOf } from "./blocks.mjs";

/** @typedef {import("./blocks.mjs").Type} Type */
/** @typedef {() => unknown} Run */
/** @typedef {{ ours: number[], other: number[], ratios: number[] }} Compared times in milliseconds; other ÷ ours */

const ROUNDS = 101;

/** What the package converts at once, in bytes of `f32`s. */
const PIECE = 64 << 10;

/** What is converted at once in a cold start, and in all, in bytes of `f32`s. */
const [COLD_PIECE, COLD_TOTAL] = [256 << 10, 16 << 20];

/**
 * Runs both until they have been compiled as well as they will be: the engine counts calls and loops, and compiles aside.
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
 * Both in turns, so that a slow moment of the machine meets both.
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
 * The kernels' module with blocks of a type in its memory, and room for their floats.
 *
 * @param {"scalar" | "simd128"} name
 * @param {Type} type
 * @param {number} bytes of floats
 */
async function loaded(name, type, bytes) {
  const instance = await kernels(name);
  const blocks = await blocksOf(type, bytes / 4);
  const [from, to] = [instance.blocks(blocks.length), instance.out(bytes / 4)];
  new Uint8Array(instance.memory.buffer, from, blocks.length).set(blocks);
  const out = new Float32Array(instance.memory.buffer, to, bytes / 4);
  // What memory costs when it is touched first is not the kernel's.
  out.fill(1);
  return { instance, out, convert: () => instance.to_f32(type.id) };
}

/**
 * Stores a piece and copies it out, until the output is made. Some processors copy ten times slower if a destination lies
 * little further in its page than the source does: this is the fastest of several places.
 *
 * @returns {Promise<Run>}
 */
async function storeAndCopyOut() {
  const { instance, out: piece } = await loaded("simd128", typeOf("F32"), PIECE);
  const buffer = new ArrayBuffer(OUTPUT + 4096);
  let [fastest, least] = [() => {}, Infinity];
  for (const offset of [0, 1024, 2048, 3072]) {
    const out = new Float32Array(buffer, offset, OUTPUT / 4).fill(1);
    const run = () => {
      for (let at = 0; at < out.length; at += piece.length) {
        instance.store();
        out.set(piece, at);
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
  /** Warm, against vectors stored over the same memory; `f32`s against `memory.copy`. */
  async throughput(type) {
    const { instance, convert } = await loaded("simd128", type, OUTPUT);
    return compare(convert, type.name === "F32" ? instance.copy : instance.store);
  },

  /** Warm, against the module without vectors. */
  async scalar(type) {
    const [simd128, scalar] = [await loaded("simd128", type, OUTPUT), await loaded("scalar", type, OUTPUT)];
    return compare(simd128.convert, scalar.convert, Math.ceil(ROUNDS / 3));
  },

  /** The first calls of an instance that was just made, against as many when it is warm. */
  async cold(type) {
    const { convert } = await loaded("simd128", type, COLD_PIECE);
    const run = () => {
      for (let made = 0; made < COLD_TOTAL; made += COLD_PIECE) convert();
    };
    const first = await time(run);
    await warm([run]);
    const again = [];
    for (let round = 0; round < 15; round++) again.push(await time(run));
    return { first, again };
  },

  /** `dequantize` into an array that is there, against storing the same in pieces and copying each out. */
  async package(type) {
    const blocks = await blocksOf(type, OUTPUT / 4);
    const out = new Float32Array(OUTPUT / 4).fill(1);
    return compare(() => dequantize(type.name, blocks, out), await storeAndCopyOut());
  },

  /** Kernel and statistics, a piece at a time and without JavaScript's memory, against the store limit. */
  async statistics(type) {
    const { instance, convert } = await loaded("simd128", type, PIECE);
    const limit = await loaded("simd128", typeOf("F32"), OUTPUT);
    const ours = () => {
      instance.statistics_clear();
      for (let made = 0; made < OUTPUT; made += PIECE) {
        convert();
        instance.statistics_push();
      }
      instance.statistics_summary();
    };
    return compare(ours, limit.instance.store, Math.ceil(ROUNDS / 3));
  },

  /** `gguf.statistics` of a tensor of a file in memory, against the store limit over as many bytes. */
  async "package-statistics"(type) {
    const elements = (STATISTICS_CALLS * OUTPUT) / 4;
    const blocks = await blocksOf(type, elements);
    const info = { name: "weights", dimensions: [4096, elements / 4096], type: type.id, bytes: blocks.length };
    const file = ggufBytes([], [info]);
    const gguf = await Gguf.open(file);
    file.set(blocks, gguf.dataOffset);
    const { instance } = await loaded("simd128", typeOf("F32"), OUTPUT);
    const store = () => {
      for (let call = 0; call < STATISTICS_CALLS; call++) instance.store();
    };
    return compare(() => gguf.statistics("weights"), store, Math.ceil(ROUNDS / 3));
  },
};

const [what = "", type = ""] = process.argv.slice(2);
const measurement = measurements[what];
if (!measurement) throw new Error(`nothing is measured as ${what}`);
console.log(JSON.stringify(await measurement(typeOf(type))));
