// `gguf-wasm quantize --estimate`: the errors of all file types before anything is written, and the best mix of types under a size.

import { Refusal } from "./errors.js";
import { currentProgress } from "./output.js";
import { joined, safe } from "./safe-text.js";
import { table } from "./table.js";
import { exactSize, size } from "./text.js";

/** @import { ConversionPlan, ErrorEstimate, MixError, TypeMix } from "gguf-wasm/convert" */
/** @import { Arguments } from "./arguments.js" */
/** @import { SafeText } from "./safe-text.js" */

/** What was estimated: the errors, and the mix if a size was given. @typedef {{ estimate: ErrorEstimate, mix?: TypeMix }} Estimated */

/**
 * @param {ConversionPlan} plan
 * @param {Arguments} args
 * @param {string | undefined} server The server that has the model.
 * @returns {Promise<Estimated>}
 */
export async function estimated(plan, args, server) {
  const bytes = args.size("largest-file", 1);
  const progress = currentProgress("Estimating errors", server);
  try {
    const estimate = await plan.estimateError({
      withoutImportance: args.text("imatrix") !== undefined,
      onProgress: ({ tensorsDone, tensorCount }) => progress.count(tensorsDone, tensorCount, "tensor"),
    });
    if (bytes === undefined || estimate.fileTypes.length === 0) return { estimate };
    const mix = await plan.proposeMix(estimate, bytes);
    if (mix) return { estimate, mix };
    const [smallest] = estimate.fileTypes;
    const found = smallest ? `: ${smallest.name} has ${exactSize(smallest.size)}` : "";
    throw new Refusal(
      "does-not-fit",
      `${args.at(0)}: no mix of types has at most ${exactSize(bytes)}${found}. Give a larger --largest-file.`,
    );
  } finally {
    progress.clear();
  }
}

/**
 * The file types by size, and the mix.
 *
 * @param {Estimated} estimated
 * @param {string} chosen The file type of the command.
 */
export function estimateText({ estimate, mix }, chosen) {
  const { fileTypes } = estimate;
  const isWeighted = fileTypes.some(({ weightedError }) => weightedError !== undefined);
  const hasWithout = fileTypes.some(
    ({ weightedErrorWithoutImportance }) => weightedErrorWithoutImportance !== undefined,
  );
  const columns = [
    { title: "TYPE" },
    { title: "SIZE", right: true },
    { title: "ERROR", right: true },
    ...(isWeighted ? [{ title: "BY IMPORTANCE", right: true }] : []),
    ...(hasWithout ? [{ title: "WITHOUT IMATRIX", right: true }] : []),
    { title: "" },
  ];
  const row = (/** @type {string} */ name, /** @type {MixError} */ one, /** @type {string} */ note) => [
    name,
    size(one.size),
    errorText(one.normalisedError),
    ...(isWeighted ? [errorText(one.weightedError)] : []),
    ...(hasWithout ? [errorText(one.weightedErrorWithoutImportance)] : []),
    note,
  ];
  const rows = fileTypes.map((one) => row(one.name, one, one.name === chosen ? "TYPE" : ""));
  return joined([
    table(columns, [...rows, ...(mix ? [row("mix", mix, "--largest-file")] : [])]),
    safe`ERROR is the normalised mean squared error of the weights, estimated from some rows of each tensor. Nothing was written.\n`,
    mix ? mixText(mix) : safe``,
  ]);
}

/** @param {TypeMix} mix @returns {SafeText} */
function mixText({ fileType, tensorTypes }) {
  const options = tensorTypes.map((rule) => `  --tensor-type '${rule}'`).join("\n");
  return safe`\nThe mix is ${fileType} with these options:\n${joined(options.split("\n").map((line) => safe`${line}\n`))}`;
}

/** @param {number | undefined} error */
function errorText(error) {
  if (error === undefined) return "-";
  return error === 0 ? "0" : error >= 0.001 ? error.toFixed(4) : error.toExponential(1);
}
