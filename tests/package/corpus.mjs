// The reference corpus: valid files with their dumps, and malformed files.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DIR = process.env.GGUF_CORPUS ?? fileURLToPath(new URL("../../../shared/corpus/", import.meta.url));

/** The reason why the tests of the corpus are skipped, or false. With CI=true the corpus must exist. */
export const missing = existsSync(DIR) ? false : "the corpus is not there: set GGUF_CORPUS";
if (missing && process.env.CI === "true") throw new Error(missing);

/** @param {string} path */
export const pathOf = (path) => join(DIR, path);

/** @param {string} path */
export const read = (path) => new Uint8Array(readFileSync(pathOf(path)));

/** @param {string} path */
export const json = (path) => (missing ? {} : JSON.parse(readFileSync(pathOf(path), "utf8")));
