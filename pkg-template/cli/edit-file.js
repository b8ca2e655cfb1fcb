// What the commands that change a file have in common.

import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { CommandError, UsageError, aboutFile } from "./errors.js";
import { DONE } from "./exit-codes.js";
import { findingsTable } from "./findings.js";
import { serverOf } from "./hub.js";
import { currentProgress, note } from "./output.js";
import { OutputFile } from "./output-file.js";
import { printResult } from "./result.js";
import { joined, safe } from "./safe-text.js";
import { openFile, requireRanges } from "./source.js";
import { exactSize, shorten } from "./text.js";
import { quoted, shortValue } from "./values.js";

/** @import { Change, EditPlan, Editor, Gguf, MetadataValue } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedFile } from "./source.js" */

/** The characters of a value in the list of changes. */
const SHOWN_CHARACTERS = 100;

/**
 * Changes a file, and writes it as the options say: to another file, in place, or beside the file, which it then replaces.
 *
 * @param {Arguments} args The first one is the file.
 * @param {(editor: Editor, gguf: Gguf) => void} change
 */
export async function editFile(args, change) {
  const name = args.at(0);
  const inPlace = args.flag("in-place");
  const output = args.text("output");
  if (inPlace && output !== undefined) {
    throw new UsageError("--in-place and --output cannot be given together. Leave out one of them.");
  }
  const file = await openFile(name, args);
  try {
    if (file.path === undefined && (inPlace || (output === undefined && !args.flag("dry-run")))) {
      throw new UsageError(`${name} cannot be changed itself. Write the changed file with --output PATH.`);
    }
    requireRanges(file);
    const editor = file.gguf.edit();
    const plan = await aboutFile(name, () => {
      change(editor, file.gguf);
      return editor.plan();
    });
    const result = {
      file: name,
      changes: editor.changes.map(describeChange),
      size: plan.size,
      findings: plan.findings,
    };
    const written = await aboutFile(name, () => write(args, file, plan, editor.changes.length > 0));
    await printResult(args, { ...result, ...written }, () => text(editor.changes, written, plan));
    warn(file.gguf, plan);
    return DONE;
  } finally {
    await file.close();
  }
}

/**
 * @typedef {object} Written
 * @property {string | null} output The path of the changed file. `null` if nothing was written.
 * @property {boolean} inPlace Whether the file can be changed in place, or has been.
 */

/**
 * @param {Arguments} args
 * @param {OpenedFile} file
 * @param {EditPlan} plan
 * @param {boolean} isChanged
 * @returns {Promise<Written>}
 */
async function write(args, file, plan, isChanged) {
  const output = args.text("output");
  const target = output ?? file.path;
  if (args.flag("in-place") && !plan.inPlace) {
    const advice = "Leave out --in-place: the whole file is then written anew.";
    throw new CommandError("not-in-place", `${file.name}: the change moves the data of the tensors. ${advice}`);
  }
  if (target === undefined) return { output: null, inPlace: false };
  // Also without writing, the command says that the file must not be overwritten.
  const outputFile = args.flag("in-place")
    ? undefined
    : await OutputFile.at(target, { mayReplace: output === undefined || args.flag("force") });
  if (args.flag("dry-run")) return { output: null, inPlace: plan.inPlace };
  if (!isChanged && output === undefined) return { output: null, inPlace: plan.inPlace };
  if (!outputFile) {
    await changeInPlace(target, plan);
    return { output: target, inPlace: true };
  }
  const progress = currentProgress(`Writing ${target}`, serverOf(file.name));
  await outputFile.write(plan, (bytes) => progress.update(bytes, plan.size)).finally(() => progress.clear());
  // Windows does not replace open files.
  await file.close();
  outputFile.moveIntoPlace();
  return { output: target, inPlace: false };
}

/**
 * Writes the changed bytes into the file. The package does it in one synchronous step, so that no signal can interrupt it, and
 * writes the old bytes back if it fails.
 *
 * @param {string} path
 * @param {EditPlan} plan
 */
async function changeInPlace(path, plan) {
  const descriptor = openSync(path, "r+");
  try {
    await plan.applyTo({
      getSize: () => fstatSync(descriptor).size,
      read: (buffer, { at = 0 } = {}) => readSync(descriptor, buffer, 0, buffer.length, at),
      write: (buffer, { at = 0 } = {}) => writeSync(descriptor, buffer, 0, buffer.length, at),
      flush: () => fsyncSync(descriptor),
    });
  } finally {
    closeSync(descriptor);
  }
}

/** @param {Change} change */
function describeChange({ kind, key, tensor, index, from, to, fromType, toType }) {
  return { kind, key, tensor, index, from, to, fromType, toType };
}

/**
 * @param {readonly Change[]} changes
 * @param {Written} written
 * @param {EditPlan} plan
 */
function text(changes, { output, inPlace }, plan) {
  const lines = joined(changes.map((change) => safe`${changeLine(change)}\n`));
  const how = inPlace ? "can be changed in place" : "must be written anew";
  const end =
    output !== null
      ? `${output}: ${inPlace ? "changed in place" : "written"}, ${exactSize(plan.size)}`
      : changes.length === 0
        ? "Nothing to change."
        : `Nothing was written. The file would have ${exactSize(plan.size)}, and ${how}.`;
  return safe`${lines}${end}\n`;
}

/** @param {Change} change */
function changeLine({ kind, key, tensor, from, to, fromType, toType }) {
  const subject = key ?? tensor;
  const name = subject === undefined ? kind : `${kind} ${subject}`;
  const value = (/** @type {MetadataValue} */ value, /** @type {string | undefined} */ type) => {
    const short = shorten(typeof value === "string" ? quoted(value) : shortValue(value, type), SHOWN_CHARACTERS);
    return type === undefined ? short : `${short} (${type})`;
  };
  if (kind === "rename" || kind === "rename-tensor") return `${name} → ${shortValue(to ?? "")}`;
  if (kind === "remove" || kind === "remove-tensor") return name;
  const before = from === undefined ? "" : value(from, fromType === toType ? undefined : fromType);
  const after = to === undefined ? "" : value(to, toType);
  return `${name}: ${before && after ? `${before} → ${after}` : after || before}`;
}

/**
 * Warns of errors that the change has caused.
 *
 * @param {Gguf} gguf
 * @param {EditPlan} plan
 */
function warn(gguf, plan) {
  const known = new Set(gguf.validate().map(({ code, key, tensor }) => `${code}\n${key}\n${tensor}`));
  const isNew = plan.findings.filter(
    ({ severity, code, key, tensor }) => severity === "error" && !known.has(`${code}\n${key}\n${tensor}`),
  );
  if (isNew.length > 0) note(safe`gguf-wasm: the change causes errors:\n${findingsTable(isNew)}`);
}
