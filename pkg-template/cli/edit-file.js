// Changes a file, and writes it as the options say: to another file, in place, or beside the file, which it then replaces.

import { statSync } from "node:fs";
import { parseShardName, shardName } from "../full/node.js";
import { ChangedFile, cannotBeChanged, hasChanged, isOneWrite } from "./changed-file.js";
import { changesText } from "./changes-text.js";
import { CommandError, Refusal, UsageError, aboutFile, errorDetails } from "./errors.js";
import { ANSWER_IS_NO, DONE } from "./exit-codes.js";
import { findingsTable, mergeErrors } from "./findings.js";
import { serverOf } from "./hub.js";
import { newFindings } from "./new-findings.js";
import { currentProgress, note } from "./output.js";
import { OutputFile } from "./output-file.js";
import { printResult } from "./result.js";
import { joined, safe } from "./safe-text.js";
import { localPath, openFile, openSet, requireRanges } from "./source.js";
import { exactSize } from "./text.js";

/** @import { Change, EditPlan, Editor, Finding } from "../full/node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedFile } from "./source.js" */

/**
 * What a change of a file has come to.
 *
 * @typedef {object} Edited
 * @property {string} file
 * @property {readonly string[]} written The paths of the files that were written or changed.
 * @property {string | null} output The path of the changed file. `null` if nothing was written.
 * @property {boolean} inPlace Whether FILE has been changed in place. If nothing was written: whether it would be.
 * @property {number} size The size of the changed file in bytes.
 * @property {readonly Change[]} changes
 * @property {readonly Finding[]} findings Those of the changed file.
 * @property {readonly Finding[]} newFindings The errors and warnings that the change causes.
 * @property {boolean} isRefused Whether the change causes errors, so that nothing was written.
 */

/**
 * Changes a file, and prints what has been changed.
 *
 * @param {Arguments} args The first one is the file.
 * @param {(editor: Editor) => void} change
 */
export async function editFile(args, change) {
  const edited = await changeFile(args, args.at(0), change);
  await printResult(args, editedJson(edited), () => joined([changesText(edited.changes), endText(edited)]));
  return edited.isRefused ? ANSWER_IS_NO : DONE;
}

/**
 * The result of a change for programs.
 *
 * @param {Edited} edited
 */
export function editedJson({ isRefused, changes, ...edited }) {
  const plain = changes.map(({ kind, key, tensor, index, from, to, fromType, toType }) => {
    return { kind, key, tensor, index, from, to, fromType, toType };
  });
  return { ...edited, changes: plain, ...(isRefused && { error: errorDetails(causesErrors(edited.file)) }) };
}

/**
 * The last line about a change.
 *
 * @param {Edited} edited
 */
export function endText({ changes, output, inPlace, size, isRefused, file }) {
  return safe`${lastSentence()}\n`;

  function lastSentence() {
    if (output !== null) return `${output}: ${inPlace ? "changed in place" : "written"}, ${exactSize(size)}`;
    if (isRefused) return causesErrors(file).message;
    if (changes.length === 0) return "Nothing to change.";
    const how = inPlace ? "can be changed in place" : "must be written anew";
    return `Nothing was written. The changed file would have ${exactSize(size)}. FILE ${how}.`;
  }
}

/** @param {string} file */
const causesErrors = (file) =>
  new Refusal("causes-errors", `${file}: nothing was written, because the change causes errors. --force accepts them.`);

/**
 * Changes a file. Errors and warnings that the change causes are shown before anything is written.
 *
 * @param {Arguments} args
 * @param {string} name
 * @param {(editor: Editor, file: OpenedFile) => void} change
 * @returns {Promise<Edited>}
 */
export async function changeFile(args, name, change) {
  checkOptions(args);
  const isWholeSet = args.flag("merged");
  const changed = await lockIfChanged(args, name);
  try {
    const file = isWholeSet ? await openWholeSet(args, name) : await openFile(name, args);
    try {
      requireRanges(file);
      if (changed || (args.flag("in-place") && args.flag("dry-run"))) requireOwnFile(file);
      if (!isWholeSet) noteShard(file);
      return await writeChange(args, file, changed, change);
    } finally {
      await file.close();
    }
  } catch (error) {
    const hasLocalChange = errorDetails(error).code === "changed" && localPath(name) !== undefined;
    throw hasLocalChange ? hasChanged(name) : error;
  } finally {
    changed?.unlock();
  }
}

/** A file that is inside another one, or in raw parts, cannot be replaced. @param {OpenedFile} file */
function requireOwnFile({ name, fileName, container }) {
  if (container === undefined) return;
  const what = container === "raw parts" ? `in ${container}` : `inside a ${container}`;
  throw new Refusal("not-in-place", `${name}: ${fileName} is ${what}. Give the path of a new file with --output PATH.`);
}

/** @param {Arguments} args */
function checkOptions(args) {
  const output = args.text("output");
  if (args.flag("in-place") && output !== undefined) {
    throw new UsageError("--in-place and --output cannot be given together. Leave out one of them.");
  }
  if (args.flag("merged") && output === undefined && !args.flag("dry-run")) {
    throw new UsageError("--merged writes all shards as one new file. Give its path with --output PATH.");
  }
}

/**
 * Locks the file, if it is to be changed itself.
 *
 * @param {Arguments} args
 * @param {string} name
 */
async function lockIfChanged(args, name) {
  if (args.text("output") !== undefined || (args.flag("dry-run") && !args.flag("in-place"))) return undefined;
  const path = localPath(name);
  if (path === undefined) throw cannotBeChanged(name);
  return args.flag("dry-run") ? undefined : ChangedFile.lock(name, path);
}

/**
 * All shards of a set as one file.
 *
 * @param {Arguments} args
 * @param {string} name
 */
async function openWholeSet(args, name) {
  const model = await openSet(name, args);
  const errors = mergeErrors(model.set.findings);
  if (errors.length === 0) return model;
  await model.close();
  note(safe`gguf-wasm: ${name}: the set has errors:\n${findingsTable(errors)}`);
  throw new Refusal("set-has-errors", `${name}: the shards cannot be merged, because the set has errors.`);
}

/** Says that a shard is changed alone. @param {OpenedFile} file */
function noteShard({ name, fileName }) {
  const shard = parseShardName(fileName);
  if (shard === undefined || shard.count < 2) return;
  const first = shardName(shard.prefix, 1, shard.count);
  const metadata =
    shard.number === 1
      ? "It has the metadata of the model."
      : `\`inspect\` shows the metadata of the first shard: to change that of the model, give ${first}.`;
  const advice = "To write all shards as one changed file, give --merged and --output PATH.";
  note(
    safe`gguf-wasm: ${name}: this is shard ${shard.number} of ${shard.count}, and the command is about this file only. ${metadata} ${advice}\n`,
  );
}

/**
 * @param {Arguments} args
 * @param {OpenedFile} file
 * @param {ChangedFile | undefined} changed The locked file, if it is changed itself.
 * @param {(editor: Editor, file: OpenedFile) => void} change
 * @returns {Promise<Edited>}
 */
async function writeChange(args, file, changed, change) {
  const { name, gguf } = file;
  const output = args.text("output");
  // Even if nothing is written, the command refuses to overwrite the file.
  const outputFile = output === undefined ? undefined : await OutputFile.at(output, { mayReplace: args.flag("force") });
  const editor = gguf.edit();
  const plan = await aboutFile(name, () => {
    change(editor, file);
    return editor.plan();
  });
  const changes = editor.changes.every(isWithoutEffect) ? [] : editor.changes;
  const canPatch = canBeInPlace(args, file, plan);
  const newOnes = newFindings(gguf, plan, changes);
  const isRefused = !args.flag("force") && newOnes.some(({ severity }) => severity === "error");
  if (newOnes.length > 0) note(safe`gguf-wasm: ${name}: ${problems(newOnes)}:\n${findingsTable(newOnes)}`);
  const isWritten = !isRefused && !args.flag("dry-run") && (changes.length > 0 || outputFile !== undefined);
  if (isWritten) await aboutFile(name, () => write(file, plan, { changed, outputFile, canPatch }));
  const target = output ?? file.path ?? name;
  return {
    file: name,
    written: isWritten ? [target] : [],
    output: isWritten ? target : null,
    inPlace: canPatch && !(isWritten && outputFile !== undefined),
    size: plan.size,
    changes,
    findings: plan.findings,
    newFindings: newOnes,
    isRefused,
  };
}

/**
 * Whether a value is set to what it is. Bytes that are not UTF-8 are U+FFFD in a text, so such texts can be different.
 *
 * @param {Change} change
 */
function isWithoutEffect({ kind, from, to, fromType, toType }) {
  const isSame = fromType === toType && typeof from !== "object" && Object.is(from, to);
  return kind === "set" && isSame && !String(from).includes("\ufffd");
}

/** @param {readonly Finding[]} findings */
function problems(findings) {
  const has = (/** @type {string} */ wanted) => findings.some(({ severity }) => severity === wanted);
  return `the change causes ${[...(has("error") ? ["errors"] : []), ...(has("warning") ? ["warnings"] : [])].join(" and ")}`;
}

/**
 * Whether the file can be changed in place: if one write does it. With --in-place, several writes may do it.
 *
 * @param {Arguments} args
 * @param {OpenedFile} file
 * @param {EditPlan} plan
 */
function canBeInPlace(args, { name, path }, plan) {
  // The other names of a file may be copies that somebody wants to keep as they are.
  if (!args.flag("in-place")) return isOneWrite(plan) && !(path !== undefined && linkCount(path) > 1);
  if (plan.inPlace) return true;
  const advice = "Leave out --in-place: the whole file is then written anew.";
  throw new Refusal("not-in-place", `${name}: the change moves the data of the tensors. ${advice}`);
}

/** The number of names of a file: its hard links. @param {string} path */
const linkCount = (path) => statSync(path).nlink;

/**
 * @param {OpenedFile} file
 * @param {EditPlan} plan
 * @param {{ changed: ChangedFile | undefined, outputFile: OutputFile | undefined, canPatch: boolean }} target
 */
async function write(file, plan, { changed, outputFile, canPatch }) {
  if (changed && canPatch) return changed.patch(plan);
  const target = outputFile ?? changed?.replacement();
  if (!target) throw new CommandError("internal", `${file.name}: there is no file to write.`);
  if (changed && file.path !== undefined) noteNames(file.name, linkCount(file.path));
  const progress = currentProgress(`Writing ${target.name}`, serverOf(file.name));
  try {
    await target.write(plan, (bytes) => progress.update(bytes, plan.size));
  } finally {
    progress.clear();
  }
  // Windows does not replace open files.
  await file.close();
  target.moveIntoPlace();
}

/**
 * Says that a file that is replaced has other names.
 *
 * @param {string} name
 * @param {number} count
 */
function noteNames(name, count) {
  if (count < 2) return;
  const others = count === 2 ? "The other name keeps" : "The other names keep";
  const advice = "To change all, use --in-place, if the change allows it.";
  note(safe`gguf-wasm: ${name}: the file has ${count} names (hard links). ${others} the old file. ${advice}\n`);
}
