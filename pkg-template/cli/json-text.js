// JSON in arguments and files: values of the metadata, and conversations.

import { UsageError } from "./errors.js";

/** The levels of nested arrays that a GGUF file can have, as in the package's limits. */
const MOST_LEVELS = 64;

/** Where a string begins, where arrays and objects begin and end, and integers that a double may not represent. */
const PLACES = /["[\]{}]|-?\b\d{16,}\b(?![.eE])/g;

/**
 * The value of a JSON text; `undefined` if it is none. Long integers become strings, because `JSON.parse` would round them.
 *
 * The text is scanned once. So a text whose last string does not end takes no longer than others.
 *
 * @param {string} text
 * @returns {unknown}
 * @throws {UsageError} If arrays are nested too deeply.
 */
export function parseJson(text) {
  const parts = [];
  let done = 0;
  let levels = 0;
  let mostLevels = 0;
  PLACES.lastIndex = 0;
  for (let match = PLACES.exec(text); match; match = PLACES.exec(text)) {
    const [found] = match;
    if (found === '"') {
      const end = endOfString(text, match.index + 1);
      if (end === undefined) return undefined;
      PLACES.lastIndex = end;
    } else if (found === "[" || found === "{") {
      levels += 1;
      mostLevels = Math.max(mostLevels, levels);
    } else if (found === "]" || found === "}") {
      levels -= 1;
    } else {
      parts.push(text.slice(done, match.index), `"${found}"`);
      done = PLACES.lastIndex;
    }
  }
  parts.push(text.slice(done));
  const value = parsed(parts.join(""));
  if (value !== undefined && mostLevels > MOST_LEVELS) {
    throw new UsageError(
      `The value has ${mostLevels} levels of nested arrays, expected at most ${MOST_LEVELS}, which is what readers accept.`,
    );
  }
  return value;
}

/** Where a string begins, and what is between the members of an object and around it. */
const MEMBER_PLACES = /["[\]{},:]/g;

/**
 * The members of a JSON object as texts, so that numbers keep their form. Of members with the same name, the last one counts.
 *
 * @param {string} json The text of an object. It must be valid.
 */
export function jsonMembers(json) {
  /** @type {Map<string, string>} */
  const members = new Map();
  let levels = 0;
  let name = "";
  /** Where the value of the member begins; 0 before its colon. */
  let start = 0;
  MEMBER_PLACES.lastIndex = 0;
  for (let match = MEMBER_PLACES.exec(json); match; match = MEMBER_PLACES.exec(json)) {
    const [{ index }, [found]] = [match, match];
    if (found === '"') {
      const end = endOfString(json, index + 1) ?? json.length;
      MEMBER_PLACES.lastIndex = end;
      if (start === 0) name = JSON.parse(json.slice(index, end));
    } else if (found === ":" && levels === 1) {
      start = index + 1;
    } else if (found === "[" || found === "{") {
      levels += 1;
    } else if (found !== ":") {
      if (levels === 1 && start > 0) {
        members.set(name, json.slice(start, index).trim());
        start = 0;
      }
      if (found !== ",") levels -= 1;
    }
  }
  return members;
}

/**
 * The position after the quotation mark that ends a string.
 *
 * @param {string} text
 * @param {number} start The position after its first quotation mark.
 */
function endOfString(text, start) {
  let end = text.indexOf('"', start);
  let checked = start;
  while (end !== -1) {
    let backslashes = 0;
    while (end - 1 - backslashes >= checked && text[end - 1 - backslashes] === "\\") backslashes += 1;
    checked = end + 1;
    if (backslashes % 2 === 0) return checked;
    end = text.indexOf('"', checked);
  }
  return undefined;
}

/** @param {string} json @returns {unknown} */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
