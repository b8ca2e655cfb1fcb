// `gguf-wasm migrate`: makes a GGUF file of a model in a format before GGUF.

import { Gguf } from "../full/node.js";
import { isDraft } from "./dialect.js";
import { CommandError, Refusal, aboutFile, errorDetails, forPeople } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { serverOf } from "./hub.js";
import { openDraftFile, openLegacyModel, warnOfLegacy } from "./legacy-source.js";
import { summaryText, warningsText } from "./migrate-text.js";
import { allFindings, checkSource, newFileText } from "./new-file-checks.js";
import { currentProgress, note } from "./output.js";
import { PartFile } from "./part-file.js";
import { printResult } from "./result.js";
import { writeParts } from "./write-parts.js";

/** @import { LegacyAnswers, LegacyModel, MigrationPlan } from "gguf-wasm/convert" */
/** @import { Arguments } from "./arguments.js" */

/** @param {Arguments} args */
export async function run(args) {
  const [name = "", output = ""] = args.positionals;
  const isDry = args.flag("dry-run");
  args.refuseTogether("dry-run", "resume");
  const { plan, model } = await planOf(name, args);
  const file = await PartFile.at(output, { mayReplace: args.flag("force"), mayContinue: args.flag("resume") });
  const exactness = await measured(plan, name);
  const answers = model ? answersOf(model, givenAnswers(args)) : [];
  const isForPeople = !args.flag("json");
  const checks = await checkSource(plan);
  if (isForPeople) {
    note(warningsText(name, plan, exactness));
    if (!args.flag("for-inspection")) note(newFileText(name, checks));
  }
  if (!isDry) {
    const header = async () => (await Gguf.open(plan)).headerBytes();
    const stream = (/** @type {number} */ start) => plan.stream({ start });
    await writeParts([{ file, size: plan.size, header, stream }], {
      command: "migrate",
      options: migrationOptions(args, answers, model),
      isResumed: args.flag("resume"),
      errors: (work) => aboutFile(name, work),
      title: `Migrating ${name}`,
    });
  }
  const result = {
    file: name,
    written: isDry ? [] : [output],
    output: isDry ? null : output,
    size: plan.size,
    family: model?.family,
    alternatives: model?.alternatives,
    answers,
    exactness,
    tensors: plan.tensors,
    loads: checks.loads,
    findings: allFindings(plan.findings, checks).map((finding) => ({
      ...finding,
      message: forPeople(finding.message),
    })),
  };
  await printResult(args, result, () => summaryText(output, plan, answers, isDry));
  return DONE;
}

/**
 * The plan of the new file. A file in the layout of a dialect has no questions: its entries and tensors stay.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<{ plan: MigrationPlan, model?: LegacyModel }>}
 */
async function planOf(name, args) {
  if (isDraft(args)) return { plan: await openDraftFile(name, args) };
  const opened = await openLegacyModel(name, args);
  const { model } = opened;
  warnOfLegacy(opened, args);
  const forInspection = args.flag("for-inspection");
  if (model.obstacles.length > 0 && !forInspection) {
    const advice = "With --for-inspection, a file for other tools is written.";
    const reasons = model.obstacles.join(" ");
    throw new Refusal("unsupported", `${name}: llama.cpp could not run the migrated model. ${reasons} ${advice}`);
  }
  const answers = givenAnswers(args);
  try {
    return { plan: model.migrate({ ...answers, forInspection }), model };
  } catch (error) {
    return aboutFile(name, () => Promise.reject(inOptions(error)));
  }
}

/** An error that names an answer by its option: `--context-length` in place of `contextLength`. @param {unknown} error */
function inOptions(error) {
  const { code, message } = errorDetails(error);
  const id = code === "invalid-argument" && /^the answer to (\w+) is /.exec(message)?.[1];
  if (!id) return error;
  return new CommandError(
    code,
    message.replace(`the answer to ${id}`, () => `--${optionOf(id)}`),
  );
}

/**
 * The answers to all questions of a model.
 *
 * @param {LegacyModel} model
 * @param {ReturnType<typeof givenAnswers>} given
 */
function answersOf(model, given) {
  return model.questions().map(({ id, title, reason, default: answer }) => {
    const isDefault = given[id] === undefined;
    return { id, title, value: isDefault ? answer : String(given[id]), isDefault, ...(isDefault && { reason }) };
  });
}

/**
 * The answers that the options give. An answer to a question that the model does not ask is checked, too, but has no effect.
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

/**
 * The options that change the bytes of the new file.
 *
 * @param {Arguments} args
 * @param {ReturnType<typeof answersOf>} answers
 * @param {LegacyModel | undefined} model
 */
function migrationOptions(args, answers, model) {
  const given = Object.fromEntries(answers.map(({ id, value }) => [optionOf(id), value]));
  return {
    ...given,
    family: model?.family,
    "for-inspection": args.flag("for-inspection"),
    dialect: args.text("dialect"),
  };
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
