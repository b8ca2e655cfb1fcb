// The names of shards: `model-00001-of-00003.gguf`.

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What the names of all shards of the set have in common, the number, and the count. */
const SHARD = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/s;

/**
 * The parts of the name of a shard. `undefined` if it is not the name of one.
 *
 * @param {string} fileName Without folders.
 */
export function shardName(fileName) {
  const [, start, number, count] = SHARD.exec(fileName) ?? [];
  if (start === undefined) return undefined;
  return { start, number: Number(number), count: Number(count), first: `${start}-00001-of-${count}.gguf` };
}

/**
 * The paths of the shards that lie in the folder of a shard, sorted, with its own.
 *
 * @param {string} path
 * @returns {string[]} Empty if it is not the path of a shard.
 */
export function shardsBeside(path) {
  const own = shardName(basename(path));
  if (own === undefined) return [];
  const names = readdirSync(dirname(path)).filter((name) => {
    const other = shardName(name);
    return other?.start === own.start && other.count === own.count;
  });
  return names.sort().map((name) => join(dirname(path), name));
}
