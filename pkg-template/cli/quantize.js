// `gguf-wasm quantize`: converts a model to other tensor types, as llama.cpp's `llama-quantize` does.

import { requantize } from "../convert/node.js";
import { shardName } from "../full/node.js";
import { Refusal, UsageError, aboutFile, errorDetails, forPeople } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { mergeErrors } from "./findings.js";
import { serverOf } from "./hub.js";
import { allFindings, checkConverted, newFileText } from "./new-file-checks.js";
import { note } from "./output.js";
import { PartFile } from "./part-file.js";
import { estimateText, estimated } from "./quantize-estimate.js";
import { openedImatrix, quantizeOptions } from "./quantize-options.js";
import { noteProblems, refusalOf } from "./quantize-refusal.js";
import { dryRunText, summary, warningsText } from "./quantize-text.js";
import { printResult } from "./result.js";
import { tensorStart } from "./resume.js";
import { checkPrefix } from "./shard-prefix.js";
import { openModel, requireRanges, warnOfSet } from "./source.js";
import { writeParts } from "./write-parts.js";

/** @import { ConversionPlan, RequantizeOptions } from "gguf-wasm/convert" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** @param {Arguments} args */
export async function run(args) {
  const { output, type } = positionalsOf(args);
  const isEstimate = args.flag("estimate");
  const isDry = args.flag("dry-run") || isEstimate;
  const isSplit = args.flag("keep-split");
  if (output !== undefined && isSplit) await checkPrefix("OUT", output);
  const options = await quantizeOptions(args, type);
  const name = args.at(0);
  const model = await openModel(name, args);
  try {
    requireRanges(model);
    checkSet(model, args);
    const imatrix = await openedImatrix(args);
    const plan = await aboutModel(args, () =>
      requantize(model.set ?? model.gguf, { ...options, ...(imatrix && { imatrix }) }),
    );
    const names = output === undefined ? [] : outputNames(plan, output, isSplit);
    /** @type {PartFile[]} */
    const files = [];
    for (const output of names) {
      const mayReplace = args.flag("force");
      files.push(await PartFile.at(output, { mayReplace, mayContinue: args.flag("resume") }));
    }
    const estimate = isEstimate ? await aboutModel(args, () => estimated(plan, args, serverOf(name))) : undefined;
    // An estimate is about all file types: it is refused if none of them changes a tensor.
    const hasEstimate = estimate?.estimate.fileTypes.some(({ normalisedError }) => normalisedError > 0) ?? false;
    const refusal = hasEstimate ? undefined : refusalOf(name, plan);
    const checks = await checkConverted(plan);
    if (!args.flag("json") && !refusal && !isEstimate) {
      if (!isDry) note(warningsText(name, plan));
      note(newFileText(name, checks, model.gguf));
    }
    if (!isDry) {
      if (refusal) {
        noteProblems(name, plan);
        throw refusal;
      }
      await convert(plan, files, model, args, options);
    }
    const result = {
      file: name,
      written: isDry ? [] : names,
      ...(!isSplit && { output: isDry ? null : output }),
      size: plan.size,
      type: plan.type,
      bitsPerWeight: plan.bitsPerWeight,
      ...(isSplit && {
        shards: plan.files.map(({ size }, i) => ({ output: names[i], size, tensorCount: plan.layout(i).length })),
      }),
      tensors: plan.tensors,
      findings: [
        ...(model.set?.findings ?? []),
        ...allFindings(plan.findings, checks).map((finding) => ({ ...finding, message: forPeople(finding.message) })),
      ],
      loads: checks.loads,
      ...(hasEstimate && estimate),
      ...(refusal && { error: errorDetails(refusal) }),
    };
    await printResult(args, result, () => {
      if (estimate && hasEstimate) return estimateText(estimate, plan.type);
      return isDry ? dryRunText(plan, names, refusal) : summary(plan, names);
    });
    return refusal ? ANSWER_IS_NO : DONE;
  } finally {
    await model.close();
  }
}

/**
 * OUT and TYPE. As in `llama-quantize`, OUT stands before TYPE, and can be left out for a dry run.
 *
 * @param {Arguments} args
 */
function positionalsOf(args) {
  const [, ...rest] = args.positionals;
  const type = rest.at(-1) ?? "";
  const output = rest.length > 1 ? rest[0] : undefined;
  if (output === undefined && !args.flag("dry-run") && !args.flag("estimate")) {
    throw new UsageError(
      `OUT or TYPE is missing after MODEL: there is only "${type}". Only --dry-run and --estimate need no OUT.`,
    );
  }
  args.refuseTogether("dry-run", "resume");
  args.refuseTogether("estimate", "dry-run");
  args.refuseTogether("estimate", "resume");
  if (args.text("largest-file") !== undefined && !args.flag("estimate")) {
    throw new UsageError("--largest-file is for the mix that --estimate proposes. Give --estimate, too.");
  }
  return { output, type };
}

/**
 * Runs a part of the work. Errors name the model or, if it is broken, the importance matrix.
 *
 * @template T
 * @param {Arguments} args
 * @param {() => Promise<T>} work
 */
function aboutModel(args, work) {
  const imatrix = args.text("imatrix");
  return aboutFile(args.at(0), () =>
    work().catch((error) => {
      if (imatrix === undefined || errorDetails(error).code !== "bad-imatrix") throw error;
      return aboutFile(imatrix, () => Promise.reject(error));
    }),
  );
}

/** Refuses a set whose shards are no whole model. @param {OpenedModel} model @param {Arguments} args */
function checkSet(model, args) {
  warnOfSet(model, args);
  if (!model.set || mergeErrors(model.set.findings).length === 0) return;
  throw new Refusal("set-has-errors", `${model.name}: the shards cannot be converted, because the set has errors.`);
}

/**
 * The paths of the new files.
 *
 * @param {ConversionPlan} plan
 * @param {string} output The path of the file, or the beginning of the paths of shards.
 * @param {boolean} isSplit
 */
function outputNames(plan, output, isSplit) {
  const count = plan.files.length;
  return isSplit ? plan.files.map((_, i) => shardName(output, i + 1, count)) : [output];
}

/**
 * @param {ConversionPlan} plan
 * @param {readonly PartFile[]} files
 * @param {OpenedModel} model
 * @param {Arguments} args
 * @param {RequantizeOptions} options
 */
function convert(plan, files, model, args, { workers: _, ...options }) {
  const parts = files.map((file, i) => ({
    file,
    size: plan.files[i]?.size ?? 0,
    header: () => plan.headerBytes(i),
    stream: (/** @type {number} */ start) => plan.stream({ file: i, start }),
    startBefore: (/** @type {number} */ position) => tensorStart(plan, i, position),
  }));
  return writeParts(parts, {
    command: "quantize",
    // A type can be given by its number, too.
    options: { ...options, type: plan.type },
    isResumed: args.flag("resume"),
    errors: (work) => aboutModel(args, work),
    title: `Converting ${model.name} to ${plan.type}`,
    close: () => model.close(),
  });
}
