// The checks of a new file before it is written: all checks of `gguf-wasm/full`, and whether llama.cpp loads the file.

import { Gguf } from "../full/node.js";
import { findingsTable } from "./findings.js";
import { joined, safe } from "./safe-text.js";
import { grouped } from "./text.js";

/** @import { ConversionPlan } from "gguf-wasm/convert" */
/** @import { Finding, GgufSource, Loads } from "../full/node.js" */

/**
 * What the checks say about a new file.
 *
 * @typedef {object} NewFileChecks
 * @property {readonly Finding[]} findings
 * @property {Loads} loads
 */

/**
 * The checks of a planned file.
 *
 * @param {Gguf} gguf The new file, opened.
 * @returns {NewFileChecks}
 */
function checksOf(gguf) {
  try {
    return { findings: gguf.validate(), loads: gguf.loads() };
  } finally {
    gguf.free();
  }
}

/**
 * The checks of a planned file.
 *
 * @param {GgufSource} source The plan, or another source of the new file.
 */
export const checkSource = async (source) => checksOf(await Gguf.open(source));

/**
 * The checks of a planned model. Nothing is read for them.
 *
 * @param {{ readonly gguf: Parameters<typeof Gguf.from>[0] }} plan
 */
export const checkModel = (plan) => checksOf(Gguf.from(plan.gguf));

/**
 * The checks of the first file that a conversion makes.
 *
 * @param {ConversionPlan} plan
 */
export function checkConverted(plan) {
  const header = plan.headerBytes();
  const [file] = plan.files;
  return checkSource({
    size: file?.size ?? header.length,
    read: (start, end) => Promise.resolve(header.subarray(start, Math.min(end, header.length))),
  });
}

/**
 * The errors and warnings about a new file, and that llama.cpp does not load it.
 *
 * @param {string} name The file that is converted.
 * @param {NewFileChecks} checks
 * @param {Gguf} [original] Warnings that the original file has too are left out.
 */
export function newFileText(name, { findings, loads }, original) {
  const known = new Set(original?.validate().map(identity));
  const shown = findings.filter((finding) => {
    return finding.severity === "error" || (finding.severity === "warning" && !known.has(identity(finding)));
  });
  // An adapter and the like are not meant to be loaded as a model. So "not a model" is no refusal.
  const isRefused = loads.answer === "no" && loads.reason?.code !== "not-a-model";
  return joined([
    shown.length === 0 ? safe`` : safe`gguf-wasm: ${name}: the checks of the new file found:\n${beginningsOf(shown)}`,
    isRefused ? safe`gguf-wasm: ${name}: the new file: ${loads.sentence}\n` : safe``,
  ]);
}

/** The most findings of one check that are shown: a defect often repeats in all blocks. */
const MOST_OF_A_CHECK = 3;

/** The first findings of each check, and how many more there are. @param {readonly Finding[]} findings */
function beginningsOf(findings) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const first = findings.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= MOST_OF_A_CHECK;
  });
  const more = [...counts].filter(([, count]) => count > MOST_OF_A_CHECK);
  const texts = more.map(([code, count]) => safe`and ${grouped(count - MOST_OF_A_CHECK)} more of ${code}\n`);
  return joined([findingsTable(first), ...texts]);
}

/** @param {Finding} finding */
const identity = ({ code, key, tensor, message }) => JSON.stringify([code, key, tensor, message]);

/**
 * The findings of a plan and of the checks, each once: a plan can have some of the checks itself.
 *
 * @template {{ message: string }} T
 * @param {readonly T[]} own
 * @param {NewFileChecks} checks
 * @returns {(T | Finding)[]}
 */
export function allFindings(own, { findings }) {
  const checked = new Set(findings.map(({ message }) => message));
  return [...own.filter(({ message }) => !checked.has(message)), ...findings];
}
