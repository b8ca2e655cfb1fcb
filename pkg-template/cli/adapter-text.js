// What `gguf-wasm convert-lora` and `gguf-wasm merge-lora` tell people.

import { joined, safe } from "./safe-text.js";
import { table } from "./table.js";
import { counted, exactSize } from "./text.js";

/** @import { ModelPlan } from "gguf-wasm/models" */

/**
 * What was converted, and what was written.
 *
 * @param {string} output
 * @param {ModelPlan} plan
 * @param {boolean} isDry
 */
export function adapterText(output, { size, type, tensors, droppedTensors }, isDry) {
  const facts = `${exactSize(size)}, ${type.toUpperCase()}, ${counted(tensors.length, "tensor")}`;
  const left = droppedTensors.length > 0 ? safe`Left out: ${counted(droppedTensors.length, "tensor")}\n` : safe``;
  return joined([left, written(output, facts, isDry)]);
}

/**
 * What was changed, and what was written.
 *
 * @param {string} output
 * @param {{ size: number, changedTensors: readonly string[], tensors: readonly { newType: string }[] }} result
 * @param {boolean} isDry
 */
export function mergedText(output, { size, changedTensors, tensors }, isDry) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { newType } of tensors) counts.set(newType, (counts.get(newType) ?? 0) + 1);
  const types = table(
    [{ title: "TYPE" }, { title: "TENSORS", right: true }],
    [...counts].map(([type, count]) => [type, count]),
  );
  const facts = `${exactSize(size)}, ${counted(changedTensors.length, "tensor")} of ${tensors.length} changed`;
  return joined([types, written(output, facts, isDry)], "\n");
}

/** @param {string} output @param {string} facts @param {boolean} isDry */
const written = (output, facts, isDry) =>
  isDry ? safe`Nothing was written. ${output} would have ${facts}.\n` : safe`${output}: written, ${facts}\n`;
