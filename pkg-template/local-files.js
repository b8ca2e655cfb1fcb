// Local files, as the module uses them once `node.js` has plugged them in.

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { GgufError } from "./gguf-error.js";
import { LocalFile, OpenFile } from "./local-file.js";
import { writeNewFile } from "./new-file.js";

/** @import { BigIntStats } from "node:fs" */
/** @import { FileHandle } from "node:fs/promises" */
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
    return isNodeStream(source) ? streamOf(source) : undefined;
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

  async write(path, chunks, { overwrite, sources, signal }) {
    const target = localFiles.pathOf(path);
    if (target === undefined) {
      throw new GgufError(
        "invalid-argument",
        "the target is not a path. Give a path or a file: URL; for handles, use applyTo()",
      );
    }
    await writeNewFile(target, chunks, {
      overwrite,
      async check() {
        signal?.throwIfAborted();
        for (const source of sources) {
          if (source instanceof LocalFile || source instanceof OpenFile) await source.check();
        }
      },
    });
  },
};

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
  return isPipe(stats) ? streamOf(createReadStream(path)) : new LocalFile(path, stats);
}

/** @param {FileHandle} handle */
async function openHandle(handle) {
  const stats = await handle.stat({ bigint: true });
  refuseFolder(stats, "the FileHandle");
  if (isPipe(stats)) return streamOf(handle.createReadStream({ autoClose: false }));
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

/** A stream of Node.js with the methods of a `ReadableStream` that the module calls. @param {NodeStream} readable */
function streamOf(readable) {
  const chunks = readable[Symbol.asyncIterator]();
  // `return` of the iterator would wait for a chunk that may never come.
  const cancel = async () => void readable.destroy();
  return { getReader: () => ({ read: () => chunks.next(), cancel, releaseLock() {} }) };
}
