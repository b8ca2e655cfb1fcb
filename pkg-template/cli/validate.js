// `gguf-wasm validate`: whether llama.cpp would load files, and what is unusual about them.

import { loadsOfParts, withAfterData, withMissingParts } from "../common/after-data.js";
import { joinEqual } from "../common/equal-findings.js";
import { editedPrograms, filePrograms, setPrograms } from "../common/programs.js";
import { ONLY_WITH_FIX } from "./change-options.js";
import { changeFile, editedJson, endText } from "./edit-file.js";
import { aboutFile, errorDetails, errorLine, exitCodeOf, UsageError } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { countFindings, findingsTable } from "./findings.js";
import { applySafeFixes } from "./fixes.js";
import { note, print } from "./output.js";
import { fitOf, fitsText, projectorFits } from "./projector-fit.js";
import { printJson } from "./result.js";
import { joined, safe } from "./safe-text.js";
import { afterDataOf, openFile, openModel, withJoinedShards } from "./source.js";
import { list } from "./table.js";
import { counted } from "./text.js";

/** @import { Finding, Loads, ProgramAnswer, SetFinding, SetLoads } from "../full/node.js" */
/** @import { FilePrograms } from "../common/programs.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { ErrorDetails } from "./errors.js" */
/** @import { NamedFit } from "./projector-fit.js" */
/** @import { SafeText } from "./safe-text.js" */
/** @import { OpenedModel } from "./source.js" */

/** The codes of errors that say that the file itself is broken. For this command they are an answer, not a failure. */
const ABOUT_THE_FILE = [
  "bad-magic",
  "unsupported-version",
  "unknown-value-type",
  "unexpected-eof",
  "limit-exceeded",
  "too-large",
  "foreign-shard",
];

/**
 * @typedef {object} Result
 * @property {string} file
 * @property {Loads | SetLoads} [loads] Whether llama.cpp loads the file. Not present if the file could not be checked.
 * @property {FilePrograms["programs"] | undefined} [programs] Which programs load the file. Not present if it is not known.
 * @property {boolean} isValid
 * @property {readonly (Finding | SetFinding)[]} findings
 * @property {readonly NamedFit[]} [projectorFits] With --beside: whether the projectors belong to the file.
 * @property {ErrorDetails} [error] Why the file could not be checked.
 * @property {readonly string[]} [written] With --fix: the paths of the files that were written.
 * @property {string | null} [output] With --fix: the path of the fixed file.
 * @property {readonly object[]} [fixed] With --fix: the findings that were fixed.
 *
 * @typedef {object} Checked
 * @property {Result} result
 * @property {number} code
 * @property {SafeText} text
 */

/** @param {Arguments} args */
export async function run(args) {
  checkOptions(args);
  /** @type {Result[]} */
  const results = [];
  let exitCode = DONE;
  const others = await openBeside(args);
  try {
    for (const name of args.positionals) {
      const { result, code, text } = await checked(name, args, others);
      results.push(result);
      exitCode = Math.max(exitCode, code);
      if (!args.flag("json")) await print(text);
    }
  } finally {
    for (const other of others) await other.close();
  }
  if (args.flag("json")) await printJson(resultOf(args, results));
  return exitCode;
}

/**
 * @param {Arguments} args
 * @param {readonly Result[]} results
 */
function resultOf(args, results) {
  const written = results.flatMap(({ written = [] }) => written);
  return { file: args.at(0), ...(args.flag("fix") && { written }), files: results };
}

/** @param {Arguments} args */
function checkOptions(args) {
  const wrong = ONLY_WITH_FIX.find((name) => args.flag(name) || args.text(name) !== undefined);
  if (!args.flag("fix") && wrong !== undefined) throw new UsageError(`--${wrong} is only for --fix.`);
  if (args.flag("fix") && args.texts("beside").length > 0) {
    throw new UsageError("--beside is not for --fix. Check whether the files belong together in a command of its own.");
  }
  if (args.text("output") !== undefined && args.positionals.length > 1) {
    throw new UsageError("--output is for one file only. Fix one after the other.");
  }
}

/**
 * Checks a file, or says why it cannot be checked.
 *
 * @param {string} name
 * @param {Arguments} args
 * @param {readonly OpenedModel[]} others The files of --beside.
 * @returns {Promise<Checked>}
 */
async function checked(name, args, others) {
  try {
    return await (args.flag("fix") ? fix(name, args) : check(name, args, others));
  } catch (error) {
    // A wrong command line is wrong for all files.
    if (error instanceof UsageError) throw error;
    note(errorLine(error));
    const details = errorDetails(error);
    const code = ABOUT_THE_FILE.includes(details.code) ? ANSWER_IS_NO : exitCodeOf(error);
    const result = { file: name, isValid: false, findings: [], error: details };
    return { result, code, text: text(result, args) };
  }
}

/**
 * @param {string} name
 * @param {Arguments} args
 * @param {readonly OpenedModel[]} others The files of --beside.
 * @returns {Promise<Checked>}
 */
async function check(name, args, others) {
  const model = await openModel(name, args);
  try {
    const options = model.fileName ? { fileName: model.fileName } : {};
    const own = model.set ? model.set.validate() : model.gguf.validate(options);
    const checks = model.set ? own : withAfterData(own, await afterDataOf(model, own, args));
    const joined = model.set || args.flag("one-file") ? undefined : await withJoinedShards(model, args);
    // Of joined shards, the checks of the whole model count, and that they are joined.
    const ofSet = joined?.set && [...checks.filter(({ code }) => code === "trailing-bytes"), ...joined.set.validate()];
    const isOfParts = model.container === "raw parts";
    const findings = ofSet ?? (isOfParts ? withMissingParts(checks) : checks);
    const answer = (model.set ?? model.gguf).loads();
    const loads = isOfParts ? loadsOfParts(answer) : answer;
    const programs = model.set ? setPrograms(model.gguf) : filePrograms(model.gguf);
    // Of several files, only those are compared that can belong together.
    const fits =
      args.positionals.length > 1 ? projectorFits(model, others) : others.map((other) => fitOf(model, other));
    const result = {
      file: name,
      loads,
      programs: programs?.programs,
      isValid: isValid(args, findings) && fits.every(({ answer }) => answer !== "no"),
      findings,
      ...(fits.length > 0 && { projectorFits: fits }),
    };
    return { result, code: result.isValid ? DONE : ANSWER_IS_NO, text: text(result, args, programs) };
  } finally {
    await model.close();
  }
}

/**
 * Opens the files of --beside. One that cannot be opened ends the command.
 *
 * @param {Arguments} args
 */
async function openBeside(args) {
  /** @type {OpenedModel[]} */
  const others = [];
  try {
    for (const name of args.texts("beside")) others.push(await aboutFile(name, () => openModel(name, args)));
    return others;
  } catch (error) {
    for (const other of others) await other.close();
    throw error;
  }
}

/**
 * Checks a file after the fixes that need no decision.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<Checked>}
 */
async function fix(name, args) {
  if (args.text("output") === undefined && !(await canBeFixed(name, args))) {
    const unchanged = await check(name, args, []);
    return { ...unchanged, result: { ...unchanged.result, written: [], output: null, fixed: [] } };
  }
  /** @type {Finding[]} */
  let fixed = [];
  /** @type {readonly Finding[]} */
  let findings = [];
  /** @type {Loads | undefined} */
  let loads;
  /** @type {FilePrograms | undefined} */
  let programs;
  const edited = await changeFile(args, name, (editor, { fileName, gguf }) => {
    fixed = applySafeFixes(editor);
    findings = editor.validate(fileName && !args.flag("merged") ? { fileName } : {});
    loads = editor.loads();
    programs = editedPrograms(filePrograms(gguf), gguf.classification, editor.classification);
  });
  const result = {
    ...editedJson(edited),
    ...(loads && { loads }),
    ...(programs && { programs: programs.programs }),
    isValid: isValid(args, findings),
    findings,
    fixed: fixed.map(({ severity, code, key, tensor, message, fix }) => {
      return { severity, code, key, tensor, message, fix: fix?.title };
    }),
  };
  const listing = { all: args.flag("all") };
  const lines = fixed.map((finding) => ({ ...finding, message: finding.fix?.title ?? finding.message }));
  const parts = [
    safe`${name}: ${counted(fixed.length, "problem")} ${edited.written.length > 0 ? "fixed" : "can be fixed"}\n${findingsTable(lines, listing)}`,
    fixed.length > 0 ? endText(edited) : safe``,
    safe`After that: ${headline(loads, findings, listing, programs)}\n${findingsTable(findings, listing)}${hint(findings, listing)}`,
  ];
  return {
    result,
    code: result.isValid && !edited.isRefused ? DONE : ANSWER_IS_NO,
    text: fixed.length === 0 ? text(result, args, programs) : joined(parts),
  };
}

/**
 * Whether a file has problems that can be fixed. A truncated file is not written.
 *
 * @param {string} name
 * @param {Arguments} args
 */
async function canBeFixed(name, args) {
  const { gguf, close } = await openFile(name, args);
  try {
    const findings = gguf.validate();
    return findings.some(({ fix }) => fix?.isSafe) && !findings.some(({ code }) => code === "truncated");
  } finally {
    await close();
  }
}

/**
 * @param {Arguments} args
 * @param {readonly (Finding | SetFinding)[]} findings
 */
function isValid(args, findings) {
  const strict = args.flag("strict");
  return !findings.some(({ severity }) => severity === "error" || (strict && severity === "warning"));
}

/**
 * @param {Result} result
 * @param {Arguments} args
 * @param {FilePrograms} [programs]
 */
function text({ file, loads, findings, projectorFits = [], error }, args, programs) {
  if (error) return safe`${file}: cannot be checked\n`;
  const listing = { all: args.flag("all") };
  return safe`${file}: ${headline(loads, findings, listing, programs)}\n${findingsTable(findings, listing)}${hint(findings, listing)}${fitsText(projectorFits)}`;
}

/**
 * Says how each finding is listed, if some are joined.
 *
 * @param {readonly (Finding | SetFinding)[]} findings
 * @param {{ all: boolean }} listing
 */
function hint(findings, { all }) {
  const isWhole = all || joinEqual(findings).length === findings.length;
  return isWhole ? safe`` : safe`Equal findings of several blocks are one line. --all lists each.\n`;
}

/**
 * Whether llama.cpp loads a file, or for a file of other programs which of them do; and what was found.
 *
 * @param {Loads | SetLoads | undefined} loads
 * @param {readonly (Finding | SetFinding)[]} findings
 * @param {{ all: boolean }} listing
 * @param {FilePrograms} [programs]
 */
function headline(loads, findings, listing, programs) {
  const count = (/** @type {string} */ severity, /** @type {string} */ noun) => {
    const own = findings.filter((finding) => finding.severity === severity);
    return countFindings(own, noun, listing);
  };
  const counts = [count("error", "error"), count("warning", "warning"), count("info", "note")];
  const found = findings.length === 0 ? "no problems found" : counts.join(", ");
  if (!loads) return safe`${found}`;
  const others = loads.answer === "no" ? programs?.others : undefined;
  // What a file for other programs is, and how they take it.
  const before = programs && others ? safe`${programs.sentence}\n${list(others.map(optionOf))}` : safe``;
  return safe`${before}${loads.sentence}\n${found}; rules of ${loads.rules}`;
}

/**
 * @param {ProgramAnswer} answer
 * @returns {[string, string | undefined]}
 */
const optionOf = ({ program, how }) => [program, how];
