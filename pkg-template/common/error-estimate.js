// Estimates the errors of a conversion, from some rows of each tensor.

import { GgufError } from "../gguf-error.js";
import { checkedOptions, isCount } from "./given-options.js";
import { meanErrors, typesBySize } from "./mean-errors.js";
import { randomOf, rowCountOf } from "./sampled-rows.js";
import { tryTypes } from "./tensor-trial.js";

/** @import { ConversionTensor, ErrorEstimate, ErrorEstimateOptions, GgmlTypeInfo } from "gguf-wasm/convert" */
/** @import { Errors, Outcome, RunJob, Sample } from "./tensor-trial.js" */

/**
 * What the estimate uses of a plan.
 *
 * @typedef {object} EstimatedPlan
 * @property {number} size
 * @property {readonly ConversionTensor[]} tensors
 * @property {() => readonly { name: string, size: number }[]} fileTypes
 * @property {() => [names: string, ...types: number[]]} _typesOfTensors
 * @property {(tensor: number, first: number, count: number, options: object) => Promise<Sample>} _sampleRows
 */

/**
 * What the entry gives to the estimate.
 *
 * @typedef {object} Host
 * @property {(job: object) => object} runJob
 * @property {() => readonly GgmlTypeInfo[]} ggmlTypes
 * @property {{ defaultCount(): number, start(count: number, module: object, signal: AbortSignal): Promise<any> } | undefined} starter
 * @property {number | undefined} count the number of workers that the caller wants
 * @property {object} module
 */

/** @type {import("./given-options.js").KnownOptions} */
const OPTIONS = {
  rows: ["a whole number from 1", isCount],
  fileTypes: [
    "an array of names of file types",
    (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  ],
  withoutImportance: ["a boolean", (value) => typeof value === "boolean"],
  onProgress: ["a function", (value) => typeof value === "function"],
  signal: ["an AbortSignal", (value) => typeof value?.throwIfAborted === "function"],
};

/** The weights that are read for each type: all tensors together have about as many. */
const WEIGHTS_READ = 24e6;

/** The rows of a tensor, if the caller gives no number. */
const [FEWEST_ROWS, MOST_ROWS] = [8, 64];

/** Tensors that are read while others are tried. */
const TENSORS_AHEAD = 2;

/**
 * @param {EstimatedPlan} plan
 * @param {unknown} given
 * @param {Host} host
 * @returns {Promise<ErrorEstimate>}
 */
export async function estimateError(plan, given, host) {
  /** @type {ErrorEstimateOptions} */
  const options = checkedOptions(given, OPTIONS);
  const { signal, onProgress, withoutImportance = false } = options;
  signal?.throwIfAborted();
  const tensors = trialsOf(plan, options, host.ggmlTypes());
  const tried = tensors.filter(({ isTried }) => isTried);
  const width = tried.reduce((sum, { dimensions }) => sum + (dimensions[0] ?? 1), 0);
  const rows =
    options.rows ?? Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.floor(WEIGHTS_READ / Math.max(1, width))));
  const end = new AbortController();
  // Each read has a signal of its own: many listeners of one signal are a warning in Node.js.
  /** @type {Set<AbortController>} */
  const reads = new Set();
  const stop = (/** @type {unknown} */ reason) => {
    end.abort(reason);
    for (const read of reads) read.abort(reason);
  };
  const abort = () => stop(signal?.reason);
  signal?.addEventListener("abort", abort);
  const workers = await startedWorkers(host, end.signal);
  const [size, sizes] = [plan.size, new Map(plan.fileTypes().map(({ name, size }) => [name, size]))];
  const result = () => resultOf(tensors, size, sizes);
  let tensorsDone = 0;
  // Any part of a random order stands for all tensors, so that what is known so far is close to the result.
  const random = randomOf("order");
  const order = tried.map((tensor) => ({ tensor, at: random() })).sort((a, b) => a.at - b.at);
  const next = async () => {
    for (let one = order.pop(); one; one = order.pop()) {
      const { tensor } = one;
      end.signal.throwIfAborted();
      const { name, dimensions, position, types } = tensor;
      const read = async (/** @type {number} */ first, /** @type {number} */ count) => {
        const own = new AbortController();
        reads.add(own);
        try {
          return await plan._sampleRows(position, first, count, { signal: own.signal });
        } finally {
          reads.delete(own);
        }
      };
      const names = new Map([...types].map(([type, { name }]) => [type, name]));
      const trial = { name, dimensions, types: names, rows, withoutImportance, read, run: workers.run };
      Object.assign(tensor, await tryTypes(trial));
      end.signal.throwIfAborted();
      tensorsDone += 1;
      onProgress?.({ tensorsDone, tensorCount: tried.length, estimate: result });
    }
  };
  try {
    await Promise.all(Array.from({ length: workers.count + TENSORS_AHEAD }, next));
    return result();
  } catch (error) {
    // The other tensors are not needed.
    stop(error);
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
    workers.end();
  }
}

/**
 * A tensor, and what is known of its types.
 *
 * @typedef {object} Trial
 * @property {string} name
 * @property {number} position
 * @property {readonly number[]} dimensions
 * @property {number} elementCount
 * @property {number} plannedType the number of the type that the plan gives it
 * @property {Map<number, { name: string, byteLength: number }>} types the types that are tried, by their numbers
 * @property {readonly (readonly [name: string, types: readonly number[]])[]} fileTypes
 * @property {boolean} isTried
 * @property {number} rowsRead
 * @property {Map<number, Errors>} errors
 */

/**
 * What is tried: of each tensor all types that the plan and the file types give it.
 *
 * @param {EstimatedPlan} plan
 * @param {ErrorEstimateOptions} options
 * @param {readonly GgmlTypeInfo[]} known
 * @returns {Trial[]}
 */
function trialsOf(plan, { fileTypes }, known) {
  const infos = new Map(known.map((info) => [info.id, info]));
  const numbers = new Map(known.map((info) => [info.name, info.id]));
  const [names, ...types] = plan._typesOfTensors();
  const count = plan.tensors.length;
  /** @type {[string, readonly number[]][]} */
  const all = names
    .split(" ")
    .filter(Boolean)
    .map((name, i) => [name, types.slice(i * count, (i + 1) * count)]);
  const wanted = fileTypes ? all.filter(([name]) => fileTypes.includes(name)) : all;
  const unknown = fileTypes?.find((name) => !all.some(([own]) => own === name));
  if (unknown !== undefined)
    throw new GgufError(
      "invalid-argument",
      `options.fileTypes has ${JSON.stringify(unknown)}, expected names of file types that are possible with the options of the plan: ${all.map(([name]) => name).join(", ")}`,
    );
  return plan.tensors.map(({ name, dimensions, oldType, newType, problem, oldByteLength }, position) => {
    const oldNumber = numbers.get(oldType) ?? 0;
    const planned = problem ? [] : [numbers.get(newType) ?? 0];
    const types = new Set([...planned, ...wanted.map(([, types]) => types[position] ?? 0)]);
    const elementCount = dimensions.reduce((product, extent) => product * extent, 1);
    const isTried = elementCount > 0 && [...types].some((type) => type !== oldNumber);
    const sized = [...types].map((type) => {
      const { name = "", blockSize = 1, typeSize = 0 } = infos.get(type) ?? {};
      const byteLength = type === oldNumber ? oldByteLength : (elementCount / Math.max(1, blockSize)) * typeSize;
      return /** @type {const} */ ([type, { name, byteLength }]);
    });
    return {
      name,
      position,
      dimensions,
      elementCount,
      plannedType: numbers.get(newType) ?? 0,
      types: new Map(sized),
      fileTypes: wanted,
      isTried,
      rowsRead: 0,
      errors: new Map(isTried ? [] : [...types].map((type) => [type, { normalisedError: 0 }])),
    };
  });
}

/**
 * @param {readonly Trial[]} trials
 * @param {number} size the size of the planned file
 * @param {ReadonlyMap<string, number>} sizes those of all file types
 * @returns {ErrorEstimate}
 */
function resultOf(trials, size, sizes) {
  const tensors = trials.map((trial) =>
    Object.freeze({
      name: trial.name,
      elementCount: trial.elementCount,
      rowsRead: trial.rowsRead,
      rowCount: rowCountOf(trial.dimensions),
      types: typesBySize(
        [...trial.types].flatMap(([type, { name, byteLength }]) => {
          const errors = trial.errors.get(type);
          return errors ? [Object.freeze({ type: name, byteLength, ...errors })] : [];
        }),
      ),
    }),
  );
  const named = (/** @type {(trial: Trial) => number} */ typeOf) =>
    trials.map((trial) => trial.types.get(typeOf(trial))?.name ?? "");
  const fileTypes = (trials[0]?.fileTypes ?? []).map(([name, types]) => {
    const mean = meanErrors(
      tensors,
      named((trial) => types[trial.position] ?? 0),
    );
    return Object.freeze({ name, size: sizes.get(name) ?? 0, ...mean });
  });
  return Object.freeze({
    plan: Object.freeze({
      size,
      ...meanErrors(
        tensors,
        named(({ plannedType }) => plannedType),
      ),
    }),
    fileTypes: Object.freeze(fileTypes.sort((a, b) => a.size - b.size)),
    tensors: Object.freeze(tensors),
  });
}

/**
 * What does jobs: a pool of workers, or the calling thread.
 *
 * @param {Host} host
 * @param {AbortSignal} signal
 * @returns {Promise<{ count: number, run: RunJob, end: () => void }>}
 */
async function startedWorkers({ runJob, starter, count, module }, signal) {
  const wanted = count ?? starter?.defaultCount() ?? 0;
  if (wanted > 0 && starter) {
    try {
      const pool = await starter.start(wanted, module, signal);
      /** @type {RunJob} */
      const run = async (job, tensor) => (await pool.run(job, tensor)).outcomes;
      return { count: wanted, run, end: () => pool.end() };
    } catch (error) {
      if (count !== undefined || signal.aborted) throw error;
    }
  }
  /** @type {RunJob} */
  const run = async (job) => {
    const { targetTypes, ...one } = /** @type {{ targetTypes: number[] }} */ (job);
    /** @type {Outcome[]} */
    const outcomes = [];
    for (const targetType of targetTypes) {
      // Between two jobs, timers, events and aborts get their turn.
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
      outcomes.push(/** @type {Outcome} */ (runJob({ ...one, targetType })));
    }
    return outcomes;
  };
  return { count: 0, run, end() {} };
}
