// The raw parts of a file on a server.

import { remoteSource } from "./byte-sources.js";

/** @import { RangeSource } from "./byte-sources.js" */
/** @import { RawPart } from "./raw-parts.js" */

/** The most parts that are looked for. */
const MOST_PARTS = 1000;

/** @typedef {{ name: string, url: string, source: RangeSource }} RemotePart */

/**
 * The parts beside one of them on a server. It has no list of its files, so they are asked for by their names, until one is missing.
 *
 * @param {RawPart} part What the name of the part at `url` says.
 * @param {string} url
 * @param {Parameters<typeof remoteSource>[1]} options
 * @returns {Promise<RemotePart[]>} Rejects if the part at `url` cannot be read.
 */
export async function remoteParts({ nameAt, index, first, count }, url, options) {
  const own = nameAt(index);
  const open = async (/** @type {number} */ at) => {
    const name = nameAt(at);
    // The name ends the path. Its characters may be written as escapes.
    const [path = "", query = ""] = url.split(/(?=[?#])/, 2);
    const named = path.slice(0, path.lastIndexOf("/") + 1) + encodeURIComponent(name) + query;
    const address = name === own ? url : named;
    return { name, url: address, source: await remoteSource(address, options) };
  };
  const parts = [await open(index)];
  const optional = (/** @type {number} */ at) => open(at).catch(() => undefined);
  for (let at = index - 1; at >= 0; at--) {
    // Numbers begin with 0 only if there is such a part.
    const before = await optional(at);
    if (!before && at >= first) continue;
    if (before) parts.unshift(before);
  }
  const end = count === undefined ? MOST_PARTS : first + count;
  for (let at = index + 1; at < end; at++) {
    const next = await optional(at);
    if (next) parts.push(next);
    else if (count === undefined) break;
  }
  return parts;
}
