// The problems that a change causes.

/** @import { Change, EditPlan, Finding, Gguf } from "../node.js" */

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
  return plan.findings.filter((finding) => {
    if (finding.severity === "info") return false;
    const id = identity(finding);
    const left = known.get(id) ?? 0;
    known.set(id, left - 1);
    return left <= 0;
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
