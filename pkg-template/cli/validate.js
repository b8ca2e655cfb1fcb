// `gguf-wasm validate`: whether llama.cpp would load files, and what is unusual about them.

import { errorDetails, errorLine, exitCodeOf, UsageError } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { findingsTable } from "./findings.js";
import { note, print } from "./output.js";
import { printJson } from "./result.js";
import { safe } from "./safe-text.js";
import { openModel } from "./source.js";
import { counted } from "./text.js";

/** @import { Finding, SetFinding } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { ErrorDetails } from "./errors.js" */

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
 * @property {boolean} isValid
 * @property {readonly (Finding | SetFinding)[]} findings
 * @property {ErrorDetails} [error] Why the file could not be checked.
 */

/** @param {Arguments} args */
export async function run(args) {
  const strict = args.flag("strict");
  /** @type {Result[]} */
  const results = [];
  let exitCode = DONE;
  for (const name of args.positionals) {
    const { result, code } = await check(name, args, strict);
    results.push(result);
    exitCode = Math.max(exitCode, code);
    if (!args.flag("json")) await print(text(result));
  }
  if (args.flag("json")) await printJson({ files: results });
  return exitCode;
}

/**
 * @param {string} name
 * @param {Arguments} args
 * @param {boolean} strict Whether warnings count as errors.
 * @returns {Promise<{ result: Result, code: number }>}
 */
async function check(name, args, strict) {
  try {
    const model = await openModel(name, args);
    try {
      const options = model.fileName ? { fileName: model.fileName } : {};
      const findings = model.set ? model.set.validate() : model.gguf.validate(options);
      const isValid = !findings.some(({ severity }) => severity === "error" || (strict && severity === "warning"));
      return { result: { file: name, isValid, findings }, code: isValid ? DONE : ANSWER_IS_NO };
    } finally {
      await model.close();
    }
  } catch (error) {
    // A wrong command line is wrong for all files.
    if (error instanceof UsageError) throw error;
    note(errorLine(error));
    const details = errorDetails(error);
    const code = ABOUT_THE_FILE.includes(details.code) ? ANSWER_IS_NO : exitCodeOf(error);
    return { result: { file: name, isValid: false, findings: [], error: details }, code };
  }
}

/** @param {Result} result */
function text({ file, findings, error }) {
  if (error) return safe`${file}: cannot be checked\n`;
  const count = (/** @type {string} */ severity) => findings.filter((finding) => finding.severity === severity).length;
  const counts = [
    counted(count("error"), "error"),
    counted(count("warning"), "warning"),
    counted(count("info"), "note"),
  ];
  const headline = findings.length === 0 ? "no problems found" : counts.join(", ");
  return safe`${file}: ${headline}\n${findingsTable(findings)}`;
}
