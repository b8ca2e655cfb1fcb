// Measures the quantizers of all tensor types inside WebAssembly, on one thread: simd128 and scalar, with and without
// importance. Then it measures whole models: quantize-model.mjs. `cargo xtask bench quantize` builds the kernel modules and runs this
// script. To measure only some types, run the script by hand with a folder and the names of the types. quantize-runs.mjs measures the
// times, each type in its own process.

import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TYPES } from "./blocks.mjs";
import { machine, median, table, verdict } from "./report.mjs";

const RUNS = fileURLToPath(new URL("quantize-runs.mjs", import.meta.url));
const MODEL = fileURLToPath(new URL("quantize-model.mjs", import.meta.url));

/** The goals without importance, in millions of weights per second. Types that require importance are measured with it. */
const GOALS = {
  F16: 600,
  BF16: 600,
  Q4_0: 250,
  Q8_0: 180,
  Q2_K: 5,
  Q3_K: 9,
  Q4_K: 9,
  Q5_K: 9,
  Q6_K: 20,
  IQ2_XS: 0.8,
  IQ3_S: 2,
  IQ4_NL: 4,
  IQ4_XS: 4,
  TQ2_0: 150,
  MXFP4: 120,
};

/**
 * What ggml's own C code reaches on a machine of this kind, compiled natively. This script does not run it.
 *
 * @type {Record<string, string>}
 */
const NATIVE = {
  Q4_0: "607",
  Q8_0: "159 to 256",
  Q4_K: "5 to 16",
  Q6_K: "30 to 35",
  IQ2_XS: "0.9",
  IQ3_S: "2.6",
  IQ4_NL: "4",
  MXFP4: "218",
};

/** The types of which importance changes the blocks, by the start of the name. Q8_K is none. */
const WITH_IMPORTANCE = /^(Q[45]_[01]|Q[2-6]_K|IQ.*)$/;
/** The types that are not quantized without importance. */
const REQUIRING_IMPORTANCE = ["IQ1_S", "IQ2_XXS", "IQ2_XS"];

/**
 * @param {string} type
 * @param {"scalar" | "simd128"} module
 * @param {boolean} withImportance
 * @returns {Promise<number | undefined>} millions of weights per second, `undefined` if there is no quantizer
 */
async function speed(type, module, withImportance) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    RUNS,
    type,
    module,
    withImportance ? "importance" : "none",
  ]);
  /** @type {number[] | null} */
  const speeds = JSON.parse(stdout);
  return speeds ? median(speeds) / 1e6 : undefined;
}

/** @param {number | undefined} speed */
const shown = (speed) =>
  speed === undefined ? "" : speed < 100 ? speed.toFixed(1 + Number(speed < 10)) : speed.toFixed(0);

const [dir, ...only] = process.argv.slice(2);
if (!dir) throw new Error("usage: quantize.mjs FOLDER [TYPE...]");
const names = TYPES.map(({ name }) => name).filter((name) => only.length === 0 || only.includes(name));

machine();
console.log(
  "Millions of weights per second, inside WebAssembly, one thread, rows of 4096 normally distributed weights:\n",
);
const rows = [["type", "simd128", "scalar", "with importance", "scalar", "goal", "", "ggml, native"]];
for (const name of names) {
  const isRequired = REQUIRING_IMPORTANCE.includes(name);
  const without = isRequired ? undefined : await speed(name, "simd128", false);
  if (!isRequired && without === undefined) continue;
  const scalar = isRequired ? undefined : await speed(name, "scalar", false);
  const hasImportance = WITH_IMPORTANCE.test(name);
  const weighted = hasImportance ? await speed(name, "simd128", true) : undefined;
  const scalarWeighted = hasImportance ? await speed(name, "scalar", true) : undefined;
  const goal = /** @type {Record<string, number>} */ (GOALS)[name];
  rows.push([
    name,
    shown(without),
    shown(scalar),
    shown(weighted),
    shown(scalarWeighted),
    goal === undefined ? "" : String(goal),
    goal === undefined ? "" : verdict((without ?? weighted ?? 0) >= goal),
    NATIVE[name] ?? "",
  ]);
}
table(rows);
if (only.length === 0) {
  console.log();
  execFileSync(process.execPath, [MODEL, dir], { stdio: "inherit" });
}
