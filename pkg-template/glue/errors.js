// What error messages say about values of callers.
//
// Members of callers' objects can throw. Nothing here does.

import { GgufError } from "../gguf-error.js";

/** @import { GgufErrorCode } from "gguf-wasm" */

/**
 * An error of the module, with those of the members that are known.
 *
 * @param {GgufErrorCode} code
 * @param {string} message
 * @param {boolean} isFull whether it may be caused by objects that nobody needs
 * @param {number} [offset]
 * @param {number} [status]
 * @param {string} [url]
 * @param {unknown} [cause]
 */
export function errorOf(code, message, isFull, offset, status, url, cause) {
  const advice =
    ". The objects of this package hold most of the memory that it can have: call free() on those that you do not need any more";
  if (url && hasSecret(url)) {
    // The host's error may quote the password, in its own spelling.
    const hide = (/** @type {string} */ text) => text.replace(/[^/\\?#]*@/g, "");
    message = hide(message);
    url = hide(url);
    cause = undefined;
  }
  if (url) message = shortened(message, url);
  const known = Object.entries({ offset, status, url, cause }).filter(([, value]) => value !== undefined);
  return Object.assign(new GgufError(code, isFull ? message + advice : message), Object.fromEntries(known));
}

/** The most characters of a text that are quoted. */
const MOST_CHARACTERS = 60;

/** The first characters of a text. @param {string} text */
function beginning(text, most = MOST_CHARACTERS) {
  // A character has one or two units.
  const [...characters] = text.slice(0, 2 * most + 2);
  return characters.length > most ? characters.slice(0, most).join("") : text;
}

/** A URL with a user name or a password. Hosts ignore tabs and line breaks, and accept other slashes. */
const CREDENTIALS = /^(\s*https?:|([^:/\\]*:)?(\s*[/\\]){2})(\s*[/\\])*[^/\\?#]*@/i;

/** Whether a URL has a user name or a password. @param {string} url */
export function hasSecret(url) {
  return CREDENTIALS.test(url);
}

/**
 * A message that quotes only the first characters of an address, without its query and fragment: they can hold a key or a signature.
 *
 * @param {string} message
 * @param {string} address
 */
export function shortened(message, address) {
  const [place = ""] = address.split(/[?#]/, 1);
  return message.replaceAll(address, () => beginning(place, 500) + (place === address ? "" : "?…"));
}

/**
 * The first member whose name is not in a list such as `a, b, c`: the first characters of its name.
 *
 * @param {object} given
 * @param {string} known
 */
export function unknownMember(given, known) {
  const names = known.split(", ");
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  return unknown === undefined ? undefined : beginning(unknown);
}

/**
 * A short description of a value: `"text"`, `-1`, `undefined`, `an array`.
 *
 * @param {unknown} value
 */
export function describe(value) {
  if (typeof value === "string") {
    const shown = beginning(value);
    return `"${shown}${shown === value ? "" : "\u2026"}"`;
  }
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return `${String(value)}${typeof value === "bigint" ? "n" : ""}`;
  try {
    return Array.isArray(value) ? "an array" : "an object";
  } catch {
    // A revoked `Proxy`.
    return "an object";
  }
}

/** Whether a value is the size of a source, which may be unknown. @param {unknown} size */
export function isSize(size) {
  return size === undefined || (Number.isSafeInteger(size) && Number(size) >= 0);
}

/**
 * A member of a caught value; `undefined` if it has none, or if the member throws.
 *
 * @param {unknown} caught
 * @param {string} name
 */
export function memberOf(caught, name) {
  try {
    return Object(caught)[name];
  } catch {
    return undefined;
  }
}

/**
 * The value of a header. The caller's `fetch` may return any object.
 *
 * @param {any} headers
 * @param {string} name
 * @returns {string | undefined}
 */
export function headerOf(headers, name) {
  try {
    const value = headers.get(name);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The message of a caught value.
 *
 * @param {unknown} caught
 * @returns {string}
 */
export function reasonOf(caught) {
  // The message of Node.js is "fetch failed"; its cause says why.
  const texts = [memberOf(memberOf(caught, "cause"), "message"), memberOf(caught, "message"), caught];
  return texts.find((text) => typeof text === "string") ?? "no reason given";
}

/** The most errors that are followed in a chain of causes. */
const MOST_CAUSES = 8;

/**
 * All texts of a caught value and of its causes. `undefined` if it has more causes than that.
 *
 * @param {unknown} caught
 */
export function textsOf(caught) {
  /** @type {unknown[]} */
  const texts = [];
  for (let count = 0; count < MOST_CAUSES; count++) {
    texts.push(caught, memberOf(caught, "message"));
    caught = memberOf(caught, "cause");
    if (caught === undefined) return texts.filter((text) => typeof text === "string").join("\n");
  }
  return undefined;
}

/**
 * Whether a caught value is an error of this package.
 *
 * @param {unknown} caught
 */
export function isOwn(caught) {
  return memberOf(caught, "name") === "GgufError";
}
