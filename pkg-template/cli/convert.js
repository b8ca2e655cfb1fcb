// `gguf-wasm convert`: makes a GGUF file of a model in the layout of Hugging Face, as llama.cpp's convert_hf_to_gguf.py does.

import { requantize } from "../convert/node.js";
import { planOfModel, projectorBeside, projectorTypeOf } from "./convert-projector.js";
import { convertedText, projectorTypeText, warningsText } from "./convert-text.js";
import { CommandError, UsageError, aboutFile, errorDetails, forPeople } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { openHubModel } from "./hub-model.js";
import { readInput } from "./inputs.js";
import { checkModel, newFileText } from "./new-file-checks.js";
import { note } from "./output.js";
import { PartFile } from "./part-file.js";
import { MOST_THREADS } from "./quantize-options.js";
import { noteProblems, refusalOf } from "./quantize-refusal.js";
import { printResult } from "./result.js";
import { tensorStart } from "./resume.js";
import { writeParts } from "./write-parts.js";

/** @import { ConversionPlan } from "gguf-wasm/convert" */
/** @import { HubModel, ModelConversionOptions, ModelPlan } from "gguf-wasm/models" */
/** @import { Arguments } from "./arguments.js" */
/** @import { ProjectorBeside } from "./convert-projector.js" */
/** @import { NewFileChecks } from "./new-file-checks.js" */
/** @import { NewPart } from "./write-parts.js" */

/** The types of convert_hf_to_gguf.py. All others are those of `quantize`. */
const OWN_TYPES = ["auto", "f32", "f16", "bf16", "q8_0", "tq1_0", "tq2_0"];

/** @param {Arguments} args */
export async function run(args) {
  const [name = "", output = ""] = args.positionals;
  const isDry = args.flag("dry-run");
  args.refuseTogether("dry-run", "resume");
  args.refuseTogether("mmproj", "vocab-only");
  for (const other of ["mmproj", "mtp", "vocab-only"]) args.refuseTogether("with-mmproj", other);
  const projectorType = projectorTypeOf(args);
  const type = args.text("type") ?? "auto";
  const options = await conversionOptions(args, type);
  const model = await openHubModel(name, args);
  const file = await PartFile.at(output, { mayReplace: args.flag("force"), mayContinue: args.flag("resume") });
  const plan = await aboutFile(name, () => planOfModel(model, options));
  const quantized = isOwn(type) ? undefined : await quantizedPlan(plan, name, type, args);
  const beside = await projectorBeside(args, model, plan, options, { type: projectorType, file });
  const refusal = quantized && refusalOf(name, quantized);
  const checks = checkModel(plan);
  if (!args.flag("json")) {
    if (options.projector) note(projectorTypeText(name, quantized?.type ?? plan.type));
    note(warningsText(name, quantized));
    note(newFileText(name, checks));
    if (beside) note(newFileText(name, beside.checks));
  }
  if (refusal && quantized && !isDry) {
    noteProblems(name, quantized);
    throw refusal;
  }
  if (!isDry) {
    const part = { file, ...(quantized ? quantizedPart(quantized) : ownPart(plan)) };
    const parts = beside ? [part, { file: beside.file, ...ownPart(beside.plan) }] : [part];
    await writeParts(parts, {
      command: "convert",
      options: { ...options, type: quantized?.type ?? plan.type, ...(beside && { projectorType: beside.plan.type }) },
      isResumed: args.flag("resume"),
      errors: (work) => aboutFile(name, work),
      title: `Converting ${name} to ${quantized?.type ?? plan.type}`,
    });
  }
  const result = resultOf(args, model, plan, { quantized, checks, beside });
  await printResult(args, { ...result, ...(refusal && { error: errorDetails(refusal) }) }, () =>
    convertedText(output, model, plan, quantized, beside, isDry),
  );
  return refusal ? ANSWER_IS_NO : DONE;
}

/** Whether a type is one of convert_hf_to_gguf.py. @param {string} type */
const isOwn = (type) => OWN_TYPES.includes(type.toLowerCase());

/**
 * @param {Arguments} args
 * @param {string} type
 * @returns {Promise<ModelConversionOptions>}
 */
async function conversionOptions(args, type) {
  const [pre, modelName, metadata] = [args.text("pre"), args.text("model-name"), args.text("metadata")];
  return {
    type: isOwn(type) ? /** @type {ModelConversionOptions["type"]} */ (type) : "f32",
    ...(pre !== undefined && { pre }),
    ...(modelName !== undefined && { modelName }),
    ...(metadata !== undefined && { metadata: await metadataOf(metadata) }),
    fp8AsQ8: args.flag("fp8-as-q8"),
    fuseGateUpExperts: args.flag("fuse-gate-up-exps"),
    nextTokenLayers: nextTokenLayers(args),
    projector: args.flag("mmproj"),
    vocabularyOnly: args.flag("vocab-only"),
  };
}

/**
 * @param {Arguments} args
 * @returns {ModelConversionOptions["nextTokenLayers"]}
 */
function nextTokenLayers(args) {
  if (args.flag("mtp") && args.flag("no-mtp"))
    throw new UsageError("--mtp and --no-mtp contradict each other: give one of them");
  if (args.flag("mtp")) return "alone";
  return args.flag("no-mtp") ? "left-out" : "included";
}

/**
 * The values of a file of metadata.
 *
 * @param {string} path
 * @returns {Promise<Record<string, unknown>>}
 */
async function metadataOf(path) {
  const text = await aboutFile(path, () => readInput(path));
  const expected = 'expected an object of keys and values: { "general.author": "…" }';
  /** @type {unknown} */
  let metadata;
  try {
    metadata = JSON.parse(text);
  } catch (error) {
    throw new CommandError("bad-json", `${path}: it is not JSON, ${expected}. ${errorDetails(error).message}`);
  }
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
    throw new CommandError("bad-json", `${path}: the file has another value than ${expected}.`);
  }
  return /** @type {Record<string, unknown>} */ (metadata);
}

/**
 * The plan of a type that only `quantize` has. The model becomes F32 while it is quantized, so it is nowhere whole.
 *
 * @param {ModelPlan} plan
 * @param {string} name
 * @param {string} type
 * @param {Arguments} args
 */
function quantizedPlan(plan, name, type, args) {
  const workers = args.count("threads", 0, MOST_THREADS);
  return aboutFile(name, () => requantize(plan.gguf, { type, ...(workers !== undefined && { workers }) }));
}

/** @param {ModelPlan} plan @returns {Omit<NewPart, "file">} */
function ownPart(plan) {
  return { size: plan.size, header: () => plan.gguf.headerBytes(), stream: (start) => plan.stream({ start }) };
}

/** @param {ConversionPlan} plan @returns {Omit<NewPart, "file">} */
function quantizedPart(plan) {
  return {
    size: plan.size,
    header: () => plan.headerBytes(),
    stream: (start) => plan.stream({ start }),
    startBefore: (position) => tensorStart(plan, 0, position),
  };
}

/**
 * The result for programs.
 *
 * @param {Arguments} args
 * @param {HubModel} model
 * @param {ModelPlan} plan
 * @param {{ quantized: ConversionPlan | undefined, checks: NewFileChecks, beside: ProjectorBeside | undefined }} more
 */
function resultOf(args, model, plan, { quantized, checks, beside }) {
  const [name, output] = args.positionals;
  const isDry = args.flag("dry-run");
  const findings = [...checks.findings, ...(quantized?.findings ?? [])];
  return {
    file: name,
    written: isDry ? [] : [output, ...(beside ? [beside.path] : [])],
    output: isDry ? null : output,
    size: quantized?.size ?? plan.size,
    type: quantized?.type ?? plan.type,
    name: model.name,
    className: model.className,
    architecture: model.architecture,
    vocabulary: model.vocabulary,
    projector: beside ? { ...model.projector, ...projectorResult(beside, isDry) } : model.projector,
    parts: model.parts,
    tensors: quantized?.tensors ?? plan.tensors,
    droppedTensors: plan.droppedTensors,
    defaultedKeys: plan.defaultedKeys,
    findings: shownFindings(findings),
    loads: checks.loads,
  };
}

/**
 * The projector that is written beside the model, for programs.
 *
 * @param {ProjectorBeside} beside
 * @param {boolean} isDry
 */
function projectorResult({ path, plan, fit, checks }, isDry) {
  const { size, type, tensors, droppedTensors, defaultedKeys } = plan;
  const output = isDry ? null : path;
  return { output, size, type, tensors, droppedTensors, defaultedKeys, findings: shownFindings(checks.findings), fit };
}

/** Findings as JSON has them. @template {{ message: string }} T @param {readonly T[]} findings */
const shownFindings = (findings) => findings.map((finding) => ({ ...finding, message: forPeople(finding.message) }));
