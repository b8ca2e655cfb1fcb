// The files that a command reads. No output may be one of them: its data would be lost.

import { fstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isSameFile } from "../local-file.js";
import { parseShardName } from "../node.js";

/** @import { BigIntStats } from "node:fs" */

/** @typedef {{ name: string, path?: string, stats: BigIntStats }} Input */

/** @type {Input[]} */
const inputs = [];

/**
 * Remembers that the command reads a file. The other shards of its set belong to it.
 *
 * @param {string} path
 */
export function addInput(path) {
  remember(path);
  try {
    for (const shard of shardsBeside(path)) remember(shard);
  } catch {
    // A folder that cannot be listed. The shards that are read are opened by their names.
  }
}

/** Remembers that the command reads the standard input, which can be a file. */
export function addStandardInput() {
  inputs.push({ name: "the standard input", stats: fstatSync(0, { bigint: true }) });
}

/**
 * Reads a file as UTF-8, and remembers it as an input.
 *
 * @param {string} path
 */
export function readInput(path) {
  addInput(path);
  return readFile(path, "utf8");
}

/**
 * The name of the input that is the same file as a path: directly, by a link, or by another spelling of the name.
 *
 * @param {string} path
 * @returns {string | undefined} `undefined` if no input is this file.
 */
export function inputAt(path) {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return undefined;
  const real = realpathSync(path);
  return inputs.find((input) => input.path === real || isSameFile(input.stats, stats))?.name;
}

/**
 * The paths of the shards that lie in the folder of a shard, with its own.
 *
 * @param {string} path
 * @returns {string[]} Empty if it is not the path of a shard.
 */
function shardsBeside(path) {
  const own = parseShardName(basename(path));
  if (own === undefined) return [];
  const names = readdirSync(dirname(path)).filter((name) => {
    const other = parseShardName(name);
    return other?.prefix === own.prefix && other.count === own.count;
  });
  return names.map((name) => join(dirname(path), name));
}

/** @param {string} path */
function remember(path) {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats?.isFile()) inputs.push({ name: path, path: realpathSync(path), stats });
}
