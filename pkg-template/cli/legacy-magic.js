// Tells files in the formats before GGUF by the error of the reader, so that nothing else is loaded for other files.

import { isDraft } from "./dialect.js";
import { openModel } from "./source.js";

/** @import { Arguments } from "./arguments.js" */
/** @import { OpenedModel } from "./source.js" */

/** The magics of GGML, GGMF, GGJT and ggla files, and of sessions of llama.cpp: numbers, so their letters are reversed. */
const LEGACY = /the file begins with "(?:lmgg|fmgg|tjgg|algg|nsgg)"/;

/**
 * Returns `undefined` if a file could not be opened because it is in a format before GGUF. The error has the magic of a file of any
 * source, also of one that can be read only once.
 *
 * @param {unknown} error
 * @returns {undefined}
 * @throws All other errors.
 */
function unlessLegacy(error) {
  // The models of whisper.cpp that are no Whisper models have the same magic, but another form.
  const { code, format } = /** @type {{ code?: unknown, format?: unknown }} */ (Object(error));
  if (error instanceof Error && code === "bad-magic" && format !== "parakeet" && LEGACY.test(error.message)) return;
  throw error;
}

/**
 * Opens a GGUF file, also one in the layout of a dialect. Undefined if the file is in a format before GGUF.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<OpenedModel | undefined>}
 */
export async function openUnlessLegacy(name, args) {
  if (isDraft(args)) return (await import("./legacy-source.js")).openDraftModel(name, args);
  return openModel(name, args).catch(unlessLegacy);
}
