// The files that a command reads. No output may be one of them: its data would be lost.

import { fstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSameFile } from "../local-file.js";
import { parseShardName } from "../full/node.js";
import { readTextFile } from "./utf8.js";

/** @import { BigIntStats } from "node:fs" */

/**
 * @typedef {{ name: string, path?: string, stats: BigIntStats }} Input The standard input has no path.
 *
 * @typedef {{ name: string, path: string, stats: BigIntStats }} LocalInput
 *
 * @typedef {{ name: string, url: string, headers: HeadersInit | undefined, stats?: undefined }} RemoteInput
 */

/** @type {Input[]} */
const inputs = [];

/** All inputs with a path or a URL, each once, in the order in which the command reads them. @type {Map<string, LocalInput | RemoteInput>} */
const places = new Map();

/**
 * Remembers that the command reads a file. The other shards of its set belong to it.
 *
 * @param {string} path
 */
export function addInput(path) {
  try {
    for (const shard of shardsBeside(path)) remember(shard);
  } catch {
    // A folder that cannot be listed. The shards that are read are opened by their names.
  }
  remember(path);
}

/**
 * Remembers that the command reads a file of a server.
 *
 * @param {string} url
 * @param {{ headers?: HeadersInit }} options Those of its requests.
 */
export function addRemoteInput(url, { headers }) {
  // The query of a URL can be a secret.
  const name = new URL(url).pathname.split("/").at(-1) || url;
  if (!places.has(url)) places.set(url, { name, url, headers });
}

/** The files that the command has read so far, in their order. */
export const commandInputs = () => [...places.values()];

/** Remembers that the command reads the standard input, which can be a file. */
export function addStandardInput() {
  inputs.push({ name: "the standard input", stats: fstatSync(0, { bigint: true }) });
}

/**
 * Reads a file as UTF-8, and remembers it as an input.
 *
 * @param {string} path
 */
export async function readInput(path) {
  addInput(path);
  return (await readTextFile(path)).toString("utf8");
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
  return names.sort().map((name) => join(dirname(path), name));
}

/** @param {string} path */
function remember(path) {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats?.isFile()) return;
  const input = { name: path, path: realpathSync(path), stats };
  inputs.push(input);
  if (!places.has(input.path)) places.set(input.path, input);
}
