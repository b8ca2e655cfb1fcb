// Whether the disk has room for new files, before hours of work begin.

import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "./errors.js";
import { exactSize } from "./text.js";

/**
 * Checks that the disk has room for the rest of new files, which lie in one folder.
 *
 * @param {readonly { name: string, path: string, size: number }[]} files `path` is where a file is written, and `size` what it has so far.
 * @param {number} size The size of all complete files together.
 * @throws {CommandError} `ENOSPC`
 */
export async function checkSpace(files, size) {
  const [first] = files;
  if (!first) return;
  const free = await freeSpace(dirname(first.path));
  const needed = size - files.reduce((sum, file) => sum + file.size, 0);
  if (free === undefined || needed <= free) return;
  const names = files.map(({ name }) => name).join(", ");
  throw new CommandError(
    "ENOSPC",
    `${names}: nothing was written, because ${exactSize(needed)} are needed and the disk has only ${exactSize(free)} free. ` +
      "Free some space, choose a smaller type, or choose another disk.",
  );
}

/**
 * The free space of the disk that has a folder, in bytes. Undefined if the system does not tell it, as some network drives do not.
 *
 * @param {string} folder
 */
async function freeSpace(folder) {
  const stats = await statfs(folder).catch(() => undefined);
  return stats && stats.blocks > 0 ? stats.bavail * stats.bsize : undefined;
}
