// What `gguf-wasm migrate` tells people.

import { forPeople } from "./errors.js";
import { joined, safe } from "./safe-text.js";
import { table } from "./table.js";
import { counted, exactSize, grouped } from "./text.js";

/** @import { MigrationExactness, MigrationPlan } from "gguf-wasm/convert" */

/**
 * What is lost, and how much values change.
 *
 * @param {string} name
 * @param {MigrationPlan} plan
 * @param {MigrationExactness} exactness
 */
export function warningsText(name, plan, { total }) {
  // The checks of the new file say its errors.
  const warnings = plan.findings.filter(({ severity }) => severity === "warning");
  const texts = warnings.map(({ message }) => safe`gguf-wasm: ${name}: ${forPeople(message)}\n`);
  if (total.changed > 0) {
    const most = Number(total.maxError.toPrecision(3));
    texts.push(
      safe`gguf-wasm: ${name}: ${grouped(total.changed)} of ${grouped(total.values)} values change, by at most ${most}.\n`,
    );
  }
  if (total.lostToOverflow > 0) {
    const advice = "--rounded-scales f32 or --removed-types F32 keeps them.";
    texts.push(
      safe`gguf-wasm: ${name}: ${counted(total.lostToOverflow, "value")} ${total.lostToOverflow === 1 ? "becomes" : "become"} infinite. ${advice}\n`,
    );
  }
  return joined(texts);
}

/**
 * The answers, and which of them are defaults.
 *
 * @param {readonly { id: string, title: string, value: string, isDefault: boolean, reason?: string }[]} answers
 */
function answersTable(answers) {
  return table(
    [{ title: "QUESTION" }, { title: "ANSWER" }, { title: "" }],
    answers.map(({ title, value, isDefault, reason }) => [title, value, isDefault ? `default. ${reason}` : "given"]),
  );
}

/**
 * What was written.
 *
 * @param {string} output
 * @param {MigrationPlan} plan
 * @param {Parameters<typeof answersTable>[0]} answers
 * @param {boolean} isDry
 */
export function summaryText(output, plan, answers, isDry) {
  const facts = `${exactSize(plan.size)}, ${counted(plan.tensors.length, "tensor")}`;
  const result = isDry
    ? safe`Nothing was written. ${output} would have ${facts}.\n`
    : safe`${output}: written, ${facts}\n`;
  return joined([...(answers.length > 0 ? [answersTable(answers)] : []), typesTable(plan), result], "\n");
}

/** What becomes of each type. @param {MigrationPlan} plan */
function typesTable({ tensors }) {
  /** @type {Map<string, [string, string, string, number]>} */
  const rows = new Map();
  for (const { oldType, newType, relation } of tensors) {
    const key = `${oldType} ${newType} ${relation}`;
    const row = rows.get(key) ?? [oldType, newType, relation, 0];
    row[3] += 1;
    rows.set(key, row);
  }
  return table(
    [{ title: "FROM" }, { title: "TO" }, { title: "VALUES" }, { title: "TENSORS", right: true }],
    [...rows.values()],
  );
}
