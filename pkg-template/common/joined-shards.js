// Shards that were joined with `cat`: GGUF files one behind the other in one file, which no program opens as a model.

import { bytesOf, partOf } from "./byte-sources.js";

/** @import { ByteSource } from "./byte-sources.js" */

/**
 * What tells where a shard ends: an opened file, in any entry of the package.
 *
 * @typedef {{ readonly requiredSize?: number | undefined, readonly alignment: number, readonly metadata: { get(key: string): unknown }, free(): void }} OpenedShard
 */

/** The most shards that are looked for: the number is one of 16 bits in the format. */
const MOST_SHARDS = 0xffff;

/** The reason why a shard cannot be opened. @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/** The first bytes of each GGUF file. */
const MAGIC = "GGUF";

/**
 * The shards in a file that begins with one, each as a source.
 *
 * @param {OpenedShard} first The file, opened as the first shard.
 * @param {ByteSource} source The file. Its size must be known.
 * @param {string} base What the names of the shards begin with.
 * @param {(source: ByteSource) => Promise<OpenedShard>} open Opens the header of a part.
 * @returns {Promise<{ shards: ByteSource[], problem?: undefined } | { shards?: undefined, problem: string } | undefined>} `undefined` if there
 *   is only one, or if the file is not that of shards; with a problem if a later one is broken.
 */
export async function joinedShards(first, source, base, open) {
  const { size } = source;
  const count = Number(first.metadata.get("split.count") ?? 0);
  if (size === undefined || !(count > 1 && count <= MOST_SHARDS)) return undefined;
  /** @type {ByteSource[]} */
  const shards = [];
  const five = (/** @type {number} */ number) => String(number).padStart(5, "0");
  const nameOf = (/** @type {number} */ number) => `${base}-${five(number)}-of-${five(count)}.gguf`;
  let shard = first;
  for (let start = 0; ;) {
    const end = await endOf(shard, source, start, size);
    if (shard !== first) shard.free();
    if (end === undefined) return undefined;
    shards.push(partOf(source, start, end - start, nameOf(shards.length + 1)));
    if (end === size || shards.length === count) return shards.length > 1 ? { shards } : undefined;
    start = end;
    try {
      shard = await open(partOf(source, start, size - start, nameOf(shards.length + 1)));
    } catch (error) {
      const number = shards.length + 1;
      return {
        problem: `shard ${number} of the joined file begins at offset ${start}, and is broken: ${reasonOf(error)}`,
      };
    }
  }
}

/**
 * Where a shard ends: another one begins there, or the file ends. Some programs fill up the data of the last tensor, others do not.
 *
 * @param {OpenedShard} shard
 * @param {ByteSource} source
 * @param {number} start
 * @param {number} size
 */
async function endOf({ requiredSize, alignment }, source, start, size) {
  if (requiredSize === undefined) return undefined;
  for (const end of new Set([requiredSize, Math.ceil(requiredSize / alignment) * alignment])) {
    if (start + end === size) return size;
    const next = await bytesOf(source, start + end, Math.min(start + end + MAGIC.length, size));
    if (String.fromCharCode(...next) === MAGIC) return start + end;
  }
  return undefined;
}
