// What `gguf-wasm quantize` tells people.

import { forPeople } from "./errors.js";
import { joined, safe } from "./safe-text.js";
import { table } from "./table.js";
import { counted, exactSize, grouped } from "./text.js";

/** @import { ConversionFinding, ConversionPlan, ConversionTensor } from "gguf-wasm/convert" */

/** The most findings that are shown whole: those of many blocks say the same. */
const MOST_MESSAGES = 8;

/** Whether a finding is about an option without effect. @param {ConversionFinding} finding */
const isUnused = ({ severity, row, check }) => severity !== "error" && row === undefined && check === undefined;

/**
 * The plan as a table of tensors, and what would be written.
 *
 * @param {ConversionPlan} plan
 * @param {readonly string[]} outputs The paths of the new files.
 * @param {Error | undefined} refusal Why the model cannot be converted.
 */
export function dryRunText(plan, outputs, refusal) {
  const findings = new Map(plan.findings.map((finding) => [finding.row, finding]));
  const unused = plan.findings.filter(isUnused);
  const rows = plan.tensors.map((tensor, row) => {
    const { name, oldType, newType, newByteLength } = tensor;
    return [name, oldType, newType, grouped(newByteLength), notes(tensor, findings.get(row)).join(", ")];
  });
  const columns = [
    { title: "TENSOR" },
    { title: "FROM" },
    { title: "TO" },
    { title: "BYTES", right: true },
    { title: "NOTES" },
  ];
  const isOfTensors = plan.findings.some(({ severity, row }) => severity === "error" && row !== undefined);
  const problems = !refusal
    ? safe``
    : isOfTensors
      ? safe`Tensors that cannot be converted:\n${problemsTable(plan)}`
      : safe`${refusal.message}\n`;
  const name = outputs.length === 0 ? "The new file" : outputs.join(", ");
  const warnings = unused.length === 0 ? safe`` : safe`Options without effect:\n${messages(unused, "option")}`;
  return joined([
    table(columns, rows),
    warnings,
    problems,
    safe`Nothing was written. ${name} would have ${facts(plan)}.\n`,
  ]);
}

/**
 * What is special about a tensor.
 *
 * @param {ConversionTensor} tensor
 * @param {ConversionFinding | undefined} finding
 */
function notes({ originalName, fallbackFrom, problem }, finding) {
  return [
    ...(originalName === undefined ? [] : [`was ${originalName}`]),
    ...(problem ? [`cannot be converted (${problem.code})`] : []),
    ...(fallbackFrom === undefined ? [] : [`instead of ${fallbackFrom}, whose blocks do not fit`]),
    ...(finding?.severity === "info" ? ["without importance"] : []),
  ];
}

/**
 * What was written.
 *
 * @param {ConversionPlan} plan
 * @param {readonly string[]} outputs
 */
export function summary(plan, outputs) {
  return safe`${outputs.join(", ")}: written, ${facts(plan)}\n`;
}

/** @param {ConversionPlan} plan */
function facts({ size, type, bitsPerWeight, tensors }) {
  const converted = tensors.filter(({ oldType, newType }) => oldType !== newType).length;
  const changed = `${grouped(converted)} of ${counted(tensors.length, "tensor")} converted`;
  return `${exactSize(size)}, ${type}, ${bitsPerWeight.toFixed(2)} bits per weight, ${changed}`;
}

/** The tensors that cannot be converted, and what to do. @param {ConversionPlan} plan */
export function problemsTable(plan) {
  return messages(plan.findings.filter(({ severity, row }) => severity === "error" && row !== undefined));
}

/**
 * What is worth knowing before a conversion.
 *
 * @param {string} name
 * @param {ConversionPlan} plan
 */
export function warningsText(name, { findings }) {
  const unused = findings.filter(isUnused);
  const warnings = findings.filter(({ severity, row }) => severity === "warning" && row !== undefined);
  const without = findings.filter(({ severity }) => severity === "info").length;
  return joined([
    unused.length === 0 ? safe`` : safe`gguf-wasm: ${name}: options without effect:\n${messages(unused, "option")}`,
    warnings.length === 0
      ? safe``
      : safe`gguf-wasm: ${name}: tensors with another type than chosen:\n${messages(warnings)}`,
    without === 0
      ? safe``
      : safe`gguf-wasm: ${name}: the importance matrix has no data for ${counted(without, "tensor")} that are converted. --dry-run lists them.\n`,
  ]);
}

/**
 * @param {readonly ConversionFinding[]} findings
 * @param {string} subject What each of them is about.
 */
function messages(findings, subject = "tensor") {
  const shown = table(
    [{ title: "" }, { title: "" }, { title: "" }],
    findings.slice(0, MOST_MESSAGES).map(({ severity, code, message }) => [severity, code, forPeople(message)]),
  );
  const more = findings.length - MOST_MESSAGES;
  return more > 0 ? safe`${shown}and ${counted(more, `more ${subject}`)}. --dry-run lists all.\n` : shown;
}
