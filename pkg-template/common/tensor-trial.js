// Quantizes sampled rows of one tensor to several types, and measures the errors.

import { GgufError } from "../gguf-error.js";
import { sampledRows } from "./sampled-rows.js";

/**
 * The rows of a run as the module gives them.
 *
 * @typedef {{ rows: Uint8Array<ArrayBuffer>, importance?: Float32Array, sourceType: number, targetType: number, rowLength: number, isBigEndian: boolean }} Sample
 */

/**
 * The sums of a type: squared differences and squares, and both again, each multiplied by the importance of its column.
 *
 * @typedef {readonly [differences: number, squares: number, weightedDifferences: number, weightedSquares: number]} Sums
 */

/**
 * What a job measures: `error` has the members of `Sums`.
 *
 * @typedef {{ error?: readonly number[], invalidBlock?: number, isSource?: boolean }} Outcome
 */

/**
 * The errors of a type. Undefined figures were not measured.
 *
 * @typedef {{ normalisedError: number, weightedError?: number, weightedErrorWithoutImportance?: number }} Errors
 */

/** Does a job: with several target types, in a worker or on the calling thread. @typedef {(job: object, tensor: string) => Promise<Outcome[]>} RunJob */

/** Types whose quantizers search long: less than 4 million weights in a second, of 30 and more for the others. */
const SLOW = /^IQ[123]_/;

/** Types that cannot be made without importance. */
const NEEDS_IMPORTANCE = /^(?:IQ2_XXS|IQ2_XS|IQ1_S)$/;

/** The weights with which a slow type is tried, in two rows or more. */
const WEIGHTS_OF_SLOW = 16_384;

/**
 * Tries types of a tensor.
 *
 * @param {object} trial
 * @param {string} trial.name
 * @param {readonly number[]} trial.dimensions
 * @param {ReadonlyMap<number, string>} trial.types names by numbers
 * @param {number} trial.rows the number of rows that are read
 * @param {boolean} trial.withoutImportance whether the types are also tried without importance
 * @param {(first: number, count: number) => Promise<Sample>} trial.read
 * @param {RunJob} trial.run
 * @returns {Promise<{ rowsRead: number, errors: Map<number, Errors> }>} the errors by the numbers of the types, without the types that
 * cannot hold the numbers
 */
export async function tryTypes({ name, dimensions, types, rows, withoutImportance, read, run }) {
  const runs = sampledRows(name, dimensions, rows);
  const samples = await Promise.all(runs.map(({ first, count }) => read(first, count)));
  const rowsRead = runs.reduce((sum, { count }) => sum + count, 0);
  const fewer = Math.max(2, Math.ceil(WEIGHTS_OF_SLOW / (dimensions[0] ?? 1)));
  const share = Math.min(1, fewer / rowsRead);
  const all = [...types.keys()];
  const isSlow = (/** @type {number} */ type) => SLOW.test(types.get(type) ?? "");
  /** @type {{ types: number[], share: number }[]} */
  const speeds = [
    { types: all.filter((type) => !isSlow(type)), share: 1 },
    { types: all.filter(isSlow), share },
  ];
  /** @type {Map<number, Errors>} */
  const errors = new Map();
  for (const speed of speeds) {
    const jobs = jobsOf(samples, runs, speed.share);
    const hasImportance = jobs.some(({ importance }) => importance !== undefined);
    const sums = await sumsOf(jobs, speed.types, name, run);
    const others = speed.types.filter((type) => !NEEDS_IMPORTANCE.test(types.get(type) ?? ""));
    const ignoring =
      withoutImportance && hasImportance
        ? await sumsOf(
            jobs.map((job) => ({ ...job, ignoresImportance: true })),
            others,
            name,
            run,
          )
        : new Map();
    for (const [type, sum] of sums) errors.set(type, errorsOf(sum, ignoring.get(type)));
  }
  return { rowsRead, errors };
}

/**
 * The jobs that quantize a share of the rows: one for each matrix, because matrices have importance of their own.
 *
 * @param {readonly Sample[]} samples
 * @param {readonly import("./sampled-rows.js").Run[]} runs
 * @param {number} share
 */
function jobsOf(samples, runs, share) {
  /** @type {Map<number, { sample: Sample, parts: Uint8Array[] }>} */
  const matrices = new Map();
  for (const [i, sample] of samples.entries()) {
    const { count, matrix } = runs[i] ?? { count: 1, matrix: 0 };
    const used = Math.max(1, Math.round(count * share));
    const part = sample.rows.subarray(0, (sample.rows.length / count) * used);
    const key = sample.importance ? matrix : 0;
    const known = matrices.get(key);
    if (known) known.parts.push(part);
    else matrices.set(key, { sample, parts: [part] });
  }
  return [...matrices.values()].map(({ sample, parts }) => ({ ...sample, rows: joined(parts) }));
}

/** @param {readonly Uint8Array[]} parts */
function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}

/**
 * The errors of all jobs together, by type.
 *
 * @param {readonly Sample[]} jobs
 * @param {number[]} types
 * @param {string} name
 * @param {RunJob} run
 */
async function sumsOf(jobs, types, name, run) {
  /** @type {Map<number, Sums>} */
  const sums = new Map();
  if (types.length === 0) return sums;
  // A job gives its memory away.
  const outcomes = await Promise.all(
    jobs.map((job) => run({ ...job, rows: job.rows.slice(), targetTypes: types }, name)),
  );
  for (const [i, type] of types.entries()) {
    const ofType = outcomes.map((list) => /** @type {Outcome} */ (list[i]));
    if (ofType.some(({ isSource, invalidBlock }) => invalidBlock !== undefined && isSource))
      throw new GgufError(
        "invalid-data",
        `the data of tensor ${JSON.stringify(name)} are invalid: a row contains a NaN or an infinity`,
      );
    if (ofType.some(({ invalidBlock }) => invalidBlock !== undefined)) continue;
    const total = (/** @type {number} */ at) => ofType.reduce((sum, { error }) => sum + (error?.[at] ?? 0), 0);
    sums.set(type, [total(0), total(1), total(2), total(3)]);
  }
  return sums;
}

/**
 * @param {Sums} sums
 * @param {Sums | undefined} ignoring the sums without the importance matrix
 * @returns {Errors}
 */
function errorsOf([differences, squares, weightedDifferences, weightedSquares], ignoring) {
  const ratio = (/** @type {number} */ difference, /** @type {number} */ square) =>
    square > 0 ? difference / square : 0;
  return {
    normalisedError: ratio(differences, squares),
    ...(weightedSquares > 0 && { weightedError: ratio(weightedDifferences, weightedSquares) }),
    ...(ignoring && { weightedErrorWithoutImportance: ratio(ignoring[2], ignoring[3]) }),
  };
}
