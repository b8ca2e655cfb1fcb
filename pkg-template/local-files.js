// Local files, as the module uses them once `node.js` has plugged them in.

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { GgufError } from "./gguf-error.js";
import { LocalFile, OpenFile, identityAt, isSameFile } from "./local-file.js";
import { writeNewFile } from "./new-file.js";

/** @import { BigIntStats } from "node:fs" */
/** @import { FileHandle } from "node:fs/promises" */
/** @import { FileIdentity } from "./local-file.js" */
/** @import { NodeStream } from "./local-files.js" */

/** The beginning of a URL. A scheme has at least two letters, because one letter is a drive of Windows. */
const URL_START = /^([a-z][a-z0-9+.-]+:\/\/|data:|blob:|https?:)/i;

/** @type {typeof import("./local-files.js").localFiles} */
export const localFiles = {
  pathOf(source) {
    const url = /** @type {URL | undefined} */ (source)?.href;
    const text = typeof source === "string" ? source : url;
    if (typeof text !== "string") return undefined;
    if (/^file:/i.test(text)) return pathOfUrl(text);
    if (url !== undefined || URL_START.test(text)) return undefined;
    if (text === "") throw new GgufError("invalid-source", "the path is empty, expected the path of a file, or a URL");
    return resolve(text);
  },

  open(source) {
    const path = localFiles.pathOf(source);
    if (path !== undefined) return openPath(path);
    if (isFileHandle(source)) return openHandle(source);
    return isNodeStream(source) ? streamOf(() => source) : undefined;
  },

  async filesOf(folder) {
    if (!(await stat(folder)).isDirectory()) {
      throw new GgufError("invalid-source", `${folder} is a file, expected a folder. Give the folder of the model`);
    }
    const entries = await readdir(folder, { withFileTypes: true });
    const inside = entries.filter((entry) => entry.isDirectory());
    // No file of a model is deeper. A folder that cannot be listed has none of its files.
    const deeper = inside.map(async ({ name }) =>
      (await readdir(join(folder, name), { withFileTypes: true }).catch(() => []))
        .filter((entry) => !entry.isDirectory())
        .map((entry) => `${name}/${entry.name}`),
    );
    const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    return [names, ...(await Promise.all(deeper))].flat().map((path) => [path, join(folder, path)]);
  },

  async write(path, chunks, { overwrite, sources, kept, signal }) {
    const target = localFiles.pathOf(path);
    if (target === undefined) {
      // Only the plans of changes, which replace their own file, have another method for handles.
      const handles = kept ? "" : "; for handles, use applyTo()";
      throw new GgufError("invalid-argument", `the target is not a path. Give a path or a file: URL${handles}`);
    }
    if (overwrite) await refuseKept(target, kept);
    await writeNewFile(target, chunks, {
      overwrite,
      async check() {
        signal?.throwIfAborted();
        for (const source of sources) if (isLocal(source)) await source.check();
        // The path may have become a link to one of these files.
        if (overwrite) await refuseKept(target, kept);
      },
    });
  },
};

/**
 * Fails if a path leads to a file that must stay.
 *
 * @param {string} target
 * @param {readonly unknown[]} [kept] Sources. Sources that are not local files are ignored.
 */
async function refuseKept(target, kept = []) {
  const found = kept.length > 0 ? await identityAt(target) : undefined;
  if (!found) return;
  for (const source of kept) {
    if (!(await isAt(source, found))) continue;
    throw new GgufError(
      "invalid-argument",
      `the new file cannot replace ${target}: it is made from this file. Choose another path`,
    );
  }
}

/**
 * Whether a source is a local file that has been found.
 *
 * @param {unknown} source
 * @param {FileIdentity} found
 */
async function isAt(source, found) {
  if (isLocal(source)) return source.isSame(found);
  if (isFileHandle(source)) {
    const stats = await source.stat({ bigint: true }).catch(() => undefined);
    return stats !== undefined && isSameFile(stats, found.stats);
  }
  const path = localFiles.pathOf(source);
  const other = path === undefined ? undefined : await identityAt(path);
  return other !== undefined && (other.path === found.path || isSameFile(other.stats, found.stats));
}

/** @param {unknown} source @returns {source is LocalFile | OpenFile} */
const isLocal = (source) => source instanceof LocalFile || source instanceof OpenFile;

/** @param {string} url */
function pathOfUrl(url) {
  try {
    return fileURLToPath(url);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new GgufError("invalid-source", `the URL ${JSON.stringify(url)} does not name a local file: ${message}`, {
      cause: error,
    });
  }
}

/** @param {string} path */
async function openPath(path) {
  const stats = await stat(path, { bigint: true });
  refuseFolder(stats, path);
  // Opening a pipe that nobody writes to never ends, so it is opened when it is read. A caller that needs ranges never reads it.
  return isPipe(stats) ? streamOf(() => createReadStream(path)) : new LocalFile(path, stats);
}

/** @param {FileHandle} handle */
async function openHandle(handle) {
  const stats = await handle.stat({ bigint: true });
  refuseFolder(stats, "the FileHandle");
  if (isPipe(stats)) return streamOf(() => handle.createReadStream({ autoClose: false }));
  return new OpenFile(handle, stats.isFile() ? stats : undefined);
}

/**
 * @param {BigIntStats} stats
 * @param {string} name
 */
function refuseFolder(stats, name) {
  if (stats.isDirectory())
    throw new GgufError("invalid-source", `${name} is a folder, expected a file. Give the path of a file`);
}

/** Whether a file is read once, from its beginning. @param {BigIntStats} stats */
function isPipe(stats) {
  return stats.isFIFO() || stats.isCharacterDevice() || stats.isSocket();
}

/** @param {unknown} source @returns {source is FileHandle} */
function isFileHandle(source) {
  const { fd, stat, read } = /** @type {Partial<FileHandle>} */ (source ?? {});
  return typeof fd === "number" && typeof stat === "function" && typeof read === "function";
}

/** @param {unknown} source @returns {source is NodeStream} */
function isNodeStream(source) {
  const { pipe, destroy, [Symbol.asyncIterator]: iterate } = /** @type {Partial<NodeStream>} */ (source ?? {});
  return typeof pipe === "function" && typeof destroy === "function" && typeof iterate === "function";
}

/**
 * A stream of Node.js with the methods of a `ReadableStream` that the module calls.
 *
 * @param {() => NodeStream} open Is called when the stream is read.
 */
function streamOf(open) {
  return {
    getReader() {
      const readable = open();
      const chunks = readable[Symbol.asyncIterator]();
      // `return` of the iterator would wait for a chunk that may never come.
      const cancel = async () => void readable.destroy();
      return { read: () => chunks.next(), cancel, releaseLock() {} };
    },
  };
}
