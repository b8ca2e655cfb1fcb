// Makes one measurement of the quantizer of one tensor type and prints it as JSON: the weights per second of each call. It runs
// in its own process, so that the engine's knowledge of other types has no effect.

import { setTimeout as sleep } from "node:timers/promises";
import { generator } from "../tests/support/chance.mjs";
import { kernels } from "../tests/support/kernels.mjs";
import { typeOf } from "./blocks.mjs";

const ROW_LENGTH = 4096;
/** The time of all measured calls in milliseconds. */
const MEASURED = 400;

/** Weights of a layer: a normal distribution with a deviation of 0.02. @param {() => number} random */
const weight = (random) => 0.02 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const [name = "", module = "", withImportance = ""] = process.argv.slice(2);
const type = typeOf(name);
const instance = await kernels(/** @type {"scalar" | "simd128"} */ (module));
if (!instance.quantizer_of(type.id)) {
  console.log("null");
  process.exit();
}
const random = generator(type.id);
const elements = (name.startsWith("IQ") ? 4 : 32) * ROW_LENGTH;
const importanceLength = withImportance === "importance" ? ROW_LENGTH : 0;
const [rows, importance] = [instance.out(elements), instance.importance(importanceLength)];
instance.blocks((elements / type.blockSize) * type.typeSize);
new Float32Array(instance.memory.buffer, rows, elements).forEach((_, i, array) => (array[i] = weight(random)));
new Float32Array(instance.memory.buffer, importance, importanceLength).forEach(
  (_, i, array) => (array[i] = weight(random) ** 2 + 1e-6),
);

function time() {
  const start = performance.now();
  if (!instance.quantize(ROW_LENGTH)) throw new Error(`the quantizer of ${name} refuses the rows`);
  return performance.now() - start;
}

// The best compiler of the engine runs in the background after enough calls.
for (let turn = 0; turn < 3; turn++) {
  const until = performance.now() + 60;
  do time();
  while (performance.now() < until);
  await sleep(20);
}
const speeds = [];
const until = performance.now() + MEASURED;
while (speeds.length < 5 || performance.now() < until) speeds.push((elements / time()) * 1000);
console.log(JSON.stringify(speeds));
