// Measures how fast a local file of 1 GB is hashed, in turns with `node:crypto`. Run by `cargo xtask bench hash`.
//
// `node:crypto` reads the same file with a stream of parts of 1 MiB, the size that `gguf.hash` reads. "WebAssembly" is the
// module's own code, as in browsers: `process.getBuiltinModule` is hidden from it. Figures are medians of the rounds.

import { createHash } from "node:crypto";
import { createReadStream, rmSync } from "node:fs";
import { join } from "node:path";
import { Gguf, fileSource } from "gguf-wasm/full/node";
import { writeRandomTensors } from "./local-file.mjs";
import { machine, median, table, verdict } from "./report.mjs";

/** @import { HashOptions } from "gguf-wasm/full" */

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: hash.mjs FOLDER");

const ROUNDS = 3;
const MIB = 1 << 20;
const [TENSORS, TENSOR] = [10, 96 * MIB];
const SIZE = TENSORS * TENSOR;
const path = join(dir, "hash.gguf");

writeRandomTensors(path, TENSORS, TENSOR);
machine();
const source = await fileSource(path);
const gguf = await Gguf.open(source);

/** @type {(options: HashOptions) => () => Promise<unknown>} */
const ours = (options) => () => gguf.hash(options);
/** @param {() => Promise<unknown>} run */
const inWebAssembly = (run) => async () => {
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    await run();
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
};
/** @param {string} algorithm */
const nodeCrypto = (algorithm) => async () => {
  const hash = createHash(algorithm);
  for await (const part of createReadStream(path, { highWaterMark: MIB })) hash.update(part);
  hash.digest();
};

const sha256 = ours({ algorithms: ["sha256"], tensors: false });
const sha1 = ours({ algorithms: ["sha1"], tensors: false });
/** The name, the goal as a share of `node:crypto` or in GB/s, and the run. @type {[string, string, () => Promise<unknown>][]} */
const RUNS = [
  ["sha256, `node:crypto`", "", nodeCrypto("sha256")],
  ["sha256, gguf-wasm in Node.js", "0.8 of it", sha256],
  ["sha256, gguf-wasm in WebAssembly", "0.2 of it", inWebAssembly(sha256)],
  ["xxh64, gguf-wasm", "1 GB/s", ours({ tensors: false })],
  ["xxh64 of each tensor too, gguf-wasm", "", ours({})],
  ["sha1, gguf-wasm in WebAssembly", "", inWebAssembly(sha1)],
];
const times = RUNS.map(() => /** @type {number[]} */ ([]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, [, , run]] of RUNS.entries()) {
    const start = performance.now();
    await run();
    times[index]?.push(performance.now() - start);
  }
}
await source.close();
rmSync(path);

const speeds = times.map((figures) => SIZE / 1e6 / median(figures));
const [reference = NaN] = speeds;
console.log(`A local file of ${(SIZE / 1e9).toFixed(2)} GB, ${ROUNDS} rounds:\n`);
table([
  ["hash", "speed", "share of sha256 of `node:crypto`", "goal: at least", ""],
  ...RUNS.map(([name, goal], index) => {
    const speed = speeds[index] ?? NaN;
    const reached = goal.endsWith("it") ? speed / reference >= Number.parseFloat(goal) : speed >= 1;
    return [name, `${speed.toFixed(2)} GB/s`, (speed / reference).toFixed(2), goal, goal && verdict(reached)];
  }),
]);
