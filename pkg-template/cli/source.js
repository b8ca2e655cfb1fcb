// Opens what the user names: a path, a URL, or `-` for the standard input.

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { fileSource, Gguf, GgufSet } from "../node.js";
import { CommandError, UsageError, aboutFile } from "./errors.js";
import { currentProgress } from "./output.js";

/** @import { FileSource, GgufSource, OpenOptions } from "../node.js" */
/** @import { Arguments } from "./arguments.js" */

/** The name of a shard: what the names of all shards of the set have in common, the number, and the count. */
const SHARD = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/s;

/** The token of this environment variable is sent to this origin, as the tools of Hugging Face do it. */
const HUGGING_FACE = { origin: "https://huggingface.co", variable: "HF_TOKEN" };

/**
 * An opened file.
 *
 * @typedef {object} OpenedFile
 * @property {string} name As the user gave it.
 * @property {string} fileName Without folders. Empty for the standard input.
 * @property {string | undefined} path The path, if it is a file of this computer.
 * @property {Gguf} gguf
 * @property {() => Promise<void>} close
 *
 * A file, or a set of shards as one file: `gguf` has the tensors of all.
 *
 * @typedef {OpenedFile & { set?: GgufSet }} OpenedModel
 */

/**
 * Opens one file, also if it is a shard of several.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<OpenedFile>}
 */
export function openFile(name, args) {
  return aboutFile(name, async () => {
    const { source, fileName, path, close } = await sourceOf(name);
    const progress = currentProgress(`Reading ${fileName || "the standard input"}`);
    try {
      const onProgress = (/** @type {{ bytesRead: number }} */ { bytesRead }) => progress.update(bytesRead);
      const gguf = await Gguf.open(source, { ...requestOptions(name, args), onProgress });
      return { name, fileName, path, gguf, close };
    } catch (error) {
      await close();
      throw error;
    } finally {
      progress.clear();
    }
  });
}

/**
 * Opens a file. If it is a shard of several, opens the other shards, too, unless the option `one-file` is given.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<OpenedModel>}
 */
export async function openModel(name, args) {
  const [, , , count = 1] = SHARD.exec(fileNameOf(name)) ?? [];
  return Number(count) > 1 && !args.flag("one-file") ? openSet(name, args) : openFile(name, args);
}

/**
 * Opens all shards of a set.
 *
 * @param {string} name The path or the URL of any shard.
 * @param {Arguments} args
 * @returns {Promise<OpenedFile & { set: GgufSet }>}
 */
export function openSet(name, args) {
  return aboutFile(name, async () => {
    const fileName = fileNameOf(name);
    if (!SHARD.test(fileName)) {
      const advice = "Give a file whose name ends in -00001-of-00003.gguf or similar.";
      throw new CommandError("not-a-shard", `${name}: the name is not that of a shard. ${advice}`);
    }
    const url = httpUrl(name);
    const path = url ? undefined : pathOf(name);
    const shards = path === undefined ? undefined : await localShards(path);
    const progress = currentProgress(`Reading ${fileName}`);
    const close = async () => {
      for (const shard of shards ?? []) await shard.close();
    };
    try {
      const onProgress = (/** @type {{ bytesRead: number }} */ { bytesRead }) => progress.update(bytesRead);
      const set = await GgufSet.open(shards ?? name, { ...requestOptions(name, args), onProgress });
      return { name, fileName, path, gguf: set.merged, set, close };
    } catch (error) {
      await close();
      throw error;
    } finally {
      progress.clear();
    }
  });
}

/**
 * The shards that lie beside a shard, and itself.
 *
 * @param {string} path
 * @returns {Promise<(FileSource & { name: string })[]>}
 */
async function localShards(path) {
  await checkReadable(path);
  const folder = dirname(path);
  const [, start, , count] = SHARD.exec(basename(path)) ?? [];
  const names = (await readdir(folder)).filter((name) => {
    const [, ownStart, , ownCount] = SHARD.exec(name) ?? [];
    return ownStart === start && ownCount === count;
  });
  /** @type {(FileSource & { name: string })[]} */
  const shards = [];
  for (const name of names.sort()) {
    shards.push(Object.assign(await aboutFile(join(folder, name), () => fileSource(join(folder, name))), { name }));
  }
  return shards;
}

/**
 * Checks that the data of tensors can be read. A pipe is read only up to the end of the header.
 *
 * @param {OpenedFile} file
 */
export function requireRanges({ name, path }) {
  if (path !== undefined || httpUrl(name)) return;
  const advice = "Save it in a file first, and give the path of that.";
  throw new CommandError("no-ranges", `${name}: the data of the tensors cannot be read from a pipe. ${advice}`);
}

/**
 * @param {string} name
 * @returns {Promise<{ source: GgufSource, fileName: string, path?: string, close(): Promise<void> }>}
 */
async function sourceOf(name) {
  const fileName = fileNameOf(name);
  const url = httpUrl(name);
  if (url) return { source: url, fileName, close: async () => {} };
  if (name === "-") return { ...streamOf(process.stdin), fileName: "" };
  const path = pathOf(name);
  const stats = await checkReadable(path);
  if (stats.isFIFO() || stats.isCharacterDevice()) return { ...streamOf(createReadStream(path)), fileName };
  const source = await fileSource(path);
  return { source, fileName, path, close: () => source.close() };
}

/** @param {Readable} readable */
function streamOf(readable) {
  const close = async () => void readable.destroy();
  return { source: /** @type {ReadableStream<Uint8Array>} */ (Readable.toWeb(readable)), close };
}

/** @param {string} path */
async function checkReadable(path) {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new CommandError("EISDIR", `${path}: it is a folder. Give the path of a file.`);
  return stats;
}

/**
 * The URL, if the name is one of HTTP.
 *
 * @param {string} name
 */
export function httpUrl(name) {
  if (/^https?:\/\//i.test(name)) {
    if (!URL.canParse(name)) throw new UsageError(`"${name}" is not a URL. Check it.`);
    return name;
  }
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(name) ?? [];
  if (scheme !== undefined && scheme.toLowerCase() !== "file") {
    throw new UsageError(`"${name}" is a URL of the scheme ${scheme}, expected http, https, or a path.`);
  }
  return undefined;
}

/** The path of a file of this computer. @param {string} name A path or a `file:` URL. */
export function pathOf(name) {
  return /^file:\/\//i.test(name) ? fileURLToPath(name) : name;
}

/**
 * The name without folders.
 *
 * @param {string} name A path or a URL.
 */
export function fileNameOf(name) {
  const url = httpUrl(name);
  if (url === undefined) return basename(pathOf(name));
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/**
 * The headers of requests: those of the options, and the token for Hugging Face. The headers of the options can be secrets, so
 * they go only to the origin of the first URL of the command.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {OpenOptions}
 */
export function requestOptions(name, args) {
  const headers = new Headers();
  for (const text of args.texts("header")) {
    const colon = text.indexOf(":");
    const problem = new UsageError(`--header is "${text}", expected "Name: value".`);
    if (colon <= 0) throw problem;
    try {
      headers.append(text.slice(0, colon).trim(), text.slice(colon + 1).trim());
    } catch {
      throw problem;
    }
  }
  const url = httpUrl(name);
  if (url && new URL(url).origin !== firstOrigin(args)) for (const key of [...headers.keys()]) headers.delete(key);
  const token = process.env[HUGGING_FACE.variable];
  if (token && url && new URL(url).origin === HUGGING_FACE.origin && !headers.has("Authorization")) {
    headers.set("Authorization", `Bearer ${token}`);
  }
  return { headers };
}

/** The origin of the first URL of a command. Names that are no URLs of HTTP are passed over. @param {Arguments} args */
function firstOrigin(args) {
  const first = [...args.positionals, ...args.texts("beside")].find((name) => /^https?:\/\//i.test(name));
  return first !== undefined && URL.canParse(first) ? new URL(first).origin : undefined;
}
