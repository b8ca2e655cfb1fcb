// Why a model is not quantized.

import { Refusal } from "./errors.js";
import { note } from "./output.js";
import { problemsTable } from "./quantize-text.js";
import { safe } from "./safe-text.js";
import { counted } from "./text.js";

/** @import { ConversionPlan } from "gguf-wasm/convert" */

/**
 * Why a model is not converted: what it is, what the new file lacks, or the first tensor that cannot have its type.
 *
 * @param {string} name
 * @param {ConversionPlan} plan
 */
export function refusalOf(name, plan) {
  const errors = plan.findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (!first) return undefined;
  if (first.row === undefined)
    return new Refusal(first.code ?? "invalid-data", `${name}: nothing was written: ${first.message}`);
  const count = counted(errors.length, "tensor");
  return new Refusal(
    first.code ?? "invalid-argument",
    `${name}: nothing was written, because ${count} cannot be converted: ${first.message}`,
  );
}

/**
 * Lists the tensors that cannot be converted.
 *
 * @param {string} name
 * @param {ConversionPlan} plan
 */
export function noteProblems(name, plan) {
  if (plan.findings.every(({ severity, row }) => severity !== "error" || row === undefined)) return;
  note(safe`gguf-wasm: ${name}: tensors that cannot be converted:\n${problemsTable(plan)}`);
}
