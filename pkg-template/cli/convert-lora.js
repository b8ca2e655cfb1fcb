// `gguf-wasm convert-lora`: makes a GGUF file of a LoRA adapter of PEFT, as llama.cpp's convert_lora_to_gguf.py does.

import { convertAdapter } from "../models/node.js";
import { adapterText } from "./adapter-text.js";
import { aboutFile, errorDetails, forPeople } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { serverOf } from "./hub.js";
import { addFolderInputs, folderSource } from "./hub-model.js";
import { checkModel, newFileText } from "./new-file-checks.js";
import { currentProgress, note } from "./output.js";
import { PartFile } from "./part-file.js";
import { requestOptions } from "./requests.js";
import { printResult } from "./result.js";
import { writeParts } from "./write-parts.js";

/** @import { AdapterConversionOptions, ModelPlan } from "gguf-wasm/models" */
/** @import { Arguments } from "./arguments.js" */

/** The files of an adapter, and of its base model. */
const ADAPTER_FILES = [
  "adapter_config.json",
  "adapter_model.safetensors",
  "README.md",
  "config.json",
  "generation_config.json",
];
const BASE_FILES = ["config.json", "README.md"];

/** @param {Arguments} args */
export async function run(args) {
  const [name = "", output = ""] = args.positionals;
  const isDry = args.flag("dry-run");
  args.refuseTogether("dry-run", "resume");
  const plan = await planOf(name, args);
  const file = await PartFile.at(output, { mayReplace: args.flag("force"), mayContinue: args.flag("resume") });
  const checks = checkModel(plan);
  if (!args.flag("json")) note(newFileText(name, checks));
  if (!isDry) {
    const stream = (/** @type {number} */ start) => plan.stream({ start });
    await writeParts([{ file, size: plan.size, header: () => plan.gguf.headerBytes(), stream }], {
      command: "convert-lora",
      options: { type: plan.type },
      isResumed: args.flag("resume"),
      errors: (work) => aboutFile(name, work),
      title: `Converting ${name} to ${plan.type}`,
    });
  }
  const result = {
    file: name,
    written: isDry ? [] : [output],
    output: isDry ? null : output,
    size: plan.size,
    type: plan.type,
    tensors: plan.tensors,
    droppedTensors: plan.droppedTensors,
    loads: checks.loads,
    findings: checks.findings.map((finding) => ({ ...finding, message: forPeople(finding.message) })),
  };
  await printResult(args, result, () => adapterText(output, plan, isDry));
  return DONE;
}

/**
 * The plan of the new file.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<ModelPlan>}
 */
async function planOf(name, args) {
  const baseName = args.text("base") ?? "";
  const adapter = await aboutFile(name, () => folderSource(name, args));
  const base = await aboutFile(baseName, () => folderSource(baseName, args));
  addFolderInputs(adapter, ADAPTER_FILES, args);
  addFolderInputs(base, BASE_FILES, args);
  const progress = currentProgress(`Reading ${name}`, serverOf(adapter.place));
  try {
    const type = /** @type {AdapterConversionOptions["type"]} */ (args.text("type") ?? "f32");
    return await convertAdapter(adapter.source, {
      ...requestOptions(adapter.place, args),
      base: base.source,
      baseRequest: requestOptions(base.place, args),
      type,
    });
  } catch (error) {
    const isOfBase = errorDetails(error).message.startsWith("the base model: ");
    return await aboutFile(isOfBase ? baseName : name, () => Promise.reject(error));
  } finally {
    progress.clear();
  }
}
