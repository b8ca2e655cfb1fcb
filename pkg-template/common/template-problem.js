// Why a chat template has no rendering.

/** @import { GgufErrorCode } from "gguf-wasm" */
/** @import { Place } from "./template-places.js" */

/**
 * `syntax`: llama.cpp refuses the template. `refused`: the template calls `raise_exception`. `run-time`: an operation of the template fails.
 * `limit`: the template needs too many steps or too much memory. `conversation`: llama-server refuses the conversation before the template
 * sees it. `context`: the variables are not valid.
 *
 * @typedef {"syntax" | "refused" | "run-time" | "limit" | "conversation" | "context"} ProblemKind
 */

/**
 * @typedef {object} TemplateProblem
 * @property {ProblemKind} kind
 * @property {string} message A sentence without the place.
 * @property {Place | undefined} [place]
 */

/** The kinds of problems by the code of the error. @type {Partial<Record<GgufErrorCode, ProblemKind>>} */
const KINDS = {
  "template-syntax": "syntax",
  "template-raised": "refused",
  "template-render": "run-time",
  "template-limit": "limit",
  "template-conversation": "conversation",
  "template-context": "context",
  "too-large": "limit",
};

/** The most characters of a message that are kept. It may have a text of the template. */
const MOST_MESSAGE = 10_000;

/**
 * The problem that an error of `gguf-wasm/template` tells.
 *
 * @param {unknown} error
 * @returns {TemplateProblem}
 * @throws the error, if it does not come from the template
 */
export function problemOf(error) {
  const { code, message, line, column } = /** @type {{ [name: string]: unknown }} */ (error ?? {});
  const kind = KINDS[/** @type {GgufErrorCode} */ (code)];
  if (kind === undefined || typeof message !== "string") throw error;
  const place = typeof line === "number" && typeof column === "number" ? { line, column } : undefined;
  // The message ends with the place.
  const end = place ? ` (line ${place.line}, column ${place.column})` : "";
  const own = message.endsWith(end) ? message.slice(0, message.length - end.length) : message;
  return { kind, message: own.slice(0, MOST_MESSAGE), ...(place && { place }) };
}

/**
 * Where and why llama.cpp refuses a template: "line 12, column 3: unexpected end of the template".
 *
 * @param {Pick<TemplateProblem, "place" | "message">} problem
 */
export function placedMessage({ place, message }) {
  return place ? `line ${place.line}, column ${place.column}: ${message}` : message;
}

/** What happens with a template that llama.cpp refuses. */
export const REFUSED =
  "llama.cpp loads the weights, but llama-server and llama-cli stop when they start with this template.";
