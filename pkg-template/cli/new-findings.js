// The problems that a change causes.

import { keyInfo } from "../full/node.js";
import { valuesText } from "./values.js";

/** @import { Change, EditPlan, Finding, Gguf } from "../full/node.js" */

/**
 * The errors and warnings that a change causes: those that the original file does not have.
 *
 * @param {Gguf} gguf The original file.
 * @param {EditPlan} plan
 * @param {readonly Change[]} changes
 * @returns {Finding[]}
 */
export function newFindings(gguf, plan, changes) {
  if (changes.length === 0) return [];
  const newNames = renamed(changes);
  const set = new Set(changes.flatMap(({ key, kind }) => (key === undefined || kind === "rename" ? [] : [key])));
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {(finding: Finding, names?: Map<string, string>) => string} */
  const identity = ({ severity, code, key, tensor, message }, names) => {
    const keyAfter = names?.get(subject("key", key)) ?? key;
    const tensorAfter = names?.get(subject("tensor", tensor)) ?? tensor;
    // Messages contain positions, which every change can move. Those about a changed entry contain its value.
    const isSet = keyAfter !== undefined && set.has(keyAfter);
    return JSON.stringify([severity, code, keyAfter, tensorAfter, isSet ? message : ""]);
  };
  for (const finding of gguf.validate()) {
    const id = identity(finding, newNames);
    known.set(id, (known.get(id) ?? 0) + 1);
  }
  const caused = plan.findings.filter((finding) => {
    if (finding.severity === "info") return false;
    const id = identity(finding);
    const left = known.get(id) ?? 0;
    known.set(id, left - 1);
    return left <= 0;
  });
  const others = [...otherArchitectures(gguf, changes), ...unknownValues(changes)];
  return [...caused.map(asCaused), ...others.filter(({ key }) => !caused.some((finding) => finding.key === key))];
}

/** Checks that warn about a file, but are errors if a change causes them: llama.cpp loads the file, but nobody intends such a value. */
const ERRORS_OF_CHANGES = ["token-id-out-of-range"];

/** A finding with the severity that it has for the change that causes it. @param {Finding} finding @returns {Finding} */
const asCaused = (finding) => (ERRORS_OF_CHANGES.includes(finding.code) ? { ...finding, severity: "error" } : finding);

/**
 * New keys of another architecture, for which the file already has the key of its own architecture. The checks do not report them, because
 * a file may have the keys of two architectures.
 *
 * @param {Gguf} gguf
 * @param {readonly Change[]} changes
 * @returns {Finding[]}
 */
function otherArchitectures(gguf, changes) {
  const { architecture } = gguf;
  if (architecture === undefined || changes.some(({ key }) => key === "general.architecture")) return [];
  return changes.flatMap(({ kind, key, to }) => {
    const newKey = kind === "add" ? key : kind === "rename" ? String(to) : undefined;
    const pattern = newKey === undefined ? undefined : keyInfo(newKey)?.pattern;
    if (newKey === undefined || !pattern?.startsWith("{arch}.")) return [];
    const own = pattern.replace("{arch}", architecture);
    if (own === newKey || !gguf.metadata.has(own)) return [];
    const message = `the architecture of the file is ${architecture}, so programs read ${own}, which the file has, too.`;
    return [{ severity: "warning", code: "other-architecture-key", key: newKey, message }];
  });
}

/** The code of a value that is not in the list of its key. It is about a change: the package has no such check. */
const UNKNOWN_VALUE = /** @type {Finding["code"]} */ (/** @type {string} */ ("unknown-value"));

/**
 * The new values of keys with a fixed set of values that are not in it.
 *
 * @param {readonly Change[]} changes
 * @returns {Finding[]}
 */
function unknownValues(changes) {
  return changes.flatMap(({ kind, key, to }) => {
    const values = (kind === "set" || kind === "add") && key !== undefined ? keyInfo(key)?.values : undefined;
    if (!values || key === undefined || to === undefined) return [];
    const isKnown = (/** @type {unknown} */ value) => values.some((known) => known.value === value);
    if (typeof to === "object" ? [...to].every(isKnown) : isKnown(to)) return [];
    const message = `programs do not know this value. Those that they know are ${valuesText(values)}.`;
    return [{ severity: "warning", code: UNKNOWN_VALUE, key, message }];
  });
}

/** @param {"key" | "tensor"} kind @param {string | undefined} name */
const subject = (kind, name) => `${kind} ${name}`;

/**
 * The names that renamed entries and tensors have after all changes, by their names before.
 *
 * @param {readonly Change[]} changes
 */
function renamed(changes) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const { kind, key, tensor, to } of changes) {
    if (kind !== "rename" && kind !== "rename-tensor") continue;
    const type = kind === "rename" ? "key" : "tensor";
    const from = kind === "rename" ? key : tensor;
    // An entry can be renamed several times.
    const original = [...names].find(([old, now]) => old.startsWith(`${type} `) && now === from)?.[0];
    names.set(original ?? subject(type, from), String(to));
  }
  return names;
}
