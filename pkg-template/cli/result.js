// Results of commands: JSON for programs, text for people.

import { jsonPieces } from "./json.js";
import { print, printJsonPieces, printRaw } from "./output.js";

/** @import { Arguments } from "./arguments.js" */
/** @import { SafeText } from "./safe-text.js" */

/** Prints a result as JSON. @param {unknown} result */
export function printJson(result) {
  return printJsonPieces(jsonPieces(result));
}

/**
 * Prints a result: for programs as JSON, or for people.
 *
 * @param {Arguments} args
 * @param {unknown} result
 * @param {() => SafeText} text
 */
export function printResult(args, result, text) {
  return args.flag("json") ? printJson(result) : print(text());
}

/**
 * Like {@link printResult}, for text that a file contains, or its names.
 *
 * @param {Arguments} args
 * @param {unknown} result
 * @param {() => string | Iterable<string>} text
 */
export function printRawResult(args, result, text) {
  return args.flag("json") ? printJson(result) : printRaw(text());
}
