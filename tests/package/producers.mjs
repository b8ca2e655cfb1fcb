// Files as twenty programs write them: what is true of each, and what must and must not be said about it.

import { json, missing } from "./corpus.mjs";

/**
 * @typedef {object} Row
 * @property {string} file
 * @property {number} parameters
 * @property {number} bitsPerWeight
 * @property {Record<string, number>} tensorTypes
 * @property {{ tensor: string, type: string, first8: string[] }[]} [values]
 * @property {string[]} mustSay
 * @property {string[]} mustNotSay
 * @property {boolean} editLossless
 */

/** @type {Row[]} */
export const rows = missing ? [] : json("producers/index.json").files;

/** A regular expression as Python writes it. @param {string} rule */
export const expression = (rule) => (rule.startsWith("(?i)") ? new RegExp(rule.slice(4), "i") : new RegExp(rule));

/** The severity and the code of findings that a rule forbids. The code `*` stands for each. @param {string} rule */
export function forbiddenFinding(rule) {
  const [, severity, code] = /^(error|warning) (\*|[\w-]+)$/.exec(rule) ?? [];
  return severity === undefined || code === undefined ? undefined : { severity, code };
}
