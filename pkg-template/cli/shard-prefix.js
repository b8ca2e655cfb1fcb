// The beginning of the names of new shards.

import { statSync } from "node:fs";
import { basename } from "node:path";
import { UsageError, aboutFile } from "./errors.js";

/**
 * Checks the beginning of the names of new shards.
 *
 * @param {string} argument The name of the argument.
 * @param {string} prefix
 * @throws {UsageError} If no names can begin with it.
 */
export async function checkPrefix(argument, prefix) {
  if (prefix === "-") {
    throw new UsageError(`${argument} is "-", but shards cannot be written to the standard output. Give a path.`);
  }
  if (/[/\\]$/.test(prefix) || basename(prefix) === "") {
    throw new UsageError(
      `${argument} is "${prefix}", which names a folder. Add the beginning of the names of the shards.`,
    );
  }
  // In front of the numbers, `.` makes hidden files, and the name of another folder makes files beside it.
  if (await aboutFile(prefix, () => statSync(prefix, { throwIfNoEntry: false })?.isDirectory())) {
    throw new UsageError(
      `${argument} is "${prefix}", which is a folder. Add the beginning of the names of the shards, such as ${prefix}/model, or choose another ${argument}.`,
    );
  }
}
