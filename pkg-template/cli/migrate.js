// `gguf-wasm migrate`: makes a GGUF file of a model in a format before GGUF.

import { Refusal, aboutFile, forPeople } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { serverOf } from "./hub.js";
import { openLegacyModel, warnOfLegacy } from "./legacy-source.js";
import { answersText, summaryText, warningsText } from "./migrate-text.js";
import { currentProgress, note } from "./output.js";
import { OutputFile } from "./output-file.js";
import { printResult } from "./result.js";

/** @import { LegacyAnswers, MigrationPlan } from "gguf-wasm/convert" */
/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  const [name = "", output = ""] = args.positionals;
  const opened = await openLegacyModel(name, args);
  const { model } = opened;
  warnOfLegacy(opened, args);
  const forInspection = args.flag("for-inspection");
  if (model.obstacles.length > 0 && !forInspection) {
    const advice = "With --for-inspection, a file for other tools is written.";
    const reasons = model.obstacles.join(" ");
    throw new Refusal("unsupported", `${name}: llama.cpp could not run the migrated model. ${reasons} ${advice}`);
  }
  const given = givenAnswers(args);
  const plan = await aboutFile(name, () => model.migrate({ ...given, forInspection }));
  const file = await OutputFile.at(output, { mayReplace: args.flag("force") });
  const exactness = await measured(plan, name);
  const answers = model.questions().map(({ id, title, reason, default: answer }) => {
    const isDefault = given[id] === undefined;
    return { id, title, value: isDefault ? answer : String(given[id]), isDefault, ...(isDefault && { reason }) };
  });
  const isForPeople = !args.flag("json");
  if (isForPeople) note(warningsText(name, plan, exactness));
  const isDry = args.flag("dry-run");
  if (!isDry) {
    const progress = currentProgress(`Migrating ${name}`, serverOf(name));
    await aboutFile(name, () => file.write(plan, (bytes) => progress.update(bytes, plan.size))).finally(() =>
      progress.clear(),
    );
    file.moveIntoPlace();
  }
  const result = {
    file: name,
    written: isDry ? [] : [output],
    output: isDry ? null : output,
    size: plan.size,
    family: model.family,
    alternatives: model.alternatives,
    answers,
    exactness,
    tensors: plan.tensors,
    findings: plan.findings.map((finding) => ({ ...finding, message: forPeople(finding.message) })),
  };
  await printResult(args, result, () => summaryText(output, plan, answersText(answers), isDry));
  return DONE;
}

/**
 * The answers that the options give. An answer to a question that the model does not leave open is checked, too, and has no effect.
 *
 * @param {Arguments} args
 * @returns {Partial<Record<string, string>> & LegacyAnswers}
 */
function givenAnswers(args) {
  const given = QUESTIONS.flatMap((id) => {
    const answer = args.text(optionOf(id));
    return answer === undefined ? [] : [[id, answer]];
  });
  return Object.fromEntries(given);
}

/** The names of all answers. @type {readonly (keyof LegacyAnswers & string)[]} */
const QUESTIONS = [
  "name",
  "contextLength",
  "rmsEpsilon",
  "ropeBase",
  "ropeScale",
  "bosToken",
  "eosToken",
  "unknownToken",
  "roundedScales",
  "removedTypes",
];

/** The option that answers a question: `--context-length` of `contextLength`. @param {string} id */
const optionOf = (id) => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * How much the values will change.
 *
 * @param {MigrationPlan} plan
 * @param {string} name
 */
async function measured(plan, name) {
  const progress = currentProgress(`Checking ${name}`, serverOf(name));
  try {
    return await aboutFile(name, () =>
      plan.exactness({ onProgress: ({ bytesRead, totalBytes }) => progress.update(bytesRead, totalBytes) }),
    );
  } finally {
    progress.clear();
  }
}
