// `gguf-wasm merge-lora`: merges a LoRA adapter into a model, as llama.cpp's llama-export-lora does.

import { requantize } from "../convert/node.js";
import { mergeAdapter } from "../models/node.js";
import { mergedText } from "./adapter-text.js";
import { CommandError, UsageError, aboutFile, errorDetails, forPeople } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { checkModel, newFileText } from "./new-file-checks.js";
import { note } from "./output.js";
import { PartFile } from "./part-file.js";
import { MOST_THREADS } from "./quantize-options.js";
import { noteProblems, refusalOf } from "./quantize-refusal.js";
import { printResult } from "./result.js";
import { tensorStart } from "./resume.js";
import { openFile, requireRanges } from "./source.js";
import { writeParts } from "./write-parts.js";

/** @import { MergeAdapterOptions, MergedModel } from "gguf-wasm/models" */
/** @import { Gguf } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedFile } from "./source.js" */

/** The types of tensors that the adapter changes, without `quantize`. */
const OWN_TYPES = /** @type {const} */ (["f16", "f32", "keep"]);

/** @param {Arguments} args */
export async function run(args) {
  const [name = "", adapterName = "", output = ""] = args.positionals;
  const isDry = args.flag("dry-run");
  args.refuseTogether("dry-run", "resume");
  const scale = scaleOf(args);
  /** @type {OpenedFile[]} */
  const opened = [];
  try {
    const model = await openFile(name, args);
    opened.push(model);
    requireRanges(model);
    const adapter = await openFile(adapterName, args);
    opened.push(adapter);
    requireRanges(adapter);
    const type = args.text("type") ?? "f16";
    const own = OWN_TYPES.find((known) => known === type.toLowerCase());
    const types = own ?? "f32";
    const merged = await aboutFile(adapterName, () => mergedModel(model, adapter, { scale, types }));
    return await write(merged, own === undefined ? type : undefined, args, {
      name,
      output,
      isDry,
      scale,
      original: model.gguf,
    });
  } finally {
    for (const { close } of opened) await close();
  }
}

/**
 * The model with the adapter. The options are right: what is refused here are the files.
 *
 * @param {OpenedFile} model
 * @param {OpenedFile} adapter
 * @param {MergeAdapterOptions} options
 */
function mergedModel(model, adapter, options) {
  try {
    return mergeAdapter(model.gguf, adapter.gguf, options);
  } catch (error) {
    const { code, message } = errorDetails(error);
    throw code === "invalid-argument" ? new CommandError("wrong-adapter", message) : error;
  }
}

/**
 * Writes the new file, and prints what it has.
 *
 * @param {MergedModel} merged
 * @param {string | undefined} type The type to quantize to.
 * @param {Arguments} args
 * @param {{ name: string, output: string, isDry: boolean, scale: number, original: Gguf }} wanted
 */
async function write(merged, type, args, { name, output, isDry, scale, original }) {
  const file = await PartFile.at(output, { mayReplace: args.flag("force"), mayContinue: args.flag("resume") });
  const workers = args.count("threads", 0, MOST_THREADS);
  const quantized =
    type === undefined
      ? undefined
      : await aboutFile(name, () =>
          // The tensors that the adapter leaves alone may be quantized already.
          requantize(merged.gguf, { type, allowRequantize: true, ...(workers !== undefined && { workers }) }),
        );
  const refusal = quantized && refusalOf(name, quantized);
  if (refusal && quantized && !isDry) {
    noteProblems(name, quantized);
    throw refusal;
  }
  const { size } = quantized ?? merged;
  const checks = checkModel(merged);
  if (!args.flag("json")) note(newFileText(name, checks, original));
  if (!isDry) {
    const part = {
      file,
      size,
      header: () => (quantized ? quantized.headerBytes() : merged.gguf.headerBytes()),
      stream: (/** @type {number} */ start) => (quantized ?? merged).stream({ start }),
      startBefore: (/** @type {number} */ position) => (quantized ? tensorStart(quantized, 0, position) : position),
    };
    await writeParts([part], {
      command: "merge-lora",
      options: { scale, type: quantized?.type ?? args.text("type")?.toLowerCase() ?? "f16" },
      isResumed: args.flag("resume"),
      errors: (work) => aboutFile(name, work),
      title: `Merging into ${name}`,
    });
  }
  const findings = [...checks.findings, ...(quantized?.findings ?? [])];
  const result = {
    file: name,
    written: isDry ? [] : [output],
    output: isDry ? null : output,
    size,
    scale,
    changedTensors: merged.tensors.filter(({ adapters }) => adapters > 0).map((tensor) => tensor.name),
    tensors: quantized?.tensors ?? merged.tensors,
    loads: checks.loads,
    findings: findings.map((finding) => ({ ...finding, message: forPeople(finding.message) })),
  };
  await printResult(args, { ...result, ...(refusal && { error: errorDetails(refusal) }) }, () =>
    mergedText(output, result, isDry),
  );
  return refusal ? ANSWER_IS_NO : DONE;
}

/** How much the adapter counts. @param {Arguments} args */
function scaleOf(args) {
  const text = args.text("scale");
  if (text === undefined) return 1;
  const scale = Number(text);
  // Adapters are scaled by 32-bit floats.
  if (text.trim() === "" || !Number.isFinite(Math.fround(scale))) {
    throw new UsageError(`--scale is "${text}", expected a number such as 0.8.`);
  }
  return scale;
}
