// Opens what the user names: a path, a URL, a name of the hub, or `-` for the standard input.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterData, endsElsewhere } from "../common/after-data.js";
import { remoteSource } from "../common/byte-sources.js";
import { joinedShards } from "../common/joined-shards.js";
import { fileSource, Gguf, GgufSet, parseShardName } from "../full/node.js";
import { openContained } from "./contained.js";
import { CommandError, aboutFile } from "./errors.js";
import { findingsTable } from "./findings.js";
import { locate, serverOf } from "./hub.js";
import { addInput, addRemoteInput, addStandardInput } from "./inputs.js";
import { currentProgress, note } from "./output.js";
import { openRawParts } from "./raw-parts.js";
import { httpUrl, isHubName, requestOptions } from "./requests.js";
import { safe } from "./safe-text.js";

/** @import { GgufSource } from "../full/node.js" */
/** @import { RangeSource } from "../common/byte-sources.js" */
/** @import { Arguments } from "./arguments.js" */

/**
 * An opened file.
 *
 * @typedef {object} OpenedFile
 * @property {string} name As the user gave it.
 * @property {string} fileName Without folders. Empty for the standard input.
 * @property {string | undefined} path The path, if it is a file of this computer.
 * @property {Gguf} gguf
 * @property {GgufSource} [source] Where its bytes come from. Of a set, there are several.
 * @property {string} [container] What the file is opened from, if it is not a file of its own: `llamafile`, `ZIP archive`, `raw parts`, `joined
 * shards`.
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
export async function openFile(name, args) {
  return openLocated(name, await locate(name, args), args);
}

/**
 * Opens one file.
 *
 * @param {string} name As the user gave it.
 * @param {string} place Its path or URL.
 * @param {Arguments} args
 * @returns {Promise<OpenedFile & { source: GgufSource }>}
 */
function openLocated(name, place, args) {
  return aboutFile(name, async () => {
    const ownPath = httpUrl(place) ? undefined : pathOf(place);
    const parts = await openRawParts(name, place, ownPath, fileNameOf(place), args);
    const { source, fileName, path, close } = parts ?? (await sourceOf(place));
    const progress = currentProgress(`Reading ${fileName || "the standard input"}`, serverOf(place));
    try {
      const onProgress = (/** @type {{ bytesRead: number }} */ { bytesRead }) => progress.update(bytesRead);
      const options = requestOptions(place, args);
      const opened = { name, fileName, path, source, close, ...(parts && { container: "raw parts" }) };
      try {
        const gguf = await Gguf.open(source, { ...(parts ? {} : options), onProgress });
        if (httpUrl(place) && !parts) addRemoteInput(place, options);
        return { ...opened, gguf };
      } catch (error) {
        if (parts) throw parts.explained(error);
        const inside = await openContained(error, name, place, source, args);
        if (!inside) throw error;
        const gguf = await Gguf.open(inside.source, { onProgress });
        return { ...opened, source: inside.source, fileName: inside.name, container: inside.container, gguf };
      }
    } catch (error) {
      await close();
      throw error;
    } finally {
      progress.clear();
    }
  });
}

/**
 * Opens the file that a raw part belongs to, and gives its bytes.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<OpenedFile & { source: RangeSource }>}
 */
export async function openRawFile(name, args) {
  const { source, ...opened } = await openLocated(name, await locate(name, args), args);
  return { ...opened, source: /** @type {RangeSource} */ (source) };
}

/**
 * Opens a file. If it is a shard of several, opens the other shards, too, unless the option `one-file` is given.
 *
 * @param {string} name
 * @param {Arguments} args
 * @returns {Promise<OpenedModel>}
 */
export async function openModel(name, args) {
  const place = await locate(name, args);
  const { count = 1 } = parseShardName(fileNameOf(place)) ?? {};
  const isSet = count > 1 && !args.flag("one-file");
  return (isSet ? openLocatedSet : openLocated)(name, place, args);
}

/**
 * Prints the problems of a set to the standard error, such as missing shards: the opened model is then incomplete. With --json, the result
 * has {@link setFindings} instead.
 *
 * @param {OpenedModel} model
 * @param {Arguments} args
 */
export function warnOfSet({ name, set }, args) {
  if (set && set.findings.length > 0 && !args.flag("json")) {
    note(safe`gguf-wasm: ${name}: the set has problems:\n${findingsTable(set.findings)}`);
  }
}

/** What is wrong with a set, as a member of a result. Empty if the model is one file. @param {OpenedModel} model */
export const setFindings = ({ set }) => set && { findings: set.findings };

/**
 * Opens all shards of a set.
 *
 * @param {string} name The path, the URL or the name on the hub of any shard, or of a file into which shards were joined with `cat`.
 * @param {Arguments} args
 * @returns {Promise<OpenedFile & { set: GgufSet }>}
 */
export async function openSet(name, args) {
  const place = await locate(name, args);
  if (parseShardName(fileNameOf(place)) || name === "-") return openLocatedSet(name, place, args);
  const file = await openLocated(name, place, args);
  const joined = await withJoinedShards(file, args);
  if (joined?.set) return { ...joined, set: joined.set };
  await file.close();
  const advice = "the name is not that of a shard. Give a file whose name ends in -00001-of-00003.gguf or similar.";
  throw new CommandError("not-a-shard", `${name}: ${joined?.problem ?? advice}`);
}

/**
 * The set whose shards were joined with `cat` into an opened file, or the file and what is wrong with a later shard.
 *
 * @param {OpenedFile} file
 * @param {Arguments} args
 * @returns {Promise<(OpenedModel & { problem?: string }) | undefined>} `undefined` if no shards were joined.
 */
export async function withJoinedShards(file, args) {
  const { name, gguf } = file;
  if (gguf.classification.kind !== "shard") return undefined;
  const source = await rangedSource(file, args);
  const base = file.fileName.replace(/\.gguf$/i, "");
  const found = source && (await joinedShards(gguf, source, base, (part) => Gguf.open(part)).catch(() => undefined));
  if (!found) return undefined;
  if (!found.shards) {
    note(safe`gguf-wasm: ${name}: ${found.problem}\n`);
    return { ...file, problem: found.problem };
  }
  const { shards } = found;
  const set = await aboutFile(name, () => GgufSet.open(shards));
  note(safe`gguf-wasm: ${name}: ${shards.length} shards that were joined with cat are opened as a set\n`);
  return { ...file, container: "joined shards", gguf: set.merged, set };
}

/** The bytes of a file, if they can be read in any order. @param {OpenedFile} file @param {Arguments} args */
async function rangedSource({ name, source }, args) {
  const place = typeof source === "string" ? source : undefined;
  const ranged =
    place === undefined ? source : await remoteSource(place, requestOptions(name, args)).catch(() => undefined);
  if (typeof ranged !== "object" || !("read" in ranged) || !("size" in ranged)) return undefined;
  return /** @type {RangeSource} */ (ranged);
}

/**
 * Opens all shards of a set.
 *
 * @param {string} name As the user gave it.
 * @param {string} place The path or the URL of any shard.
 * @param {Arguments} args
 * @returns {Promise<OpenedFile & { set: GgufSet }>}
 */
function openLocatedSet(name, place, args) {
  return aboutFile(name, async () => {
    const fileName = fileNameOf(place);
    const path = httpUrl(place) ? undefined : pathOf(place);
    if (path !== undefined) {
      await checkReadable(path);
      addInput(path);
    }
    const progress = currentProgress(`Reading ${fileName}`, serverOf(place));
    try {
      const onProgress = (/** @type {{ bytesRead: number }} */ { bytesRead }) => progress.update(bytesRead);
      // A path may look like a URL.
      const source = path === undefined ? place : pathToFileURL(path);
      const options = requestOptions(place, args);
      const set = await GgufSet.open(source, { ...options, onProgress });
      for (const { url } of set.shards) if (url !== undefined) addRemoteInput(url, options);
      return { name, fileName, path, gguf: set.merged, set, close: async () => {} };
    } finally {
      progress.clear();
    }
  });
}

/**
 * What stands behind the data of a file, if the checks say that something does. Reads the end of the file.
 *
 * @param {OpenedModel} model
 * @param {readonly { code: string, offset?: number }[]} findings
 * @param {Arguments} args
 */
export async function afterDataOf(model, findings, args) {
  // The end of a file of a server is read only if the checks say that something is wrong there.
  const isRead = typeof model.source !== "string" || endsElsewhere(findings);
  const source = isRead ? await rangedSource(model, args) : undefined;
  return afterData(findings, source, model.gguf.tensors).catch(() => undefined);
}

/**
 * Checks that the data of tensors can be read. A pipe is read only up to the end of the header.
 *
 * @param {OpenedFile} file
 */
export function requireRanges({ name, path }) {
  if (path !== undefined || httpUrl(name) || isHubName(name)) return;
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
  if (name === "-") {
    addStandardInput();
    return { ...streamOf(process.stdin), fileName: "" };
  }
  const path = pathOf(name);
  const stats = await checkReadable(path);
  if (stats.isFIFO() || stats.isCharacterDevice()) return { ...streamOf(createReadStream(path)), fileName };
  addInput(path);
  const source = await fileSource(path);
  return { source, fileName, path, close: () => source.close() };
}

/** @param {import("node:stream").Readable} stream */
const streamOf = (stream) => ({ source: stream, close: async () => void stream.destroy() });

/**
 * Checks that a path leads to something that can be read.
 *
 * @param {string} path
 */
export async function checkReadable(path) {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new CommandError("EISDIR", `${path}: it is a folder. Give the path of a file.`);
  return stats;
}

/**
 * The path of a file of this computer.
 *
 * @param {string} name As the user gave it.
 * @returns {string | undefined} `undefined` if it is a URL, a name of the hub, or the standard input.
 */
export function localPath(name) {
  return name === "-" || httpUrl(name) !== undefined || isHubName(name) ? undefined : pathOf(name);
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
