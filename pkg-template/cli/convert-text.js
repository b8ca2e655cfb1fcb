// What `gguf-wasm convert` tells people.

import { projectorType } from "../common/projectors.js";
import { warningsText as quantizeWarnings } from "./quantize-text.js";
import { joined, safe } from "./safe-text.js";
import { table } from "./table.js";
import { counted, exactSize, size } from "./text.js";

/** @import { ConversionPlan } from "gguf-wasm/convert" */
/** @import { HubModel, ModelPlan } from "gguf-wasm/models" */
/** @import { ProjectorBeside } from "./convert-projector.js" */

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
 * @param {ProjectorBeside | undefined} beside
 * @param {boolean} isDry
 */
export function convertedText(output, model, plan, quantized, beside, isDry) {
  const bits =
    quantized && quantized.tensors.length > 0 ? `, ${quantized.bitsPerWeight.toFixed(2)} bits per weight` : "";
  const facts = `${exactSize(quantized?.size ?? plan.size)}, ${typeName(plan, quantized)}${bits}, ${counted(plan.tensors.length, "tensor")}`;
  const result = isDry
    ? safe`Nothing was written. ${output} would have ${facts}.\n`
    : safe`${output}: written, ${facts}\n`;
  const ofProjector = beside ? [projectorResult(beside, isDry)] : [];
  return joined([modelTable(model, plan, beside), typesTable(plan, quantized), joined([result, ...ofProjector])], "\n");
}

/** What was written of a projector, and whether it belongs to the model. @param {ProjectorBeside} beside @param {boolean} isDry */
function projectorResult({ path, plan, fit }, isDry) {
  const facts = `${exactSize(plan.size)}, ${typeName(plan, undefined)}, ${counted(plan.tensors.length, "tensor")}`;
  return isDry
    ? safe`${path} would have ${facts}. ${fit.sentence}\n`
    : safe`${path}: written, ${facts}\n${fit.sentence}\n`;
}

/**
 * What is worth knowing about a projector of a type that convert_hf_to_gguf.py does not have for projectors, or that is for other models.
 *
 * @param {string} name
 * @param {string} type
 */
export function projectorTypeText(name, type) {
  if (projectorType(type) !== undefined) return safe``;
  return safe`gguf-wasm: ${name}: the projector becomes ${type.toUpperCase()}, so that it loses detail of images and sound. Usual types of projectors are f16, bf16 and q8_0: choose one with --type.\n`;
}

/** The type of a file in capital letters, as names of files have it. @param {ModelPlan} plan @param {ConversionPlan | undefined} quantized */
const typeName = (plan, quantized) => quantized?.type ?? plan.type.toUpperCase();

/**
 * What the model is.
 *
 * @param {HubModel} model
 * @param {ModelPlan} plan
 * @param {ProjectorBeside | undefined} beside
 */
function modelTable(
  { className = "", architecture, vocabulary, projector, parts, dataTypes, size: bytes },
  plan,
  beside,
) {
  const stored = dataTypes.map(({ dataType }) => dataType).join(", ");
  const rows = [
    ["Class", architecture === undefined ? className : `${className}, architecture ${architecture}`],
    ["Tensors", `${counted(parts.length, "file")}, ${size(bytes)}, ${stored}`],
    ["Vocabulary", vocabulary ? vocabularyText(vocabulary) : "none"],
    ...(projector ? [["Projector", projectorText(projector, beside !== undefined)]] : []),
    ...(plan.defaultedKeys.length > 0 ? [["Defaults of the class", plan.defaultedKeys.join(", ")]] : []),
    ...(plan.droppedTensors.length > 0 ? [["Left out", counted(plan.droppedTensors.length, "tensor")]] : []),
  ];
  return table([{ title: "" }, { title: "" }], rows);
}

/**
 * What the encoders of a projector read.
 *
 * @param {NonNullable<HubModel["projector"]>} projector
 * @param {boolean} isWritten Whether it is written with the model.
 */
const projectorText = ({ hasVision, hasAudio }, isWritten) =>
  [hasVision && "images", hasAudio && "sound"].filter(Boolean).join(" and ") +
  (isWritten ? "" : ", written by --mmproj, or with the model by --with-mmproj");

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
