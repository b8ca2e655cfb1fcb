// What other programs make of a file: gguf-dump and NumPy. One Python process, which runs tests/python/exports.py, answers.

import { after } from "node:test";
import { json, missing as noCorpus } from "../corpus.mjs";
import { missing as noPython, startPython } from "../../support/python.mjs";

export { noPython };

/** The reason why the comparisons of the corpus are skipped, or false. */
export const missing = noCorpus || noPython;

/** The names of the valid files of the corpus. @type {string[]} */
export const FILES = (json("files/index.json").files ?? []).map((/** @type {{ file: string }} */ { file }) => file);

/**
 * Starts the other programs, and ends them after the tests of the file.
 *
 * @returns {(what: string, path: string) => Promise<any>} Asks for what a program makes of the file at a path. `what` is a name of
 * `ANSWERS` in tests/python/exports.py.
 */
export function otherPrograms() {
  if (noPython) return () => Promise.reject(new Error(String(noPython)));
  const python = startPython("exports.py");
  after(() => python.close());
  return async (what, path) => (await python.ask(JSON.stringify({ what, path }))).answer;
}
