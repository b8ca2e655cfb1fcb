// What `gguf-wasm convert` tells people.

import { warningsText as quantizeWarnings } from "./quantize-text.js";
import { joined, safe } from "./safe-text.js";
import { table } from "./table.js";
import { counted, exactSize, size } from "./text.js";

/** @import { ConversionPlan } from "gguf-wasm/convert" */
/** @import { HubModel, ModelPlan } from "gguf-wasm/models" */

/**
 * What is worth knowing before the file is quantized.
 *
 * @param {string} name
 * @param {ConversionPlan | undefined} quantized
 */
export function warningsText(name, quantized) {
  return quantized ? quantizeWarnings(name, quantized) : safe``;
}

/**
 * What was converted, and what was written.
 *
 * @param {string} output
 * @param {HubModel} model
 * @param {ModelPlan} plan
 * @param {ConversionPlan | undefined} quantized
 * @param {boolean} isDry
 */
export function convertedText(output, model, plan, quantized, isDry) {
  const bits =
    quantized && quantized.tensors.length > 0 ? `, ${quantized.bitsPerWeight.toFixed(2)} bits per weight` : "";
  const facts = `${exactSize(quantized?.size ?? plan.size)}, ${typeName(plan, quantized)}${bits}, ${counted(plan.tensors.length, "tensor")}`;
  const result = isDry
    ? safe`Nothing was written. ${output} would have ${facts}.\n`
    : safe`${output}: written, ${facts}\n`;
  return joined([modelTable(model, plan), typesTable(plan, quantized), result], "\n");
}

/** The type of a file in capital letters, as names of files have it. @param {ModelPlan} plan @param {ConversionPlan | undefined} quantized */
const typeName = (plan, quantized) => quantized?.type ?? plan.type.toUpperCase();

/**
 * What the model is.
 *
 * @param {HubModel} model
 * @param {ModelPlan} plan
 */
function modelTable({ className = "", architecture, vocabulary, projector, parts, dataTypes, size: bytes }, plan) {
  const stored = dataTypes.map(({ dataType }) => dataType).join(", ");
  const rows = [
    ["Class", architecture === undefined ? className : `${className}, architecture ${architecture}`],
    ["Tensors", `${counted(parts.length, "file")}, ${size(bytes)}, ${stored}`],
    ["Vocabulary", vocabulary ? vocabularyText(vocabulary) : "none"],
    ...(projector ? [["Projector", projectorText(projector)]] : []),
    ...(plan.defaultedKeys.length > 0 ? [["Defaults of the class", plan.defaultedKeys.join(", ")]] : []),
    ...(plan.droppedTensors.length > 0 ? [["Left out", counted(plan.droppedTensors.length, "tensor")]] : []),
  ];
  return table([{ title: "" }, { title: "" }], rows);
}

/** What the encoders of a projector read. @param {NonNullable<HubModel["projector"]>} projector */
const projectorText = ({ hasVision, hasAudio }) =>
  [hasVision && "images", hasAudio && "sound"].filter(Boolean).join(" and ") + ", written by --mmproj";

/** @param {NonNullable<HubModel["vocabulary"]>} vocabulary */
function vocabularyText({ kind, tokenCount, preTokenizer, probablePreTokenizers }) {
  const pre = preTokenizer ?? (probablePreTokenizers ? "given" : undefined);
  return `${kind}, ${counted(tokenCount, "token")}${pre === undefined ? "" : `, pre-tokenizer ${pre}`}`;
}

/**
 * How many tensors have each type.
 *
 * @param {ModelPlan} plan
 * @param {ConversionPlan | undefined} quantized
 */
function typesTable(plan, quantized) {
  const types = quantized?.tensors.map(({ newType }) => newType) ?? plan.tensors.map(({ type }) => type);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return table(
    [{ title: "TYPE" }, { title: "TENSORS", right: true }],
    [...counts].map(([type, count]) => [type, count]),
  );
}
